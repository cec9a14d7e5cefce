package replay

import (
	"maps"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/problem"
	"github.com/lessons-cli/lessons/scan"
)

// labels say how each recorded call ended, which failures are one problem, and which
// lessons are on it. They come from the call log alone: nothing here knows a trigger.
type labels struct {
	calls    map[callName]*calls.Call
	met      map[callName][]string // problems of failed calls
	problems map[string]*problem.Problem
	remedied map[callName]bool // the session mended it, or a person spoke of it
	lessons  map[string]map[string]bool
}

// callName is a call in the call log.
type callName struct{ session, id string }

// labelsOf reads a call log. about says of which failing results observations were made,
// sources which lessons they became.
func labelsOf(log []calls.Session, about map[errorAt][]string, sources map[string][]string) *labels {
	l := &labels{
		calls: map[callName]*calls.Call{}, met: map[callName][]string{}, problems: map[string]*problem.Problem{},
		remedied: map[callName]bool{}, lessons: map[string]map[string]bool{},
	}
	for _, p := range problem.Gather(log) {
		l.problems[p.ID] = p
		for _, f := range p.Failures {
			name := callName{f.Session, f.Call.ID}
			l.met[name] = append(l.met[name], p.ID)
			l.remedied[name] = l.remedied[name] || f.Mended
		}
	}
	for i := range log {
		for j := range log[i].Calls {
			c := &log[i].Calls[j]
			name := callName{log[i].Name, c.ID}
			l.calls[name] = c
			for _, observation := range about[errorAt{name.session, c.Tool, c.Line}] {
				l.remedied[name] = true
				l.link(sources[observation], l.met[name])
			}
		}
	}
	for _, met := range l.met {
		slices.Sort(met)
	}
	return l
}

func (l *labels) link(lessons, problems []string) {
	for _, lesson := range lessons {
		for _, id := range problems {
			lists.AddTo(l.lessons, lesson, id)
		}
	}
}

// errorAt is the result of a call that failed: its session, as the log names it, the tool,
// and the line in its file.
type errorAt struct {
	session, tool string
	line          int
}

// observed lists the failing results of which a scan made observations.
func observed(result scan.Result, yield func(at errorAt, observation string)) {
	for _, c := range result.Candidates {
		if c.ErrorLine != nil && c.Observation != "" {
			yield(errorAt{result.Sessions[c.File], c.Tool, *c.ErrorLine}, c.Observation)
		}
	}
}

// verdictOn says what a stop of this call was worth: right where the recorded call
// failed, wrong where it succeeded.
func verdictOn(c *calls.Call) string {
	switch {
	case c == nil:
	case c.Failure != nil && c.Outcome != calls.Unknown:
		return right
	case c.Outcome == calls.OK:
		return wrong
	}
	return neither
}

// Verdicts on stops.
const (
	right   = "right"
	wrong   = "wrong"
	neither = "neither"
)

// place is how linters, compilers and tests name a line of a file.
var place = automata.Lazily(`[\w.@+/\\-]+\.\w+[:(]\d`)

// filesOf are the files in which the output of a failed call found something.
func (l *labels) filesOf(name callName) []string {
	c := l.calls[name]
	if c == nil || c.Failure == nil {
		return nil
	}
	var files []string
	for _, line := range append(slices.Collect(maps.Values(c.Failure.Rules)), c.Failure.Line) {
		for _, at := range place().FindAllString(line, -1) {
			files = append(files, slashed(at[:strings.LastIndexAny(at, ":(")]))
		}
	}
	return files
}

// startCounts says of a nature that what is told at the session's start leads.
func startCounts(nature problem.Nature) bool {
	return nature == problem.Precondition || nature == problem.Unmended
}

// preventable says of a nature that something may come of its problems.
func preventable(nature problem.Nature) bool {
	return nature != problem.Work && nature != problem.Passing
}
