package problem

import (
	"maps"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
)

const (
	// maxLost is the longest time that one failure is said to have cost: who comes
	// back after lunch did not lose it to a flag. In milliseconds.
	maxLost = 30 * 60 * 1000
	// maxFixes is how many edits of one rule are compared.
	maxFixes = 64
	// bytesPerToken is what a token takes, about.
	bytesPerToken = 4
)

// ask is what a call asked for; two calls with one ask are the same call.
type ask struct{ tool, input, dir string }

func askOf(c *calls.Call) ask { return ask{c.Tool, c.Input, c.Dir} }

// moment is a place in the log: the session's position and the call's.
type moment struct{ session, call int }

func (m moment) after(o moment) bool {
	return m.session > o.session || m.session == o.session && m.call > o.call
}

// workedLater tells for each ask when it worked, in the order of the log.
func workedLater(log []calls.Session) map[ask][]moment {
	worked := map[ask][]moment{}
	for i := range log {
		for j := range log[i].Calls {
			if c := &log[i].Calls[j]; c.Outcome == calls.OK && c.Input != "" {
				worked[askOf(c)] = append(worked[askOf(c)], moment{i, j})
			}
		}
	}
	return worked
}

// gatherer fills problems session by session.
type gatherer struct {
	byID   map[string]*Problem
	worked map[ask][]moment
	causes *causes // that are problems of their own
}

// session takes one session's failures and what mended them.
func (g *gatherer) session(at int, s *calls.Session, mends map[string]mending) {
	for j := range s.Calls {
		c := &s.Calls[j]
		if c.Failure == nil || c.Outcome == calls.Unknown {
			continue
		}
		for _, p := range g.problems(c) {
			p.meet(s.Name, c)
			mended, ok := mends[c.ID]
			if ok {
				p.mend(g, s, moment{at, j}, mended.call, mended.of(p.Rule))
			} else if again := g.again(s, at, j); again >= 0 {
				p.Passed++
				p.cost(s, j, again)
			} else if next := nextTry(s, j); next >= 0 {
				p.cost(s, j, next)
			}
			p.Failures[len(p.Failures)-1].Mended = ok
		}
	}
}

// unprepared counts the calls that worked without what is said to have to run first.
func (g *gatherer) unprepared(p *Problem, log []calls.Session) {
	best, _ := p.Best()
	first := best.First()
	if first == "" {
		return
	}
	seen := map[ask]bool{}
	for _, f := range p.Failures {
		a := askOf(f.Call)
		if seen[a] {
			continue
		}
		seen[a] = true
		for _, w := range g.worked[a] {
			before := log[w.session].Calls[:w.call]
			if !slices.ContainsFunc(before, func(c calls.Call) bool { return strings.Contains(c.Input, first) }) {
				p.Unprepared++
			}
		}
	}
}

// problems are those that a failed call met: one, or one for each rule that was broken.
func (g *gatherer) problems(c *calls.Call) []*Problem {
	f := c.Failure
	id, common := g.causes.mended[c]
	if len(f.Rules) == 0 && !common {
		id, common = g.causes.of(c)
	}
	switch {
	case common:
		p := g.problem(id, c, "")
		p.surrounded = true
		return []*Problem{p}
	case len(f.Rules) == 0:
		return []*Problem{g.problem(f.Problem, c, "")}
	}
	var all []*Problem
	for _, rule := range slices.Sorted(maps.Keys(f.Rules)) {
		p := g.problem(fingerprint.Problem(fingerprint.Failure{}, rule), c, rule)
		p.What = withoutRule(statement(f.Rules[rule]), rule)
		all = append(all, p)
	}
	return all
}

func (g *gatherer) problem(id string, c *calls.Call, rule string) *Problem {
	p := g.byID[id]
	if p == nil {
		p = &Problem{ID: id}
		g.byID[id] = p
	}
	p.Tool, p.Program, p.Target, p.Class, p.What, p.Rule = c.Tool, c.Failure.Program, c.Failure.Target, c.Failure.Class, c.Failure.Line, rule
	if one := (Command{p.Program, p.Target}); p.Program != "" {
		p.Commands = append(slices.DeleteFunc(p.Commands, func(o Command) bool { return o == one }), one)
	}
	return p
}

