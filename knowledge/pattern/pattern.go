package pattern

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// Source is how the origin of what comes of a pattern begins; its kind follows.
const Source = "pattern:"

// Pattern is a claim that the log bears out.
type Pattern struct {
	Kind     Kind     `json:"patternType"`
	First    string   `json:"first,omitempty"` // of a sequence, what comes before By
	By       string   `json:"by"`
	Goal     string   `json:"goal"`
	Tools    []string `json:"tools"`
	Sessions []string `json:"sessions"` // in which By came before Goal, hashed
	Table    Table    `json:"table"`
	// Of an efficiency, the medians of the calls that it took with By first and otherwise.
	CallsWith    float64 `json:"callsWith,omitempty"`
	CallsWithout float64 `json:"callsWithout,omitempty"`
	Effect       float64 `json:"effect"` // risk difference, or the share of calls that is saved
	Low          float64 `json:"low"`    // lower end of its 95 % interval; of an efficiency the effect
	P            float64 `json:"p"`
	Q            float64 `json:"q"`          // after Benjamini and Hochberg, over all claims that were tested
	Confidence   float64 `json:"confidence"` // 1 - Q, at most 0.95
}

// What a claim needs to be tested, and to hold.
const (
	minSessions = 5 // with, and without
	capped      = 5 // trials of one session that count, with and without
	maxQ        = 0.05
	minLow      = 0.10 // lower end of the interval of the risk difference
	minSaved    = 0.30 // share of the calls
)

// Result is what an analysis found.
type Result struct {
	Sessions int       `json:"sessions"`
	Calls    int       `json:"calls"`
	Tested   int       `json:"tested"`
	Patterns []Pattern `json:"patterns"`
}

// Find tests every claim that can be made of a log, and returns those that hold, the
// surest first.
func Find(log []calls.Session) Result {
	r := Result{Sessions: len(log), Calls: lists.Sum(log, func(s calls.Session) int { return len(s.Calls) }), Patterns: []Pattern{}}
	found := trials(log)
	var tested []Pattern
	var p []float64
	for _, c := range slices.SortedFunc(maps.Keys(found), compareClaims) {
		if one, ok := test(c, found[c], log); ok {
			tested, p = append(tested, one), append(p, one.P)
		}
	}
	r.Tested = len(tested)
	for i, q := range adjusted(p) {
		one := tested[i]
		one.Q, one.Confidence = q, min(0.95, 1-q)
		least := minLow
		if one.Kind == Efficiency {
			least = minSaved
		}
		if q <= maxQ && one.Low >= least {
			r.Patterns = append(r.Patterns, one)
		}
	}
	slices.SortStableFunc(r.Patterns, func(a, b Pattern) int { return cmp.Compare(a.Q, b.Q) })
	return r
}

func compareClaims(a, b claim) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.goal, b.goal), cmp.Compare(a.by, b.by), cmp.Compare(a.first, b.first))
}

// test holds a claim against its trials; not ok: there are too few.
func test(c claim, all []trial, log []calls.Session) (Pattern, bool) {
	one := Pattern{Kind: c.kind, First: c.first, By: c.by, Goal: c.goal, Tools: []string{"Bash"}}
	votes, sessions := map[[2]int]int{}, map[bool]map[int]bool{true: {}, false: {}}
	cost, units := map[bool]map[int][]float64{true: {}, false: {}}, map[int]*Table{}
	for _, t := range all {
		with := 0
		if t.with {
			with = 1
		}
		key := [2]int{t.session, with}
		if votes[key]++; votes[key] > capped {
			continue
		}
		sessions[t.with][t.session] = true
		cost[t.with][t.session] = append(cost[t.with][t.session], t.cost)
		one.Table.Count(t.with, t.ok)
		if units[t.session] == nil {
			units[t.session] = &Table{}
		}
		units[t.session].Count(t.with, t.ok)
	}
	if min(len(sessions[true]), len(sessions[false])) < minSessions {
		return one, false
	}
	one.Sessions = append(one.Sessions, lists.Map(slices.Sorted(maps.Keys(sessions[true])), func(i int) string { return log[i].Name })...)
	if c.kind == Efficiency {
		with, without := medians(cost[true]), medians(cost[false])
		one.P = MannWhitney(with, without)
		one.CallsWith, one.CallsWithout = median(with), median(without)
		one.Effect = 1 - one.CallsWith/one.CallsWithout
		one.Low = one.Effect
		return one, true
	}
	one.Effect, one.Low, _ = one.Table.Difference()
	// In the order of the keys: so the sums are the same in every run.
	p, spread := one.Table.clustered(lists.Map(slices.Sorted(maps.Keys(units)), func(i int) Table { return *units[i] }))
	one.P, one.Low = max(p, one.Table.Fisher()), min(one.Low, one.Effect-z95*spread)
	return one, true
}

// medians are those of the sessions, each of which counts once.
func medians(bySession map[int][]float64) []float64 {
	var all []float64
	for _, values := range bySession {
		all = append(all, median(values))
	}
	return all
}

// Count adds one time.
func (t *Table) Count(with, worked bool) {
	ok := 0
	if worked {
		ok = 1
	}
	if with {
		t.With, t.WithOK = t.With+1, t.WithOK+ok
	} else {
		t.Without, t.WithoutOK = t.Without+1, t.WithoutOK+ok
	}
}

// Title says the claim in a line. It is the same whenever the claim is found.
func (p Pattern) Title() string {
	switch p.Kind {
	case BestPractice:
		return fmt.Sprintf("Run `%s` before `%s`: then it works more often", p.By, p.Goal)
	case Recovery:
		return fmt.Sprintf("When `%s` fails, run `%s` and try again", p.Goal, p.By)
	case Sequence:
		return fmt.Sprintf("Before `%s`, run `%s` first and `%s` after it", p.Goal, p.First, p.By)
	}
	return fmt.Sprintf("When `%s` fails, run `%s` first: it takes fewer calls", p.Goal, p.By)
}

// Support says what the claim rests on.
func (p Pattern) Support() string {
	if p.Kind == Efficiency {
		return fmt.Sprintf("%.0f calls until it worked, else %.0f (median; %d and %d times, p %.2g, q %.2g)", p.CallsWith, p.CallsWithout, p.Table.With, p.Table.Without, p.P, p.Q)
	}
	_, low, high := p.Table.Difference()
	return fmt.Sprintf("worked %d of %d times, else %d of %d (difference %.0f points, 95 %%: %.0f to %.0f; p %.2g, q %.2g; %d sessions)",
		p.Table.WithOK, p.Table.With, p.Table.WithoutOK, p.Table.Without, 100*p.Effect, 100*low, 100*high, p.P, p.Q, len(p.Sessions))
}
