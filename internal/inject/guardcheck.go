package inject

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// Facts is the evidence that gates are held against.
type Facts interface {
	// Traces lists what the session did, oldest first.
	Traces() []Trace
	// Began is when the session began; zero: unknown.
	Began() time.Time
	// Newest is when the newest file of a repository-relative glob changed, zero
	// when there is none.
	Newest(glob string) (time.Time, error)
	// Lines counts the lines of a file of the repository, up to one more than
	// limit. A file that is not there, or not in the repository, has none.
	Lines(path string, limit int) (int, error)
	// Exists says whether a file of the repository is there.
	Exists(path string) bool
}

// Subject is what a guard judges.
type Subject struct {
	At    Moment
	Sub   bool     // by a sub-agent
	Paths []string // files of the call that the guard is about: repository-relative, or absolute outside
	Part  int      // number of lines that the call reads at most; 0: all
}

// Finding is a guard's judgement.
type Finding struct {
	Missing  []string // what does not hold, each a sentence for the agent
	Redirect string   // where the one file of the call goes instead; empty: nowhere
	Unsure   error    // that it could not be told
}

// maxLines bounds what is counted of a file.
const maxLines = 1_000_000

var (
	errUnclear = errors.New("the agent does not say whether the command passed")
	errNoStart = errors.New("the start of the session is not known")
)

// Check holds a guard's gates against the evidence. The session tells which
// commands are meant and, when a sub-agent stops, whose count.
func (g Guard) Check(s *Session, subject Subject, facts Facts) (f Finding) {
	miss := func(format string, args ...any) { f.Missing = append(f.Missing, fmt.Sprintf(format, args...)) }
	if g.MainAgent && !subject.Sub {
		miss("the main agent leaves this to a sub-agent")
	}
	if len(g.Passed)+len(g.Ran)+len(g.Read) > 0 {
		traces := s.own(subject, facts.Traces())
		if len(g.Passed) > 0 {
			g.checkPassed(s, subject, traces, &f)
		}
		if len(g.Ran) > 0 && !s.hasRun(traces, g.Ran) {
			miss("%s has not run", alternatives(g.Ran))
		}
		for _, glob := range g.Read {
			g.checkRead(glob, subject, traces, facts, miss)
		}
	}
	for _, glob := range g.Artifact {
		newest, err := facts.Newest(glob)
		switch began := facts.Began(); {
		case err != nil:
			f.Unsure = err
		case newest.IsZero():
			miss("there is no file %s", glob)
		case began.IsZero():
			f.Unsure = errNoStart
		case !newest.After(began):
			miss("no file %s is from this session", glob)
		}
	}
	for _, name := range subject.Paths {
		if g.Lines == 0 || subject.Part > 0 && subject.Part <= g.Lines {
			break
		}
		n, err := facts.Lines(name, g.Lines)
		if err != nil {
			f.Unsure = err
		} else if n > g.Lines {
			miss("%s has more than %d lines", name, g.Lines)
		}
	}
	if to := g.redirected(subject); to != "" {
		f.Redirect = to
	}
	return f
}

// own leaves the traces that count: when a sub-agent stops, its own.
func (s *Session) own(subject Subject, traces []Trace) []Trace {
	if subject.At != AtSubagentStop || s.agent == mainAgent {
		return traces
	}
	return slices.DeleteFunc(slices.Clone(traces), func(t Trace) bool { return t.Sub != s.agent[:8] })
}

// checkPassed: one of the commands passed behind the last edit. Edits of the
// files that the guard is about do not count, else marking two things as tested
// would take two runs.
func (g Guard) checkPassed(s *Session, subject Subject, traces []Trace, f *Finding) {
	is := s.anyOf(g.Passed)
	stale, failed, masked, unclear := false, false, false, false
	for _, t := range slices.Backward(traces) {
		edited := func(p string) bool { return !slices.Contains(subject.Paths, p) }
		if t.Act == ActWrite && t.Outcome != Failed && (len(t.Paths) == 0 || slices.ContainsFunc(t.Paths, edited)) {
			stale = slices.ContainsFunc(traces, func(t Trace) bool { return t.Outcome == OK && slices.ContainsFunc(t.Runs, is) })
			break
		}
		for _, r := range t.Runs {
			switch {
			case !is(r):
			case t.Outcome == Unclear:
				unclear = true
			case r.Masked:
				masked = true
			case t.Outcome == OK:
				return
			default:
				failed = true
			}
		}
	}
	what := alternatives(g.Passed)
	switch {
	case unclear && !failed:
		f.Unsure = errUnclear
	case failed:
		f.Missing = append(f.Missing, what+" failed")
	case masked:
		f.Missing = append(f.Missing, what+" ran in a line that hides whether it passed: run it by itself, without a pipe, \";\" or \"||\" behind it")
	case stale:
		f.Missing = append(f.Missing, what+" has not run since the last edit")
	default:
		f.Missing = append(f.Missing, what+" has not passed in this session")
	}
}

func (g Guard) checkRead(glob string, subject Subject, traces []Trace, facts Facts, miss func(string, ...any)) {
	seen := func(is func(string) bool) bool {
		return slices.ContainsFunc(traces, func(t Trace) bool {
			return t.Outcome != Failed && (t.Act == ActRead || t.Act == ActRun || t.Act == ActWrite) && slices.ContainsFunc(t.Paths, is)
		})
	}
	if glob != ThisFile {
		if !seen(func(p string) bool { return Glob(glob, p) }) {
			miss("%s has not been read", glob)
		}
		return
	}
	for _, name := range subject.Paths {
		if inRepository(name) && facts.Exists(name) && !seen(func(p string) bool { return p == name }) {
			miss("%s has not been read", name)
		}
	}
}

// redirected is where the call's file goes; empty when it is there already.
func (g Guard) redirected(subject Subject) string {
	if g.Redirect == "" {
		return ""
	}
	for _, name := range subject.Paths {
		if clean := path.Clean(name); clean != g.Redirect && !strings.HasPrefix(clean, g.Redirect+"/") {
			return path.Join(g.Redirect, path.Base(clean))
		}
	}
	return ""
}

// anyOf says of a run whether it is one of the commands.
func (s *Session) anyOf(gates []string) func(Run) bool {
	return func(r Run) bool {
		return slices.ContainsFunc(gates, func(gate string) bool {
			want, ok := wanted(gate)
			return ok && s.ran(r, want)
		})
	}
}

func alternatives(gates []string) string { return "`" + strings.Join(gates, "` or `") + "`" }
