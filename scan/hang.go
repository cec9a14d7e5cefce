package scan

import (
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// hangs finds calls that the agent's client stopped because they did not come
// back, and those that the person stopped for that reason. A long wait alone is
// none: it may be a person who did not click.
type hangs struct{}

func (hangs) Detect(w *Window) []finding {
	now := w.Last()
	switch now.Kind {
	case transcript.ToolResult:
		call := w.Call(now)
		if call == nil || now.Outcome != transcript.TimedOut {
			return nil
		}
		return []finding{w.hang(call, now, now, "was stopped by the time-out")}
	case transcript.User:
		if call, stopped := w.stoppedRun(now); call != nil && standsStill.MatchString(statement.OwnWords(now.Text)) {
			return []finding{w.hang(call, stopped, now, "was stopped by the person")}
		}
	}
	return nil
}

// standsStill are words of a person who sees that nothing happens any more.
var standsStill = phrasebook.Pattern("standsStill")

// stoppedRun returns the command that the person stopped just before they said
// something, and the event that stopped it.
func (w *Window) stoppedRun(said *Step) (call, stopped *Step) {
	n := 0
	for s := range w.before(said, said.Agent) {
		switch s.Kind {
		case transcript.Interrupt:
			stopped = s
		case transcript.ToolResult:
			if s.Outcome != transcript.Interrupted {
				return nil, nil
			}
			stopped = s
		case transcript.ToolCall:
			if stopped != nil && isShell(s.Tool) {
				return s, stopped
			}
			return nil, nil
		default:
			return nil, nil
		}
		if n++; n > 4 {
			return nil, nil
		}
	}
	return nil, nil
}

// hang describes a call that did not come back. Of one that was told to wait
// nothing is to be learned.
func (w *Window) hang(call, stopped, at *Step, how string) finding {
	out := finding{
		kind: Hang, typ: knowledge.Pitfall, origin: observe.OriginHang,
		line: at.Line, errorLine: stopped.Line, at: at.Time, tool: call.Tool,
		marks: []observe.Mark{observe.MarkHang}, unfit: withoutFix,
	}
	c := mainCommand(call.line())
	if c == nil {
		out.mistake = tried(call) + " did not come back in time"
		return out
	}
	out.failure = &fingerprint.Failure{Tool: toolKind(call.Tool), Command: c.Name(), Class: timedOut.String()}
	out.title = code(c.Name()) + " does not come back"
	out.mistake = "`" + oneCommand(c.Source) + "` did not come back and " + how
	out.quotes = []string{salientLine(at.Text)}
	out.tags = append(toolTags(c), "severity:hang")
	if c.Program == "sleep" || c.Program == "wait" {
		return out
	}
	out.trigger = &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{commandShape(c, shapes(c.FlagNames()))}}
	return out
}
