package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/knowledge/ask"
	"github.com/lessons-cli/lessons/knowledge/said"
	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// answerTags are the lines that begin a block which answers an ask.
var answerTags = map[string]ask.Answer{lessonOpen: ask.Lesson, decisionOpen: ask.Decision, noneTag: ask.None}

// asksIn returns what an event of a session's main agent says of asks: that there was
// one, or a block for each answer. A block that cannot be read is an answer too.
func asksIn(session string, e *transcript.Event) []ask.Fact {
	if e.Agent != "" || e.Kind != transcript.Asked && e.Kind != transcript.Assistant {
		return nil
	}
	fact := ask.Fact{Session: session, Line: e.Line}
	if !e.Time.IsZero() {
		fact.At = e.Time.UnixMilli()
	}
	if e.Kind == transcript.Asked {
		fact.Name = e.Text
		return []ask.Fact{fact}
	}
	if !strings.Contains(e.Text, lessonOpen) && !strings.Contains(e.Text, decisionOpen) {
		return nil
	}
	var facts []ask.Fact
	for line := range strings.Lines(e.Text) {
		line = strings.Trim(line, " `*\r\n")
		if strings.HasPrefix(line, noneTag+" ") {
			line = noneTag // a reason follows
		}
		if fact.Answer = answerTags[line]; fact.Answer != "" {
			facts = append(facts, fact)
		}
	}
	return facts
}

// maxTalk is how long a message is that its person typed; longer ones are pasted.
const maxTalk = 2 << 10

// saidIn returns what a message of a person to the session's main agent is about.
func (p *pass) saidIn(e *transcript.Event) []said.Message {
	if e.Agent != "" || e.Kind != transcript.User || len(e.Text) > maxTalk {
		return nil
	}
	about := statement.Said(p.Redactor.Text(e.Text).String())
	if len(about.Words) == 0 {
		return nil
	}
	return []said.Message{{Session: p.name, Line: e.Line, At: e.Time, About: about}}
}
