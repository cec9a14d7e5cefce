package scan

import (
	"fmt"
	"slices"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// retryAfter is how many failures of one thing make a loop.
const retryAfter = 3

// retries finds the third failing try at one thing: the same program or the
// same file, with no success and no word of the person between. Calls that were
// made side by side are one try. What ends the loop is the business of
// errorFixes.
type retries struct{}

func (retries) Kind() Kind { return Retry }

func (retries) Detect(w *Window) []finding {
	now := w.Last()
	f := w.judge(now)
	if f == nil {
		return nil
	}
	results, turn := w.attempts(now)
	about := w.subject(now, f)
	if about == (subject{}) {
		return nil
	}
	failures, first := []*fault{f}, now
	for _, s := range results[:turn] {
		g := w.judge(s)
		switch {
		case !w.isAbout(s, g, about):
			continue
		case g == nil:
			if len(failures) < retryAfter && w.succeeded(s) {
				return nil
			}
		case w.Call(now).seq < s.seq:
			return nil // told with the call beside this one, if at all
		case w.Call(first).seq > s.seq: // a try that knew of this failure
			failures = append(failures, g)
			first = s
		}
		if len(failures) > retryAfter {
			return nil // told at the third
		}
	}
	if len(failures) != retryAfter {
		return nil
	}
	return []finding{w.retryLoop(now, first, f, about, !slices.ContainsFunc(failures, func(g *fault) bool { return !sameFailure(f, g) }))}
}

// sameFailure says whether two failures say the same, but for what differs from
// session to session.
func sameFailure(f, g *fault) bool {
	return f.class == g.class && (f.salient == g.salient || normalSalient(f.salient) == normalSalient(g.salient))
}

// retryLoop describes a loop. It is worth keeping where the same failure came
// each time: then the next session will meet it too.
func (w *Window) retryLoop(now, first *Step, f *fault, about subject, same bool) finding {
	call := w.Call(now)
	out := finding{
		kind: Retry, typ: knowledge.Pitfall, origin: observe.OriginRetry,
		line: now.Line, errorLine: first.Line, at: now.Time, tool: call.Tool,
		title:   about.String() + ": " + normalSalient(f.salient),
		mistake: fmt.Sprintf("%s failed %d times in a row: %s", tried(call), retryAfter, f.salient),
		area:    call.Path, quotes: []string{f.salient},
		marks: []observe.Mark{observe.MarkRetryLoop}, failure: failureOf(call, f),
		keep: same && isShell(call.Tool) && f.class != inProgress,
	}
	if c := faulty(call.line(), f); c != nil {
		out.tags = toolTags(c)
		out.trigger = refusedWords(c, now.Text)
	}
	return out
}

// tried names a call in a sentence.
func tried(call *Step) string {
	if call.Command != "" {
		return "`" + oneCommand(call.Command) + "`"
	}
	if call.Path != "" {
		return call.Tool + " of " + call.Path
	}
	return call.Tool
}

// A subject is what a call was about: a program with its sub-command, or a tool and
// its file.
type subject struct{ tool, on string }

func (s subject) String() string {
	if s.tool == "" {
		return s.on
	}
	return s.tool + " " + s.on
}

// isAbout says whether a result's call was about a subject.
func (w *Window) isAbout(result *Step, f *fault, about subject) bool {
	return w.subject(result, f) == about
}

// subject is what a result's call was about, empty when there is nothing to name.
func (w *Window) subject(result *Step, f *fault) subject {
	call := w.Call(result)
	if call == nil || result.Kind != transcript.ToolResult {
		return subject{}
	}
	if !isShell(call.Tool) {
		if call.Path == "" {
			return subject{}
		}
		return subject{call.Tool, call.Path}
	}
	c := mainCommand(call.line())
	if f != nil {
		c = faulty(call.line(), f)
	}
	if c == nil {
		return subject{}
	}
	return subject{on: c.Name()}
}
