// Package pattern finds in the log of tool calls what goes with success: claims that can
// be wrong, each tested against the sessions that did otherwise.
package pattern

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// Kind is what a claim says.
type Kind string

const (
	BestPractice Kind = "best_practice" // it works more often after something else worked
	Recovery     Kind = "recovery"      // after a failure it works again once something else worked
	Sequence     Kind = "sequence"      // two things in one order, not in the other
	Efficiency   Kind = "efficiency"    // from a failure it takes fewer calls by one way than by others
)

// step is one command of a session. A line that runs several is several if it worked;
// which of them failed nobody knows, so that only a line of one command is an attempt.
type step struct {
	name  string
	ok    bool
	alone bool
	edit  bool
	work  bool // it failed, and an edit mended it: what was run before it is not to blame
}

// looks are programs that only look around or prepare nothing: they explain no outcome.
var looks = strings.Fields(`cd ls cat head tail grep egrep rg find sed awk wc sort uniq cut tr echo printf pwd which type command test [ true false sleep export tree
	stat file less more diff jq xargs tee date env set source . ps kill pkill mkdir touch chmod for if while`)

// stepsOf are the steps of a session's main thread: what its sub-agents did beside it has
// an order of its own.
func stepsOf(s calls.Session) []step {
	var steps []step
	edited := mendedByEdit(s)
	for _, c := range s.Calls {
		told := c.Outcome == calls.OK || c.Outcome == calls.Failed
		switch {
		case c.Agent != "" || !told:
		case c.Tool == "Edit" || c.Tool == "Write" || c.Tool == "NotebookEdit":
			steps = append(steps, step{edit: true})
		case c.Tool == "Bash" || c.Tool == "PowerShell":
			names := commands(c.Input)
			for _, name := range names {
				if c.Outcome == calls.OK || len(names) == 1 {
					steps = append(steps, step{name: name, ok: c.Outcome == calls.OK, alone: len(names) == 1, work: edited[c.ID]})
				}
			}
		}
	}
	return steps
}

// mendedByEdit are the calls of a session that failed of what stood in a file: a later call
// worked after an edit.
func mendedByEdit(s calls.Session) map[string]bool {
	mended := map[string]bool{}
	for _, c := range s.Calls {
		for _, m := range c.Mends {
			if m.How == calls.ByEdit {
				mended[m.Call] = true
			}
		}
	}
	return mended
}

// commands are the names of what a command line runs, without what only looks.
func commands(line string) []string {
	var names []string
	parsed := shell.Parse(line)
	for i, c := range parsed.Commands {
		fed := i > 0 && parsed.Commands[i-1].In(shell.Piped)
		name := c.Name()
		if !fed && c.Program != "" && !slices.Contains(looks, c.Program) && len(name) <= 60 && !strings.ContainsAny(name, "\n`$*?") {
			names = append(names, name)
		}
	}
	return slices.Compact(names)
}

// claim is what a trial speaks of.
type claim struct {
	kind  Kind
	first string // of a sequence, what comes before by
	by    string
	goal  string
}

// trial is one time that a goal was tried.
type trial struct {
	session int
	with    bool
	ok      bool
	cost    float64 // of an efficiency: calls from the failure to the success
}

// maxBefore is how many steps before a goal may explain how it ended.
const maxBefore = 12

// attempt is a goal with what was done since the last edit or the last attempt at it.
type attempt struct {
	session int
	goal    string
	ok      bool
	again   bool // the attempt before it, with no edit between, failed
	before  []step
}

// attempts are the attempts at everything that a session tried, without those that failed of
// what stood in a file.
func attempts(session int, steps []step) []attempt {
	var all []attempt
	last := map[string]int{}
	edited := -1
	for i, s := range steps {
		if s.edit {
			edited = i
		}
		if !s.alone {
			continue
		}
		at, tried := last[s.name]
		from := max(edited+1, i-maxBefore)
		again := tried && at > edited && !steps[at].ok
		if tried {
			from = max(from, at+1)
		}
		if !s.work {
			all = append(all, attempt{session, s.name, s.ok, again, steps[from:i]})
		}
		last[s.name] = i
	}
	return all
}

// worked are the different commands among steps that worked, in their order.
func worked(steps []step, but string) []string {
	var names []string
	for _, s := range steps {
		if s.ok && !s.edit && s.name != but && !slices.Contains(names, s.name) {
			names = append(names, s.name)
		}
	}
	return names
}

// familiar is in how many sessions something has to occur to be asked about.
const familiar = 5

// vocabulary are, for every goal, the commands that came before it in enough sessions.
func vocabulary(all []attempt) map[string][]string {
	type pair struct{ goal, by string }
	seen := map[pair]map[int]bool{}
	for _, a := range all {
		for _, by := range worked(a.before, a.goal) {
			lists.AddTo(seen, pair{a.goal, by}, a.session)
		}
	}
	out := map[string][]string{}
	for p, sessions := range seen {
		if len(sessions) >= familiar {
			out[p.goal] = append(out[p.goal], p.by)
		}
	}
	for _, list := range out {
		slices.Sort(list)
	}
	return out
}

// trials are what a log says of all claims that can be made of it.
func trials(log []calls.Session) map[claim][]trial {
	var all []attempt
	out := map[claim][]trial{}
	for i, s := range log {
		all = append(all, attempts(i, stepsOf(s))...)
	}
	words := vocabulary(all)
	for _, a := range all {
		did := worked(a.before, a.goal)
		kind := BestPractice
		if a.again {
			kind = Recovery
		}
		for _, by := range words[a.goal] {
			c := claim{kind: kind, by: by, goal: a.goal}
			out[c] = append(out[c], trial{session: a.session, with: slices.Contains(did, by), ok: a.ok})
		}
		if kind == BestPractice {
			ordered(out, a, did, words[a.goal])
		}
	}
	for i, s := range log {
		ways(out, i, stepsOf(s), words)
	}
	return out
}

// ordered adds what an attempt says of two commands that both worked before it: in the one
// order or in the other.
func ordered(out map[claim][]trial, a attempt, did, known []string) {
	for i, first := range did {
		for _, second := range did[i+1:] {
			if !slices.Contains(known, first) || !slices.Contains(known, second) {
				continue
			}
			c := claim{Sequence, first, second, a.goal}
			out[c] = append(out[c], trial{session: a.session, with: true, ok: a.ok})
			c.first, c.by = second, first
			out[c] = append(out[c], trial{session: a.session, ok: a.ok})
		}
	}
}

// ways adds how many calls it took from the first failure of something to its success,
// by what was done first.
func ways(out map[claim][]trial, session int, steps []step, words map[string][]string) {
	failed := map[string]int{}
	for i, s := range steps {
		if !s.alone {
			continue
		}
		from, open := failed[s.name]
		switch {
		case !s.ok && !s.work && !open:
			failed[s.name] = i
		case s.ok && open:
			delete(failed, s.name)
			did := worked(steps[from+1:i], s.name)
			for _, by := range words[s.name] {
				c := claim{kind: Efficiency, by: by, goal: s.name}
				out[c] = append(out[c], trial{session: session, with: len(did) > 0 && did[0] == by, ok: true, cost: float64(i - from)})
			}
		}
	}
}
