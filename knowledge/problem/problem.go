// Package problem says what goes wrong in a repository: which calls fail for one cause,
// over all sessions, what mended them, and what may be made of that. Problems are derived
// of the call log when they are read and are never stored, so every order and every split
// of scans gives the same.
package problem

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
)

// Problem is a set of failing calls with one cause.
type Problem struct {
	ID      string
	Tool    string
	Program string // of a command line
	Target  string // sub-command, script, skill, path: what the program or tool was asked for
	Class   string
	What    string // the line of the output that says what is wrong, as the last failure had it
	Rule    string // of a linter or compiler
	Nature  Nature
	Why     string // this nature, in a line

	Failures []Failure // in the order of the log
	Mends    []Mend    // the best first
	Sessions []string  // that met it, in the order in which they began
	Passed   int       // failures whose call worked later as it was, with nothing done for it
	Lost     int64     // milliseconds from failures to their mends, or to the next try where none is known
	Tokens   int       // that went through calls meanwhile, about

	Commands   []Command // that met it, who met it last at the end
	known      bool      // calls worked with the word that its failures turn down
	surrounded bool      // it is about what commands need here, and not about the sources or the one call
	Unprepared int       // calls that worked although what has to run first had not run in their session
	Needless   []string  // commands of the programs that work without what has to run or be set first
}

// Command is a program with what it was asked to run.
type Command struct{ Program, Target string }

// Failure is one call that met the problem.
type Failure struct {
	Session string
	Call    *calls.Call
	Mended  bool
}

// Mend is one way in which the problem was mended.
type Mend struct {
	How      calls.How
	Fix      string // in words, as the last time
	Named    bool   // the failure names what the mend changed
	Worked   int
	Sessions []string
	fixes    []string // in words, of a rule's every edit
	Refuted  int      // calls as those that it replaced, which worked later as they were
}

// First is the command that had to run first, of such a mend; else "".
func (m Mend) First() string {
	rest, ok := strings.CutPrefix(m.Fix, "Run `")
	command, end, _ := strings.Cut(rest, "`")
	if !ok || m.How != calls.ByRun || end != " first" {
		return ""
	}
	return command
}

// Holds says whether the mend is believed: it worked more often than it was refuted.
func (m Mend) Holds() bool { return m.Worked > m.Refuted }

// Best is the mend that is believed most; ok is false when none is.
func (p *Problem) Best() (m Mend, ok bool) {
	if len(p.Mends) == 0 || !p.Mends[0].Holds() {
		return Mend{}, false
	}
	return p.Mends[0], true
}

// Gather finds the problems of a call log, the dearest first. Sessions stand in the order
// in which they began.
func Gather(log []calls.Session) []*Problem {
	g := &gatherer{byID: map[string]*Problem{}, worked: workedLater(log)}
	mends := make([]map[string]mending, len(log))
	for i := range log {
		mends[i] = g.mendsOf(i, &log[i])
	}
	g.causes = g.commonCauses(log, mends)
	for i := range log {
		g.session(i, &log[i], mends[i])
	}
	all := make([]*Problem, 0, len(g.byID))
	for _, p := range g.byID {
		p.rank()
		g.unprepared(p, log)
		p.Nature, p.Why = p.nature()
		p.needless(log)
		p.known = p.Revision() != "" && g.revisionWorked(p.Revision())
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *Problem) int {
		return cmp.Or(cmp.Compare(len(b.Sessions), len(a.Sessions)), cmp.Compare(b.Lost, a.Lost), cmp.Compare(len(b.Failures), len(a.Failures)), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// rank puts the mends in order.
func (p *Problem) rank() {
	slices.SortStableFunc(p.Mends, func(a, b Mend) int {
		return cmp.Or(
			ordered.CompareBool(b.Holds(), a.Holds()), cmp.Compare(len(b.Sessions), len(a.Sessions)),
			cmp.Compare(b.Worked-b.Refuted, a.Worked-a.Refuted), cmp.Compare(a.Fix, b.Fix),
		)
	})
}

// Name is what a person would call the problem.
func (p *Problem) Name() string {
	who := cmp.Or(p.who(), strings.TrimSpace(p.Tool+" "+p.Target))
	if p.Rule != "" {
		return p.Rule + ", found by " + who
	}
	if p.What == "" {
		return who
	}
	if name := misread(p.What).name; p.Class == "shell-syntax" && name != "" {
		return name + ": " + p.What
	}
	return who + ": " + p.says()
}

// who is the command that failed, or the programs where several commands met the problem;
// "" for another tool.
func (p *Problem) who() string {
	if len(p.Commands) == 1 || p.Rule != "" {
		return strings.TrimSpace(p.Program + " " + p.Target)
	}
	programs := lists.Map(p.Commands, func(c Command) string { return c.Program })
	return strings.Join(lists.With(nil, programs...), ", ")
}

// says is the line that says what is wrong, without the program's name before it.
func (p *Problem) says() string {
	if p.Program == "" {
		return p.What
	}
	return strings.TrimPrefix(p.What, p.Program+": ")
}

// Minutes is the time that it cost.
func (p *Problem) Minutes() float64 { return float64(p.Lost/6000) / 10 }

// Told is the problem as it is told where its program is known.
func (p *Problem) Told() string {
	if p.Rule != "" {
		return p.Rule + ": " + p.What
	}
	if p.Class == "missing-path" && p.Program == "" {
		return p.Target + " is not there"
	}
	if who := cmp.Or(p.who(), p.Target); who != "" {
		return who + ": " + p.says()
	}
	return p.What
}

// Short is the problem in few words, for who was told of it before.
func (p *Problem) Short() string {
	if p.Rule != "" {
		return p.Rule
	}
	return p.Told()
}
