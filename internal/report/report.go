// Package report tells in one page what lessons did in a repository: what went wrong and
// what it cost, what lessons did about it, and what waits for a person. It is made of values.
package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/review"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

// Report is what the page tells.
type Report struct {
	Project  string
	Made     time.Time
	Sessions int
	Calls    int

	Active, Drafts, Decisions, Pitfalls int

	Problems []Problem // the dearest first
	Effects  []Effect  // the lessons that did most first
	Weeks    []Week    // the earliest first
	Waiting  []review.Item
}

// Problem is one that calls met.
type Problem struct {
	Name     string
	Nature   string
	Failed   int
	Sessions int
	Minutes  float64
	Mend     string // what mends it, in words; empty: nothing known does
	Lesson   string // that covers it
	Stopped  int    // calls that this lesson stopped
}

// Effect is what a lesson did.
type Effect struct {
	Title, Name string
	tally.Account
}

// Repeated is how often the mistake was made in spite of a stop.
func (e Effect) Repeated() int { return e.RepeatedFailed }

// Cover is the lesson that covers a problem, and what it stopped.
type Cover struct {
	Lesson  string
	Stopped int
}

// Problems are those that a person would want to know of.
func Problems(all []*problem.Problem, covers map[string]Cover) []Problem {
	return lists.Map(all, func(p *problem.Problem) Problem {
		mend := p.Advice()
		if best, ok := p.Best(); mend == "" && ok && best.Fix != "" {
			mend = best.Fix
		}
		c := covers[p.ID]
		return Problem{p.Name(), string(p.Nature), len(p.Failures), len(p.Sessions), p.Minutes(), mend, c.Lesson, c.Stopped}
	})
}

// ByEffect puts lessons in order: those that prevented most first, then those that stopped
// and matched most. Lessons of which history knows nothing are left out.
func ByEffect(all []Effect) []Effect {
	told := lists.Filter(all, func(e Effect) bool { return !e.Silent() })
	slices.SortStableFunc(told, func(a, b Effect) int {
		return cmp.Or(cmp.Compare(b.Heeded, a.Heeded), cmp.Compare(b.Fired, a.Fired), cmp.Compare(b.Failed, a.Failed), strings.Compare(a.Name, b.Name))
	})
	return told
}

// Week is what happened in the seven days from a Monday on.
type Week struct {
	From time.Time
	// Met are mistakes that were made for the first time, Repeated those that an earlier
	// session had made, Prevented the calls that a lesson stopped and that were then made
	// in another way.
	Met, Repeated, Prevented int
}

// Total is everything that happened in the week.
func (w Week) Total() int { return w.Met + w.Repeated + w.Prevented }

// maxWeeks is how many weeks the page shows: half a year.
const maxWeeks = 26

// Weeks counts mistakes by weeks, up to the last one in which something happened. A session
// that makes one several times made it once.
func Weeks(problems []*problem.Problem, prevented []tally.Match) []Week {
	count := map[time.Time]*Week{}
	at := func(ms int64) *Week {
		from := monday(time.UnixMilli(ms))
		if count[from] == nil {
			count[from] = &Week{From: from}
		}
		return count[from]
	}
	for _, p := range problems {
		seen := map[string]bool{}
		for _, f := range p.Failures {
			if seen[f.Session] || f.Call.At == 0 {
				continue
			}
			if len(seen) == 0 {
				at(f.Call.At).Met++
			} else {
				at(f.Call.At).Repeated++
			}
			seen[f.Session] = true
		}
	}
	counted := map[string]bool{} // several lessons may have stopped one call
	for _, m := range prevented {
		if call := m.Session + " " + m.Call.ID; m.Call.At != 0 && !counted[call] {
			counted[call] = true
			at(m.Call.At).Prevented++
		}
	}
	return filled(count)
}

func monday(t time.Time) time.Time {
	t = t.UTC()
	day := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}

// filled are the last weeks without gaps.
func filled(count map[time.Time]*Week) []Week {
	if len(count) == 0 {
		return nil
	}
	from := slices.SortedFunc(maps.Keys(count), time.Time.Compare)
	first, last := from[0], from[len(from)-1]
	if start := last.AddDate(0, 0, -7*(maxWeeks-1)); first.Before(start) {
		first = start
	}
	var weeks []Week
	for from := first; !from.After(last); from = from.AddDate(0, 0, 7) {
		w := Week{From: from}
		if count[from] != nil {
			w = *count[from]
		}
		weeks = append(weeks, w)
	}
	return weeks
}

// Totals are the sums over all weeks.
func (r Report) Totals() (sum Week) {
	for _, w := range r.Weeks {
		sum.Met, sum.Repeated, sum.Prevented = sum.Met+w.Met, sum.Repeated+w.Repeated, sum.Prevented+w.Prevented
	}
	return sum
}

// Waits are the reasons for which things wait, with how many.
func (r Report) Waits() []Wait {
	var all []Wait
	for _, why := range review.Whys {
		if n := len(lists.Filter(r.Waiting, func(i review.Item) bool { return i.Reasons[0].Why == why })); n > 0 {
			all = append(all, Wait{why, n})
		}
	}
	return all
}

// Wait is how many things wait for one reason.
type Wait struct {
	Why   review.Why
	Count int
}
