package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// rejections finds tool calls and plans that the person refused with words (S1
// of algorithms section 5).
type rejections struct{}

func (rejections) Detect(w *Window) []finding {
	now := w.Last()
	if now.Kind != transcript.Rejection || now.Agent != "" {
		return nil
	}
	sp := now.speech()
	call := w.Call(now)
	if sp.n < 2 || !refuses(sp, call) {
		return nil
	}
	return []finding{refusal(now, call, sp, now.Line)}
}

// refuses says whether words that came with a refusal want something else. A
// question wants to know something first, words that ask for other plans begin a
// decision, and some people refuse by accident.
func refuses(sp *speech, call *Step) bool {
	switch {
	case sp.n == 0, sp.goesOn(), sp.plan:
		return false
	case sp.explores && proposes(call), sp.retracts, sp.approves && sp.objects == 0:
		return false
	}
	return (!sp.inquires || sp.rebukes || sp.breaks || sp.doubts || sp.prefers) && !clarifies(sp.words)
}

// proposes says whether a call puts a plan or a question to the person.
func proposes(call *Step) bool {
	return call != nil && (call.Tool == "ExitPlanMode" || call.Tool == "AskUserQuestion")
}

// interrupts finds the instruction after the person stopped the agent (S2).
type interrupts struct{}

func (interrupts) Detect(w *Window) []finding {
	said := w.Last()
	if said.Kind != transcript.User || said.Agent != "" {
		return nil
	}
	stop, call, before := w.stopBefore(said)
	if stop == nil {
		return nil
	}
	sp := said.speech()
	if sp.n < 2 || !refuses(sp, call) || sp.confirms && !sp.rebukes {
		return nil
	}
	if before != nil && repeats(before.speech().words, sp.words) {
		return nil
	}
	return []finding{refusal(said, call, sp, stop.Line)}
}

// stopBefore returns what stopped the agent before a message (an interruption,
// or a refusal without words), the last call before it, and the person's message
// before that. The stop is nil when something else came in between.
func (w *Window) stopBefore(said *Step) (stop, call, before *Step) {
	begun := false
	for s := range w.before(said, "") {
		switch {
		case s.Kind == transcript.User && !begun:
			return nil, nil, nil
		case s.Kind == transcript.Compaction:
			return stop, call, before
		case s.Kind == transcript.User:
			return stop, call, s
		case s.Kind == transcript.Interrupt,
			s.Kind == transcript.Rejection && s.speech().n == 0,
			s.Kind == transcript.ToolResult && (s.Outcome == transcript.Rejected || s.Outcome == transcript.Interrupted):
			if stop == nil {
				stop = s
			}
		case s.Kind == transcript.ToolCall:
			if call == nil {
				call = s
			}
			begun = true
			if stop == nil {
				return nil, nil, nil
			}
		case s.Kind == transcript.Assistant, s.Kind == transcript.Rejection:
			begun = true
			if stop == nil {
				return nil, nil, nil
			}
		}
	}
	return stop, call, before
}

// refusal describes words that a person said against a call or a course.
func refusal(said, call *Step, sp *speech, errorLine int) finding {
	words, out := sp.words, objection(said, sp)
	out.errorLine, out.mistake = errorLine, "The person stopped the agent"
	if call == nil {
		return out
	}
	out.tool, out.area = call.Tool, call.Path
	switch {
	case call.Command != "":
		c := mainCommand(call.line())
		out.mistake = "The person refused `" + oneCommand(call.Command) + "`"
		if c != nil && out.trigger == nil && out.typ == knowledge.Pitfall && prefers(words) && speaksOf(words, c) {
			out.trigger = &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{commandShape(c, shapes(c.FlagNames()))}}
			out.tags = toolTags(c)
		}
	case call.Path != "":
		out.mistake = "The person refused " + call.Tool + " of " + call.Path
	default:
		out.mistake = "The person refused " + call.Tool
	}
	return out
}

// speaksOf says whether words name something of a command. Only then is the
// command what the person objects to, and not the course that it belongs to.
func speaksOf(words string, c *shell.Command) bool {
	if plumbing[c.Program] && len(c.Operands) == 0 {
		return false
	}
	words = strings.ToLower(words)
	for _, names := range [][]string{{c.Program}, c.Sub, c.FlagNames(), c.Operands} {
		for _, t := range names {
			if len(t) > 1 && holdsWord(words, strings.ToLower(t)) {
				return true
			}
		}
	}
	return false
}

// holdsWord says whether a text holds a word between blanks and punctuation.
func holdsWord(text, word string) bool {
	const between = " \t\n`'\",.;:!?()"
	if strings.ContainsAny(word, between) {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || strings.IndexByte(between, text[i-1]) >= 0) && (end == len(text) || strings.IndexByte(between, text[end]) >= 0) {
			return true
		}
		from = i + 1
	}
}

// repeats says whether somebody sent the same message again, with hardly a word
// more or less.
func repeats(a, b string) bool {
	a, b = foldWords(a), foldWords(b)
	if a == "" || b == "" {
		return false
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || strings.HasPrefix(b, a) && statement.CountWords(b)-statement.CountWords(a) < 3
}

// sentence is the first sentence of a person's words that says something.
func sentence(words string) string {
	for line := range strings.Lines(words) {
		for s := range statement.Sentences(strings.TrimSpace(line)) {
			if statement.CountWords(s) >= 3 { // "No." alone says nothing
				return headline(s)
			}
		}
		if statement.CountWords(line) >= 2 {
			return headline(line)
		}
	}
	return onOneLine(words)
}
