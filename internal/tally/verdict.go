package tally

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

// Verdict is what becomes of a lesson at a call.
type Verdict struct {
	State   compile.State
	Nature  problem.Nature // of the problem that its calls met
	Problem string         // its id
	Unless  []string       // words that part the calls that worked from those that failed
	Tally   Tally          // without the calls that Unless leaves out
	Why     string         // in a line; for one that waits: what is missing
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

// Judge says what becomes of lessons, in their order.
func Judge(claims []Claim, log []calls.Session, problems []*problem.Problem) []Verdict {
	lessons := make([]*lesson.Lesson, len(claims))
	for i, c := range claims {
		lessons[i] = c.Lesson
	}
	known := map[string]*problem.Problem{}
	for _, p := range problems {
		known[p.ID] = p
	}
	verdicts := make([]Verdict, len(claims))
	for i, t := range Of(lessons, log) {
		verdicts[i] = claims[i].verdict(t, known)
	}
	return verdicts
}

func (c Claim) verdict(t Tally, known map[string]*problem.Problem) Verdict {
	v := Verdict{Tally: t}
	p := t.problem(known)
	if p != nil {
		v.Nature, v.Problem = p.Nature, p.ID
	}
	if t.Empty() {
		return v
	}
	if !c.Typed && len(t.OK) > 0 {
		v.Unless, v.Tally = t.narrowed(c.Lesson)
	}
	switch ok := len(v.Tally.OK); {
	case c.Typed && ok > 0:
		v.State, v.Why = compile.Untried, fmt.Sprintf("%s worked that it matches", plural(ok, "call"))
	case c.Typed:
		v.State, v.Why = compile.Untried, "a person wrote it"
	case ok >= shadowAfter:
		v.State, v.Why = compile.Shadow, fmt.Sprintf("%s worked that it matches", plural(ok, "call"))
	case v.Tally.before(), ok >= v.limit():
		v.State, v.Why = compile.Informs, fmt.Sprintf("%s worked that it would have stopped", plural(ok, "call"))
	case c.Vouched:
		v.State, v.Why = compile.Stops, "somebody stands for it, and no call contradicts it"
	default:
		v.State, v.Why = v.earned(p, c.Lesson.Seen.Sessions)
	}
	return v
}

func (v Verdict) limit() int {
	if v.Nature == problem.Named {
		return namedWithdrawnAfter
	}
	return withdrawnAfter
}

// earned is what the nature of its problem lets a lesson do that nobody stands for. seen
// is in how many sessions its file says that it was met and mended: those of other clones too.
func (v Verdict) earned(p *problem.Problem, seen int) (compile.State, string) {
	if p == nil {
		return compile.Informs, "no failure is known that it would have stopped"
	}
	met := max(sessions(v.Tally.Failed), seen)
	best, mended := p.Best()
	worked := max(best.Worked, seen)
	switch p.Nature {
	case problem.Named:
		return compile.Stops, "the failure names what is wrong"
	case problem.Shape:
		if met >= 2 && mended && worked >= 2 {
			return compile.Stops, fmt.Sprintf("it failed in %s, and the mend worked %s", plural(met, "session"), plural(worked, "time"))
		}
		return compile.Informs, fmt.Sprintf("it stops when two sessions met it and the mend worked twice (now %d and %d)", met, worked)
	case problem.OtherWay:
		if mended && best.Worked >= 3 && len(best.Sessions) >= 2 && !reportsFindings[p.Program] {
			return compile.Stops, fmt.Sprintf("another way worked %s in %s", plural(best.Worked, "time"), plural(len(best.Sessions), "session"))
		}
		return compile.Informs, fmt.Sprintf("it stops when another way worked three times in two sessions (now %d in %d)", best.Worked, len(best.Sessions))
	case problem.Precondition:
		if met >= 3 {
			return compile.Stops, fmt.Sprintf("it failed in %s and never worked", plural(met, "session"))
		}
		return compile.Informs, fmt.Sprintf("it stops when three sessions met it (now %d)", met)
	}
	return compile.Informs, "a problem of this kind is told and stops nothing: " + string(p.Nature)
}

// reportsFindings are programs whose failures are about the sources: another program that
// says nothing is no better way.
var reportsFindings = map[string]bool{
	"eslint": true, "golangci-lint": true, "ruff": true, "mypy": true, "tsc": true, "biome": true, "prettier": true, "pylint": true, "flake8": true,
	"shellcheck": true, "rubocop": true, "clippy": true, "diff": true, "grep": true, "rg": true, "test": true, "[": true, "pytest": true, "jest": true,
	"vitest": true, "go": true, "cargo": true, "make": true, "gcc": true, "clang": true, "javac": true, "mvn": true, "gradle": true, "actionlint": true,
}

// problem is the one that most of the failures met.
func (t Tally) problem(known map[string]*problem.Problem) *problem.Problem {
	count := map[string]int{}
	for _, m := range t.Failed {
		if f := m.Call.Failure; f != nil {
			count[f.Problem]++
		}
	}
	best := ""
	for id, n := range count {
		if cmp.Or(cmp.Compare(n, count[best]), cmp.Compare(best, id)) > 0 {
			best = id
		}
	}
	return known[best]
}

// before says whether a call worked before the first one failed: then the trigger says
// too little of what was wrong.
func (t Tally) before() bool {
	if len(t.OK) == 0 {
		return false
	}
	if len(t.Failed) == 0 {
		return true
	}
	first, ok := t.Failed[0], t.OK[0]
	return ok.Call.At < first.Call.At || ok.Call.At == first.Call.At && ok.Call.Line < first.Call.Line
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// narrowed finds words that all calls that worked have and none that failed, so that
// the trigger can leave them out. Each word must part at least one call, and few words
// must do: many would be chance.
func (t Tally) narrowed(l *lesson.Lesson) ([]string, Tally) {
	if len(t.Failed) == 0 || len(l.Triggers.Commands) == 0 {
		return nil, t
	}
	taken := map[string]bool{}
	for _, m := range t.Failed {
		for _, w := range words(m.Call.Input, l) {
			taken[w] = true
		}
	}
	rest := slices.Clone(t.OK)
	var unless []string
	for len(rest) > 0 && len(unless) < maxUnless {
		count := map[string]int{}
		for _, m := range rest {
			for _, w := range words(m.Call.Input, l) {
				if !taken[w] {
					count[w]++
				}
			}
		}
		best := ""
		for w, n := range count {
			if cmp.Or(cmp.Compare(n, count[best]), cmp.Compare(best, w)) > 0 {
				best = w
			}
		}
		if best == "" {
			return nil, t
		}
		unless = append(unless, best)
		rest = slices.DeleteFunc(rest, func(m Match) bool { return slices.Contains(words(m.Call.Input, l), best) })
	}
	if len(rest) > 0 {
		return nil, t
	}
	slices.Sort(unless)
	t.OK = nil
	return unless, t
}