// meet notes a failure.
func (p *Problem) meet(session string, c *calls.Call) {
	p.Failures = append(p.Failures, Failure{Session: session, Call: c})
	if n := len(p.Sessions); n == 0 || p.Sessions[n-1] != session {
		p.Sessions = append(p.Sessions, session)
	}
}

// mend notes what mended a failure. The call that was replaced refutes it by working
// later as it was.
func (p *Problem) mend(g *gatherer, s *calls.Session, failed moment, by int, how calls.Mend) {
	p.cost(s, failed.call, by)
	if good := s.Calls[by]; how.How == calls.ByTarget && good.Input != "" {
		how.Fix = good.Tool + " of " + good.Input // as seen from the root
	}
	i := slices.IndexFunc(p.Mends, func(o Mend) bool { return o.How == how.How && (o.Fix == how.Fix || !tellsFix(how.How)) })
	if i < 0 {
		p.Mends = append(p.Mends, Mend{How: how.How})
		i = len(p.Mends) - 1
	}
	one := &p.Mends[i]
	if one.Fix == "" || !vague().MatchString(how.Fix) {
		one.Fix = how.Fix
	}
	if p.Rule != "" && how.How == calls.ByEdit && len(one.fixes) < maxFixes {
		one.fixes = append(one.fixes, how.Fix)
	}
	one.Named = one.Named || how.Named
	one.Worked++
	if n := len(one.Sessions); n == 0 || one.Sessions[n-1] != s.Name {
		one.Sessions = append(one.Sessions, s.Name)
	}
	if replaces(how.How) {
		after := moment{failed.session, by}
		if slices.ContainsFunc(g.worked[askOf(&s.Calls[failed.call])], func(w moment) bool { return w.after(after) }) {
			one.Refuted++
		}
	}
}

// tellsFix says whether the words of a mend tell it from others of its kind. Edits differ
// in every session.
func tellsFix(how calls.How) bool {
	return how == calls.ByArguments || how == calls.ByOther || how == calls.ByRun || how == calls.BySetting
}

// replaces says whether a mend is made in place of the call that failed, and not for it.
func replaces(how calls.How) bool { return how == calls.ByArguments || how == calls.ByOther }

// again is the call of the session by which a failed one worked as it was; below 0: none did.
func (g *gatherer) again(s *calls.Session, at, failed int) int {
	for _, w := range g.worked[askOf(&s.Calls[failed])] {
		if w.session == at && w.call > failed {
			return w.call
		}
	}
	return -1
}

// nextTry is the next call of the session that met the same problem; below 0: none did.
func nextTry(s *calls.Session, failed int) int {
	for j := failed + 1; j < len(s.Calls); j++ {
		if f := s.Calls[j].Failure; f != nil && f.Problem == s.Calls[failed].Failure.Problem {
			return j
		}
	}
	return -1
}

// cost adds what lay between a failure and the call that ended it.
func (p *Problem) cost(s *calls.Session, failed, until int) {
	from, to := s.Calls[failed].At, s.Calls[until].At
	if from != 0 && to > from {
		p.Lost += min(to-from+s.Calls[failed].Took, maxLost)
	}
	if until < failed {
		return // the session's clock was set back
	}
	for _, c := range s.Calls[failed:min(until, failed+24)] {
		p.Tokens += (c.Bytes + len(c.Input)) / bytesPerToken
	}
}

// statement is what a line of findings says, without where it was found.
func statement(line string) string {
	if m := finding().FindStringIndex(line); m != nil {
		return line[m[1]:]
	}
	return line
}

// withoutRule is what a line says of a rule, without the rule's name before it and how bad
// it is.
func withoutRule(line, rule string) string {
	line = line[len(gravity().FindString(line)):]
	rest, named := strings.CutPrefix(line, rule)
	if !named {
		return line
	}
	return strings.TrimLeft(rest[len(gravity().FindString(rest)):], ":| ")
}

// gravity is how bad linters say a finding is.
var gravity = automata.Lazily(`^(?:[CWEFR]: |(?:error|warning|info)(?:: +| +)| ?\((?:error|warning|info|style)\): |/[\w-]+ )`)

// finding is the place with which linters and compilers begin a line, and the label of
// the runner before it.
var finding = automata.Lazily(`^(?:\[[^\]]+\] )?\S+\.\w+[:(]\d+(?:[:,]\d+)?\)?:? +|^L: +\d+ \| P: +\d+ \| `)
