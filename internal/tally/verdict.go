package tally

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/problem"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Standing is what history makes of a lesson.
type Standing string

const (
	Untried      Standing = "untried"      // history knows no such call: what the lesson carries decides
	Typed        Standing = "typed"        // a person's words: history decides nothing
	Contradicted Standing = "contradicted" // a person's words, and calls worked that they would stop
	Stops        Standing = "stops"
	Waits        Standing = "waits"     // it informs until there is more evidence
	Informs      Standing = "informs"   // problems of its kind stop nothing
	Withdrawn    Standing = "withdrawn" // it informs of failures: a call worked that it would stop
	Shadow       Standing = "shadow"    // it says nothing: several calls worked
)

var states = map[Standing]compile.State{
	Stops: compile.Stops, Waits: compile.Informs, Informs: compile.Informs, Withdrawn: compile.AfterFailure, Shadow: compile.Shadow,
}

// State is what the compiler makes of a standing.
func (s Standing) State() compile.State { return states[s] }

// Verdict is what becomes of a lesson at a call.
type Verdict struct {
	Standing  Standing
	Why       string         // in a line; for one that waits: what is missing
	Nature    problem.Nature // of the problem that its calls met
	Problem   string         // its id
	Unless    []string       // words that part calls that worked from those that failed
	Tally     Tally          // without the calls that Unless leaves out
	Elsewhere int            // sessions of other clones in which a call worked that it matches
}

// Claim is a lesson as far as a person or the agent stands for it.
type Claim struct {
	Lesson  *lesson.Lesson
	Typed   bool // a person wrote or reworded it: history informs and decides nothing
	Vouched bool // a person promoted it, or an agent that was there reported it
}

// withdrawnAfter is how many successes end a stop, shadowAfter how many end a lesson. A
// failure that names what is wrong is believed once more.
const (
	withdrawnAfter      = 1
	namedWithdrawnAfter = 2
	shadowAfter         = 3
)

// Judge says what becomes of lessons, in their order. The log is in the order in which
// the sessions began.
func Judge(claims []Claim, log []calls.Session, problems []*problem.Problem) []Verdict {
	lessons := lists.Map(claims, func(c Claim) *lesson.Lesson { return c.Lesson })
	h := history{
		problems: lists.By(problems, func(p *problem.Problem) string { return p.ID }),
		common:   map[string]*problem.Problem{}, sessions: lists.SetOf(log, func(s calls.Session) string { return s.Name }), lines: map[string]*shell.Line{},
	}
	for _, p := range problems {
		for _, f := range p.Failures {
			h.common[f.Call.ID] = p
		}
	}
	verdicts := make([]Verdict, len(claims))
	for i, t := range Of(lessons, log) {
		verdicts[i] = h.judge(claims[i], t)
	}
	return verdicts
}

// history is what this clone knows.
type history struct {
	problems map[string]*problem.Problem
	common   map[string]*problem.Problem // by the calls that met them
	sessions map[string]bool
	lines    map[string]*shell.Line // taken apart once for all lessons
}

func (h history) judge(c Claim, t Tally) Verdict {
	l := c.Lesson
	p := h.problemOf(l, t)
	v := Verdict{Tally: h.about(t, p), Elsewhere: len(h.unknown(l.Seen.Against)), Nature: problem.Nature(l.Nature)}
	if p != nil {
		v.Nature, v.Problem = p.Nature, p.ID
	}
	if !c.Typed {
		v.Unless, v.Tally = h.narrowed(v.Tally, l)
	}
	ok := len(v.Tally.OK) + v.Elsewhere
	worked := prose.Counted(ok, "call") + " worked that it would have stopped"
	switch {
	case c.Typed && ok > 0:
		v.Standing, v.Why = Contradicted, "history contradicts it: "+prose.Counted(ok, "call")+" succeeded that it matches"
	case c.Typed:
		v.Standing, v.Why = Typed, "a person wrote it"
	case t.Empty() && ok == 0 && v.Nature == "" && !c.Vouched:
		v.Standing, v.Why = Untried, "no call is known that it matches"
	case ok >= shadowAfter:
		v.Standing, v.Why = Shadow, worked
	case v.Tally.before(), ok >= v.limit():
		v.Standing, v.Why = Withdrawn, worked
	case p != nil && p.Nature == problem.Unmended && len(p.Mends) > 0:
		v.Standing, v.Why = Shadow, p.Why
	case c.Vouched:
		v.Standing, v.Why = Stops, "a person or an agent wrote it, and no past call contradicts it"
	default:
		v.Standing, v.Why = v.earned(h.evidence(l, v.Tally, p))
	}
	return v
}

// Against are the sessions of this clone in which a call worked that the lesson matches.
func (v Verdict) Against() []string {
	return lists.SortedUnique(lists.Map(v.Tally.OK, func(m Match) string { return m.Session }))
}

func (v Verdict) limit() int {
	if v.Nature == problem.Named {
		return namedWithdrawnAfter
	}
	return withdrawnAfter
}

