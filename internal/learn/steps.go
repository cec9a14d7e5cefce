package learn

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/scan"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// Step is one thing that happened in a session: somebody said something, or the agent
// called a tool. Its texts are not redacted yet.
type Step struct {
	Who   string // "person", "agent" or "call"
	Text  string
	Ended string // of a call: "result" or "failed"; empty: nobody knows
	Said  string // by its result
	agent string // sub-agent
	use   string // by which its result names it
}

// Excerpt is a piece of a session around the step in which something was found.
type Excerpt struct {
	Steps []Step
	At    int // that step
}

// How many steps an excerpt has before and after its moment, and how many bytes of a
// text are looked at.
const (
	stepsBefore = 200
	stepsAfter  = 12
	stepBytes   = 8 << 10
)

var errEnough = errors.New("the excerpt is complete")

// Around reads what happened around a moment of a session from its transcript. The
// excerpt is empty if the session has no such moment.
func Around(name string, r io.Reader, at time.Time) (Excerpt, error) {
	x := Excerpt{At: -1}
	_, err := transcript.Read(name, r, transcript.Options{Whole: true}, func(e transcript.Event) error {
		here := e.Time.UnixMilli() == at.UnixMilli()
		switch {
		case x.At >= 0 && !here && len(x.Steps) > x.At+stepsAfter:
			return errEnough
		case x.At < 0 && len(x.Steps) >= 2*stepsBefore:
			x.Steps = slices.Clone(x.Steps[stepsBefore:])
		}
		if i := x.add(e); here && i >= 0 {
			x.At = i
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return x.ofOneThread(), err
}

// add adds an event: as a step, or to the call that it is the result of. It returns the
// place of the step; below 0: there is none.
func (x *Excerpt) add(e transcript.Event) int {
	s := Step{Text: e.Text, agent: e.Agent, use: e.ToolUse}
	switch e.Kind {
	case transcript.User:
		s.Who = "person"
	case transcript.Assistant:
		s.Who = "agent"
	case transcript.Interrupt:
		s.Who, s.Text = "person", "(stops the agent)"
	case transcript.Rejection:
		s.Who, s.Text = "person", strings.TrimSpace("(refuses the call) "+e.Text)
	case transcript.ToolCall:
		s.Who, s.Text = "call", e.Tool+": "+asked(e)
	case transcript.ToolResult:
		return x.end(e)
	}
	if s.Who == "" || s.Text == "" {
		return -1
	}
	s.Text = strings.Clone(scan.MiddleOut(s.Text, stepBytes))
	x.Steps = append(x.Steps, s)
	return len(x.Steps) - 1
}

// end says how a call ended.
func (x *Excerpt) end(e transcript.Event) int {
	for i, s := range slices.Backward(x.Steps) {
		if s.Who == "call" && s.use == e.ToolUse && s.Ended == "" {
			x.Steps[i].Ended, x.Steps[i].Said = "result", strings.Clone(scan.MiddleOut(e.Text, stepBytes))
			if e.Outcome == transcript.Fail || e.Outcome == transcript.TimedOut || e.Outcome == transcript.NotRun {
				x.Steps[i].Ended = "failed"
			}
			return i
		}
	}
	return -1
}

// asked is what a call asked for: a command, a change, else its arguments.
func asked(e transcript.Event) string {
	if e.Command != "" {
		return e.Command
	}
	change := transcript.ReadChange(e.Input)
	text := e.Path
	for _, edit := range append([]transcript.Edit{change.Edit}, change.Edits...) {
		if edit.Old != "" {
			text += "\n- " + edit.Old
		}
		if edit.New != "" {
			text += "\n+ " + edit.New
		}
	}
	return cmp.Or(text, string(e.Input))
}

// ofOneThread leaves the steps of the thread in which something was found, and people's.
func (x Excerpt) ofOneThread() Excerpt {
	if x.At < 0 {
		return Excerpt{}
	}
	var one Excerpt
	for i, s := range x.Steps {
		if s.agent == x.Steps[x.At].agent || s.Who == "person" {
			one.Steps = append(one.Steps, s)
		}
		if i == x.At {
			one.At = len(one.Steps) - 1
		}
	}
	return one
}

// Logged is the excerpt that the call log has of a session: calls, and how they ended.
func Logged(s *calls.Session, at time.Time) Excerpt {
	x := Excerpt{At: -1}
	for i := range s.Calls {
		c := &s.Calls[i]
		if c.At > at.UnixMilli() && x.At < 0 {
			x.At = max(len(x.Steps)-1, 0)
		}
		if x.At >= 0 && len(x.Steps) > x.At+stepsAfter {
			break
		}
		s := Step{Who: "call", Text: c.Tool + ": " + c.Input, Ended: "result", Said: string(c.Outcome)}
		if c.Failure != nil {
			s.Ended, s.Said = "failed", c.Failure.Line
		}
		x.Steps = append(x.Steps, s)
	}
	if x.At < 0 {
		x.At = max(len(x.Steps)-1, 0)
	}
	return x
}
