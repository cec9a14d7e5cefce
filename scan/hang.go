package scan

import (
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// hangs finds calls that the agent's client stopped because they did not come
// back. A long wait alone is none: it may be a person who did not click.
type hangs struct{}

func (hangs) Kind() Kind { return Hang }

func (hangs) Detect(w *Window) []finding {
	now := w.Last()
	if now.Kind != transcript.ToolResult || now.Outcome != transcript.TimedOut {
		return nil
	}
	call := w.Call(now)
	if call == nil {
		return nil
	}
	out := finding{
		kind: Hang, typ: knowledge.Pitfall, origin: knowledge.OriginHang,
		line: now.Line, errorLine: now.Line, at: now.Time, tool: call.Tool,
		marks: []knowledge.Mark{knowledge.MarkHang},
	}
	c := call.script().main()
	if c == nil {
		out.mistake = firstOf(call.Path, call.Tool) + " did not come back in time"
		return []finding{out}
	}
	out.failure = &knowledge.Failure{Tool: toolKind(call.Tool), Command: c.name(), Class: timedOut.String()}
	out.title = c.name() + " does not come back"
	out.mistake = "`" + oneCommand(c.source) + "` did not come back and was stopped by the time-out"
	out.quotes = []string{firstOf(salientLine(now.Text), out.title)}
	out.tags = append(toolTags(c), "severity:hang")
	out.trigger = &knowledge.Trigger{Tools: []string{"Bash"}, Commands: []string{commandShape(c, shapes(c.flags))}}
	out.keep = true
	return []finding{out}
}
