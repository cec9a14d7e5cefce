package scan

import (
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// A reply is how the agent takes a person's message, read from the beginning of
// its text.
type reply int

const (
	unread reply = iota
	neutral
	mends     // says that it repairs something: "Fixed.", "The pattern was wrong."
	yields    // takes the point: "I see", "Good point", "Understood"
	admits    // grants that the person is right
	confesses // names a mistake of its own: "My mistake", "I made an error"
)

// What a text can begin with.
const (
	ofPartRight automata.Members = 1 << iota
	ofRight
	ofPoint
	ofRepair
)

type replyPatterns struct {
	begins                              *automata.Set // of the constants above
	confesses, concedes, grants, faults *automata.Pattern
}

var agentPatterns = sync.OnceValue(func() *replyPatterns {
	p := phrasebook.Pattern
	return &replyPatterns{
		begins: phrasebook.Set(map[automata.Members]string{
			ofPartRight: "ofPartRight", ofRight: "ofRight", ofPoint: "ofPoint", ofRepair: "ofRepair",
		}),
		confesses: p("confesses"), concedes: p("concedes"), grants: p("grants"), faults: p("faults"),
	}
})

// replyOf reads how a text of the agent takes what was said to it.
func replyOf(text string) reply {
	p := agentPatterns()
	begin := firstBytes(strings.TrimSpace(text), 300)
	switch begins := p.begins.In(begin); {
	case p.confesses.MatchString(begin):
		return confesses
	case begins.Has(ofPartRight):
		return yields
	case begins.Has(ofRight), p.concedes.MatchString(firstBytes(begin, 120)):
		return admits
	case begins.Has(ofPoint):
		return yields
	case begins.Has(ofRepair), p.faults.MatchString(begin):
		return mends
	}
	return neutral
}

func firstBytes(s string, n int) string { return s[:min(n, len(s))] }

// gist is what the agent says to the matter when it grants the person's point: its
// first sentence behind the courtesies that tells something. It is empty when it
// only announces what it will do.
func gist(acts []*Step) string {
	n := 0
	for _, s := range acts {
		if !speaks(s) {
			continue
		}
		if n++; n > 4 || s.reply() < admits {
			continue
		}
		text := strings.TrimSpace(statement.OwnWords(s.Text))
		text = text[len(agentPatterns().grants.FindString(text)):]
		first, _, _ := strings.Cut(text, "\n")
		for said := range statement.Sentences(first) {
			said = strings.TrimRight(strings.ReplaceAll(said, "**", ""), ".!")
			low := strings.ToLower(said)
			if statement.CountWords(said) >= 4 && !strings.HasPrefix(low, "let me") && !strings.HasPrefix(low, "let's") && !strings.HasPrefix(low, "i'll") && !strings.HasSuffix(said, ":") && !strings.HasSuffix(said, "?") {
				return capitalised(said)
			}
		}
	}
	return ""
}

// assertion is the sentence of the agent's text that a person's words are most
// about: of those that tell what it did or what is so, the one that shares most
// words, and of equals the last. It is empty when none shares as many as it must.
func assertion(claim *Step, words string, least int) string {
	if claim == nil {
		return ""
	}
	about := topicOf(words)
	if len(about) == 0 {
		return ""
	}
	best, most := "", least
	for line := range strings.Lines(statement.OwnWords(withoutBlocks(claim.Text))) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#") {
			continue // of a table, or a heading
		}
		for s := range statement.Sentences(strings.TrimLeft(line, "*-•0123456789.) ")) {
			if strings.HasSuffix(s, "?") || strings.HasSuffix(s, ":") {
				continue
			}
			shared := 0
			for w := range strings.FieldsSeq(s) {
				if about[strings.Trim(strings.ToLower(w), ".,:;!?`'\"()*")] {
					shared++
				}
			}
			if shared < most {
				continue
			}
			if n := statement.CountWords(s); n >= 3 && n <= 50 {
				best, most = s, shared
			}
		}
	}
	return strings.TrimRight(strings.ReplaceAll(best, "**", ""), ".!")
}

// topicOf returns the longer words of a text, in lower case.
func topicOf(text string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		if w = strings.Trim(strings.ToLower(w), ".,:;!?`'\"()"); len(w) > 3 {
			words[w] = true
		}
	}
	return words
}
