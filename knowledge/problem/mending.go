package problem

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// mending is a call that mended another: once, or once for each rule that was broken.
type mending struct {
	call int
	how  []calls.Mend
}

// of is how a rule's failure was mended. The words of another rule's mend say nothing of
// it, but what ran or was set before the call is for all of them.
func (m mending) of(rule string) calls.Mend {
	i := slices.IndexFunc(m.how, func(how calls.Mend) bool { return how.Rule == rule })
	if i >= 0 {
		return m.how[i]
	}
	how := m.how[0]
	if !prepares(how.How) {
		how.Fix = ""
	}
	return how
}

// prepares says whether a mend comes before the call that failed, which works then as it was.
func prepares(how calls.How) bool { return how == calls.ByRun || how == calls.BySetting }

// mendsOf are the mends of a session's failed calls, by their ids. What was taken for
// another way to do it, and was followed by the call as it was, had to run first.
func (g *gatherer) mendsOf(at int, s *calls.Session) map[string]mending {
	mends := map[string]mending{}
	for j := range s.Calls {
		for _, m := range s.Calls[j].Mends {
			if first, taken := mends[m.Call]; !taken || first.call == j {
				mends[m.Call] = mending{j, append(first.how, m)}
			}
		}
	}
	for j := range s.Calls {
		failed := &s.Calls[j]
		m, ok := mends[failed.ID]
		if !ok || !replaces(m.how[0].How) || g.again(s, at, j) <= m.call && !ranAgain(s, j, m.call) {
			continue
		}
		if first := bare(s.Calls[m.call].Input); otherTask(failed, &s.Calls[m.call]) && !untold().MatchString(first) && len(first) <= longestFirst {
			mends[failed.ID] = mending{m.call, []calls.Mend{{Call: failed.ID, How: calls.ByRun, Fix: runFirst(first)}}}
		}
	}
	return mends
}

// untold are command lines that nobody needs to run first: they ask for help, or are a script
// of the occasion.
var untold = automata.Lazily("[`\n]| --help\\b| -(?: |$)| -[ce] ")

// longestFirst is the longest command that is told to run first, in bytes.
const longestFirst = 100

// otherTask says whether two command lines ask for different things: other programs, or other
// commands of one program.
func otherTask(a, b *calls.Call) bool {
	if a.Tool != "Bash" || b.Tool != "Bash" {
		return false
	}
	ran := func(c *calls.Call) []string {
		var names []string
		for _, one := range shell.Parse(c.Input).Commands {
			name := one.Program
			if words := slices.Concat(one.Sub, one.Operands); len(words) > 0 && plainWord().MatchString(words[0]) {
				name += " " + words[0]
			}
			names = append(names, name)
		}
		return names
	}
	before := ran(a)
	return !slices.ContainsFunc(ran(b), func(name string) bool { return slices.Contains(before, name) })
}

// plainWord is a word that may be a command of a program's, and no file.
var plainWord = automata.Lazily(`^[a-z][\w-]*$`)

// Is says whether a failure is one of the problem's.
func (p *Problem) Is(f *calls.Failure) bool {
	return p.ID == f.Problem || p.surrounded && slices.ContainsFunc(p.Failures, func(o Failure) bool { return causeOf(o.Call.Failure) == causeOf(f) })
}