// evidence is what speaks for a lesson: this clone's calls, and the sessions of others
// that its file carries, each of which met the mistake and mended it.
type evidence struct {
	met    int // sessions
	worked int // how often the mend did
	in     int // sessions in which the mend did
	checks bool
	shell  bool // which lines the shell refuses depends on the files that are there
}

func (h history) evidence(l *lesson.Lesson, t Tally, p *problem.Problem) evidence {
	elsewhere := len(h.unknown(l.Seen.Hashes))
	e := evidence{met: max(sessions(t.Failed, t.Heeded)+elsewhere, l.Seen.Sessions), worked: elsewhere, in: elsewhere}
	if p == nil {
		e.worked, e.in = max(elsewhere, l.Seen.Sessions), max(elsewhere, l.Seen.Sessions)
		return e
	}
	e.checks, e.shell = reportsFindings[p.Program] && !p.Surroundings(), p.Class == "shell-syntax"
	if best, mended := p.Best(); mended {
		e.worked, e.in = e.worked+best.Worked, e.in+len(best.Sessions)
	}
	return e
}

// unknown are those of some sessions that this clone's log does not have.
func (h history) unknown(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return h.sessions[name] })
}

// earned is what the nature of its problem lets a lesson do that nobody stands for.
func (v Verdict) earned(e evidence) (Standing, string) {
	switch v.Nature {
	case "":
		return Informs, "no failure is known that it would have stopped"
	case problem.Named:
		return Stops, "the failure names what is wrong"
	case problem.Shape:
		if e.met >= 2 && e.worked >= 2 {
			return Stops, fmt.Sprintf("it failed in %s, and the mend worked %s", prose.Counted(e.met, "session"), prose.Counted(e.worked, "time"))
		}
		return Waits, fmt.Sprintf("it stops when two sessions met it and the mend worked twice (now %d and %d)", e.met, e.worked)
	case problem.OtherWay:
		switch {
		case e.checks:
			return Informs, "the program reports findings, and to ask another one is no mend"
		case e.worked >= 3 && e.in >= 2:
			return Stops, fmt.Sprintf("another way worked %s in %s", prose.Counted(e.worked, "time"), prose.Counted(e.in, "session"))
		}
		return Waits, fmt.Sprintf("it stops when another way worked three times in two sessions (now %d in %d)", e.worked, e.in)
	case problem.Precondition:
		switch {
		case e.shell:
			return Informs, "the shell refuses such a line by the files that are there"
		case e.met >= 3:
			return Stops, fmt.Sprintf("it failed in %s and never worked", prose.Counted(e.met, "session"))
		}
		return Waits, fmt.Sprintf("it stops when three sessions met it (now %d)", e.met)
	}
	return Informs, "a problem of this kind is told and stops nothing: " + string(v.Nature)
}

// reportsFindings are programs whose failures are about the sources: another program that
// says nothing is no better way.
var reportsFindings = lists.Words(`eslint golangci-lint ruff mypy tsc biome prettier pylint flake8 shellcheck rubocop clippy diff grep rg test [ pytest jest vitest
	go cargo make gcc clang javac mvn gradle actionlint`)

// problemOf is the problem that a lesson is about: the one that its fix mends, else one
// that is mended, else the one that most of the failures met.
func (h history) problemOf(l *lesson.Lesson, t Tally) *problem.Problem {
	count := map[*problem.Problem]int{}
	for _, m := range t.Failed {
		if p := h.met(m.Call); p != nil {
			count[p]++
		}
	}
	fix := l.Fix()
	rank := func(p *problem.Problem) int {
		switch _, mended := p.Best(); {
		case slices.ContainsFunc(p.Mends, func(m problem.Mend) bool { return m.Fix == fix }):
			return 2
		case mended:
			return 1
		}
		return 0
	}
	var best *problem.Problem
	for p, n := range count {
		if best == nil || cmp.Or(cmp.Compare(rank(p), rank(best)), cmp.Compare(n, count[best]), cmp.Compare(best.ID, p.ID)) > 0 {
			best = p
		}
	}
	return best
}

// met is the problem that a failed call met: its own, or the one with others of its cause.
func (h history) met(c *calls.Call) *problem.Problem {
	if c.Failure == nil {
		return nil
	}
	return cmp.Or(h.problems[c.Failure.Problem], h.common[c.ID])
}

// about parts the failures with a problem from those with another one.
func (h history) about(t Tally, p *problem.Problem) Tally {
	all := t.Failed
	t.Failed = nil
	for _, m := range all {
		if p != nil && h.met(m.Call) == p {
			t.Failed = append(t.Failed, m)
		} else {
			t.Otherwise = append(t.Otherwise, m)
		}
	}
	return t
}

// before says whether a call worked before the first one failed: then the trigger says
// too little of what was wrong.
func (t Tally) before() bool {
	if len(t.OK) == 0 || len(t.Failed) == 0 {
		return false
	}
	first, ok := t.Failed[0].Call, t.OK[0].Call
	return ok.At < first.At || ok.At == first.At && ok.Line < first.Line
}

// sessions counts the sessions of calls.
func sessions(of ...[]Match) int {
	return len(lists.SetOf(slices.Concat(of...), func(m Match) string { return m.Session }))
}
