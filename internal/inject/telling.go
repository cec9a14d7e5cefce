package inject

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/shell"
)

// Telling is how a notice is told.
type Telling struct {
	Again int      `json:"again,omitempty"` // after how many calls it may be told again; 0: never
	Ran   []string `json:"ran,omitempty"`   // what has to run first, of each thing that it tells
}

// Encode is the telling as [Lesson].Extra holds it.
func (t Telling) Encode() string { return string(encoded(t)) }

// telling is how a notice is told; what cannot be read is told once.
func (l Lesson) telling() (t Telling) {
	_ = json.Unmarshal([]byte(l.Extra), &t)
	return t
}

// Prepares says whether a command line runs itself what a notice tells to run first.
func (l Lesson) Prepares(line string) bool {
	first := l.telling().Ran
	return len(first) > 0 && !slices.ContainsFunc(first, func(f string) bool { return !strings.Contains(line, f) && !runsIn(line, f) })
}

// runsIn says whether a command is one of a line's, with other words beside its own.
func runsIn(line, command string) bool {
	want, ok := wanted(command)
	return ok && slices.ContainsFunc(shell.Parse(line).Commands, func(c *shell.Command) bool {
		return (c.Name() == want.Name() || strings.HasPrefix(c.Name(), want.Name()+" ")) && subset(want.Operands, c.Operands) && subset(want.FlagNames(), c.FlagNames())
	})
}

// prepared says whether all that a notice tells to run first has run in the session; where
// it tells nothing, nothing is prepared.
func (in Input) prepared(first []string) bool {
	if len(first) == 0 {
		return false
	}
	traces := in.Session.own(in.subject(), in.Facts.Traces())
	return !slices.ContainsFunc(first, func(f string) bool { return !in.Session.hasRun(traces, []string{f}) })
}

// hasRun says whether one of some commands is among what ran.
func (s *Session) hasRun(traces []Trace, commands []string) bool {
	is := s.anyOf(commands)
	return slices.ContainsFunc(traces, func(t Trace) bool { return slices.ContainsFunc(t.Runs, is) })
}
