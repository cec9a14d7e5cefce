package tally

import (
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// HeldBack are the calls of a log that a guard would have held back.
type HeldBack struct {
	Right   []Match // they failed, or were refused or stopped
	Wrong   []Match // they worked
	Unclear []Match // nobody knows how they ended
	Unsure  int     // calls of which the log does not say whether the gates held
}

// ErrUntold: a guard that asks for what the log does not keep.
var ErrUntold = errors.New("the log keeps no content of edits, so this guard cannot be held against it")

// HoldBack holds a guard against a log, call by call, with the same gates as the hooks: in
// each session only what came before a call is evidence.
func HoldBack(l *lesson.Lesson, log []calls.Session) (h HeldBack, err error) {
	guard, _, err := compile.Guard(l)
	if err != nil {
		return h, err
	}
	if len(l.Triggers.Content) > 0 {
		return h, ErrUntold
	}
	if _, problems := compile.Trigger(&l.Triggers); len(problems) > 0 {
		return h, fmt.Errorf("no call can match: %s", problems[0].Text)
	}
	if !guard.Holds(inject.AtCall) {
		return h, errors.New("it holds stops back and no calls, and the log keeps calls")
	}
	index, err := newTriggers([]*lesson.Lesson{l})
	if err != nil {
		return h, err
	}
	for i := range log {
		s := &log[i]
		past := &past{session: inject.OpenSession(inject.Places{}, s.Name, ""), began: time.UnixMilli(s.Start())}
		for j := range s.Calls {
			c := &s.Calls[j]
			if len(index.on(c)) > 0 {
				h.judge(guard, past, Match{s.Name, c})
			}
			past.add(c)
		}
	}
	return h, nil
}

// judge counts a call that the guard is about, if its gates do not hold.
func (h *HeldBack) judge(g inject.Guard, p *past, m Match) {
	subject := inject.Subject{At: inject.AtCall, Sub: m.Call.Agent != "", Paths: pathsOf(m.Call)}
	f := g.Check(p.session, subject, p)
	switch {
	case !g.Empty() && len(f.Missing) == 0 && f.Unsure != nil:
		h.Unsure++
	case !g.Empty() && len(f.Missing) == 0 && f.Redirect == "":
	case m.Call.Outcome == calls.OK:
		h.Wrong = append(h.Wrong, m)
	case m.Call.Outcome == calls.Failed, m.Call.Outcome == calls.Refused, m.Call.Outcome == calls.Stopped:
		h.Right = append(h.Right, m)
	default:
		h.Unclear = append(h.Unclear, m)
	}
}

// past is what a session did before a call, as evidence for gates.
type past struct {
	session *inject.Session
	began   time.Time
	traces  []inject.Trace
}

// errFiles: the log keeps calls, and no files.
var errFiles = errors.New("the log keeps no files")

func (p *past) Traces() []inject.Trace           { return p.traces }
func (p *past) Began() time.Time                 { return p.began }
func (p *past) Newest(string) (time.Time, error) { return time.Time{}, errFiles }
func (p *past) Lines(string, int) (int, error)   { return 0, errFiles }
func (p *past) Exists(string) bool               { return true }

// add takes a call as what was done. One that did not run is no evidence.
func (p *past) add(c *calls.Call) {
	t := inject.Trace{At: c.At, Act: inject.ActOf(c.Tool), Tool: c.Tool, Paths: pathsOf(c)}
	switch c.Outcome {
	case calls.OK:
		t.Outcome = inject.OK
	case calls.Failed:
		t.Outcome = inject.Failed
	case calls.Masked, calls.Unknown:
		t.Outcome = inject.Unclear
	default:
		return
	}
	if t.Act == inject.ActRun {
		t.Runs = p.session.Runs(c.Input)
	}
	p.traces = append(p.traces, t)
}

// pathsOf are the files that a call names, relative to the repository.
func pathsOf(c *calls.Call) []string {
	if c.Input == "" || c.Tool == "Bash" || c.Tool == "PowerShell" {
		return nil
	}
	return []string{path.Clean(c.Input)}
}
