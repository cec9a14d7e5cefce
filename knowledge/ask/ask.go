// Package ask counts how often agents were asked whether what happened holds for later
// sessions, and what they answered. What transcripts hold of it is a set of facts, which
// any order and split of scans makes the same.
package ask

import (
	"cmp"
	"slices"

	"github.com/lessons-cli/lessons/internal/jsonlines"
	"github.com/lessons-cli/lessons/internal/lists"
)

// Answer is by what an agent answered; empty: it did not.
type Answer string

const (
	Lesson   Answer = "lesson"
	Decision Answer = "decision"
	None     Answer = "none" // nothing holds for later
)

// Fact is one thing that a transcript holds: an ask, by its name, or a block that may
// answer one.
type Fact struct {
	Session string `json:"session"`      // hashed
	Line    int    `json:"line"`         // of its file
	At      int64  `json:"at,omitempty"` // Unix milliseconds; 0: not known
	Name    string `json:"name,omitempty"`
	Answer  Answer `json:"answer,omitempty"`
}

func compare(a, b Fact) int {
	return cmp.Or(cmp.Compare(a.Session, b.Session), cmp.Compare(a.Line, b.Line), cmp.Compare(b.Name, a.Name), cmp.Compare(a.Answer, b.Answer), cmp.Compare(a.At, b.At))
}

// Merge unites facts. Of a session in which nothing was asked nothing is kept.
func Merge(a, b []Fact) []Fact {
	asked := map[string]bool{}
	all := slices.Concat(a, b)
	for _, f := range all {
		asked[f.Session] = asked[f.Session] || f.Name != ""
	}
	all = slices.DeleteFunc(all, func(f Fact) bool { return !asked[f.Session] })
	slices.SortFunc(all, compare)
	return slices.Compact(all)
}

// Encode writes facts, one a line.
func Encode(facts []Fact) []byte { return jsonlines.Write(facts) }

// Parse reads facts. A line that cannot be read is left out: it costs a count.
func Parse(data []byte) []Fact {
	return jsonlines.Read(data, func(f Fact) bool { return f.Session != "" })
}

// Ask is one ask, and how it was answered.
type Ask struct {
	At     int64
	Answer Answer
}

// Of puts facts together, asks in the order of time. A block answers the newest ask
// before it in its session that has no answer.
func Of(facts []Fact) []Ask {
	var all []*Ask
	var open []*Ask // of the session
	session, known := "", map[string]bool{}
	for _, f := range Merge(facts, nil) {
		if f.Session != session {
			session, open = f.Session, nil
		}
		switch {
		case f.Name != "" && !known[f.Name]:
			known[f.Name] = true
			one := &Ask{At: f.At}
			all, open = append(all, one), append(open, one)
		case f.Answer != "" && len(open) > 0:
			open[len(open)-1].Answer = f.Answer
			open = open[:len(open)-1]
		}
	}
	asks := make([]Ask, 0, len(all))
	asks = append(asks, lists.Map(all, func(one *Ask) Ask { return *one })...)
	slices.SortStableFunc(asks, func(a, b Ask) int { return cmp.Compare(a.At, b.At) })
	return asks
}

// Count says how asks were answered.
type Count struct {
	Asked   int `json:"asked"`
	Block   int `json:"block"` // with a lesson or a decision
	None    int `json:"none"`
	Ignored int `json:"ignored"`
}

// CountOf counts asks.
func CountOf(asks []Ask) Count {
	c := Count{Asked: len(asks)}
	for _, a := range asks {
		switch a.Answer {
		case Lesson, Decision:
			c.Block++
		case None:
			c.None++
		default:
			c.Ignored++
		}
	}
	return c
}

// Of the last asksCounted asks at least leastAnswers must have been answered, else asking
// is in vain.
const (
	asksCounted  = 20
	leastAnswers = 2
)

// InVain says whether agents ignore what they are asked.
func InVain(asks []Ask) bool {
	last := CountOf(asks[max(0, len(asks)-asksCounted):])
	return last.Asked == asksCounted && last.Block+last.None < leastAnswers
}
