// Package tally holds triggers against the history of calls: what failed, what worked,
// and what may therefore be stopped. Everything is derived of the call log when it is read.
package tally

import (
	"path"
	"strconv"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Tally is what the calls say that a trigger matches, in the order of the log. Calls
// that were masked, refused or interrupted say nothing.
type Tally struct {
	Failed   []Match
	OK       []Match
	Heeded   int // stops after which another call was made
	Repeated int // stops after which the same call was made again
}

// Match is one call that a trigger matches.
type Match struct {
	Session string
	Call    *calls.Call
}

// Empty says whether history knows no such call.
func (t Tally) Empty() bool { return len(t.Failed)+len(t.OK)+t.Heeded == 0 }

// Sessions counts the sessions in which a call failed or a stop was heeded.
func sessions(all []Match) int {
	n, last := 0, ""
	for _, m := range all {
		if n == 0 || m.Session != last {
			n, last = n+1, m.Session
		}
	}
	return n
}

// root stands for the work tree: the log's paths are relative to it.
const root = "/repository"

// Of holds the triggers of lessons against a log, as the hooks do. The log is in the
// order in which the sessions began. A trigger that asks for what the log does not keep,
// as the content of an edit, has an empty tally.
func Of(lessons []*lesson.Lesson, log []calls.Session) []Tally {
	all := make([]Tally, len(lessons))
	if len(lessons) == 0 {
		return all
	}
	index, err := indexOf(lessons)
	if err != nil {
		return all // nothing can be matched: the compiler reports why
	}
	for i := range log {
		s := &log[i]
		for j := range s.Calls {
			c := &s.Calls[j]
			if !counts(c.Outcome) {
				continue
			}
			for _, m := range index.Match(callOf(c), inject.Options{Budget: -1}) {
				if at, err := strconv.Atoi(m.Lesson.ID); err == nil {
					all[at].take(s, j)
				}
			}
		}
	}
	return all
}

func counts(o calls.Outcome) bool { return o == calls.OK || o == calls.Failed || o == calls.Stopped }

// heedWithin is how many calls after a stop are looked at for what became of it.
const heedWithin = 5

// take counts a call of the session. What comes of a stop is seen in the calls after it:
// the same call again counts for itself, another one was the better way.
func (t *Tally) take(s *calls.Session, at int) {
	c := &s.Calls[at]
	switch c.Outcome {
	case calls.Failed:
		t.Failed = append(t.Failed, Match{s.Name, c})
	case calls.OK:
		t.OK = append(t.OK, Match{s.Name, c})
	case calls.Stopped:
		for _, next := range s.Calls[at+1 : min(len(s.Calls), at+1+heedWithin)] {
			if next.Tool == c.Tool && next.Input == c.Input && next.Agent == c.Agent {
				t.Repeated++
				return
			}
		}
		t.Heeded++
	}
}

// indexOf compiles the triggers as for the hooks. The lessons' places are their ids.
func indexOf(lessons []*lesson.Lesson) (*inject.Index, error) {
	var all []inject.Lesson
	for i, l := range lessons {
		if len(l.Triggers.Content) > 0 {
			continue
		}
		t, _ := compile.Trigger(&l.Triggers)
		all = append(all, inject.Lesson{ID: strconv.Itoa(i), Priority: 1, Trigger: t})
	}
	data := inject.Encode(all, inject.Header{})
	return inject.Open(data)
}

// callOf is a logged call as the hooks see it.
func callOf(c *calls.Call) inject.Call {
	call := inject.Call{Tool: c.Tool, Root: root, Dir: path.Join(root, c.Dir)}
	switch {
	case c.Tool == "Bash" || c.Tool == "PowerShell":
		call.Command = c.Input
	case c.Input != "":
		call.Paths = []string{c.Input}
	}
	return call
}
