package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

// Report is what a replay found.
type Report struct {
	Archives []Table `json:"archives"`
	Pooled   *Table  `json:"pooled,omitempty"`
}

// Table is what it found in one repository, or in several together.
type Table struct {
	Name      string         `json:"name"`
	Sessions  int            `json:"sessions"`
	Calls     int            `json:"calls"`
	Failures  int            `json:"failures"`
	Problems  int            `json:"problems"`
	Recurring int            `json:"recurring"` // problems met in at least three sessions
	All       Measure        `json:"all"`
	Often     Measure        `json:"often"`   // of the recurring ones alone
	Telling   Measure        `json:"telling"` // of those, without work and what passed by itself
	Hooked    Measure        `json:"hooked"`  // of those, what a hook is asked about before the call
	Stops     Stops          `json:"stops"`
	Natures   []Nature       `json:"natures"`
	Cost      Cost           `json:"cost"`
	Baselines []Baseline     `json:"baselines"`
	Repeated  []ProblemTally `json:"repeated"` // recurring problems, those with most misses first
}

// Enough is how many preventable repeats a claim needs.
const Enough = 50

// Counts is what became of preventable repeats. Led are those that were not
// stopped; late and at the start those that were neither.
type Counts struct {
	Repeats int `json:"repeats"`
	Heard   int `json:"heard"` // the agent asks a hook before the call
	Stopped int `json:"stopped"`
	Led     int `json:"led"`
	Late    int `json:"late"`
	AtStart int `json:"atStart"`
}

// Measure is what became of the preventable repeats of some problems.
type Measure struct {
	Counts
	Micro  Share `json:"micro"` // stopped or led, of all
	Macro  Share `json:"macro"` // the average over problems
	Enough bool  `json:"enough"`
}

// Verdicts counts stopped calls by what they did in the recording.
type Verdicts struct {
	Right   int `json:"right"` // they failed
	Wrong   int `json:"wrong"` // they succeeded
	Neither int `json:"neither"`
}

func (v *Verdicts) add(verdict string) {
	switch verdict {
	case right:
		v.Right++
	case wrong:
		v.Wrong++
	default:
		v.Neither++
	}
}

// Stops says what became of stopped calls, and by which lessons.
type Stops struct {
	Verdicts
	WrongPer10k float64       `json:"wrongPer10k"` // calls
	Lessons     []LessonStops `json:"lessons"`     // those that did most harm first
}

// LessonStops are the stops of one lesson.
type LessonStops struct {
	ID      string `json:"id"`
	Archive string `json:"archive"`
	Title   string `json:"title"`
	Verdicts
}

// Harm are the lessons that stopped calls that succeeded.
func (s Stops) Harm() []LessonStops {
	return slices.DeleteFunc(slices.Clone(s.Lessons), func(l LessonStops) bool { return l.Wrong == 0 })
}

// Nature is what became of the problems of one nature.
type Nature struct {
	Nature   string  `json:"nature"`
	Problems int     `json:"problems"`
	Measure  Measure `json:"measure"`
}

// Cost is what was said, in bytes of a session; a token is four.
type Cost struct {
	P50      int `json:"p50"`
	P95      int `json:"p95"`
	StartP50 int `json:"startP50"`
}

// Baseline is another way to do it.
type Baseline struct {
	Name     string `json:"name"`
	Led      int    `json:"led"`      // preventable repeats that it leads around
	AtStart  int    `json:"atStart"`  // others whose lesson was said at the start
	StartP50 int    `json:"startP50"` // bytes
	P95      int    `json:"p95"`
}

// ProblemTally is what became of one problem.
type ProblemTally struct {
	ID       string `json:"id"`
	Nature   string `json:"nature"`
	Name     string `json:"name"`
	Archive  string `json:"archive"`
	Sessions int    `json:"sessions"`
	Counts
}

func (r *repeat) leads(nature problem.Nature) bool { return r.led || r.atStart && startCounts(nature) }

// tabled is what a table is made of: sessions of one or several histories.
type tabled struct {
	histories []*history
	sessions  []*scored
	owner     []int // of each session: its history
	redactor  *redact.Redactor
}

// tableOf sums up histories.
func tableOf(name string, redactor *redact.Redactor, histories []*history) Table {
	t := tabled{histories: histories, redactor: redactor}
	for i, h := range histories {
		for _, s := range h.scores {
			t.sessions, t.owner = append(t.sessions, s), append(t.owner, i)
		}
	}
	out := Table{Name: name, Sessions: len(t.sessions)}
	for _, s := range t.sessions {
		out.Calls, out.Failures = out.Calls+s.calls, out.Failures+s.failures
	}
	for _, h := range histories {
		for _, n := range h.met {
			out.Problems++
			if n >= soonKnown {
				out.Recurring++
			}
		}
	}
	often := func(h *history, r repeat) bool { return h.met[r.problem] >= soonKnown }
	telling := func(h *history, r repeat) bool { return often(h, r) && preventable(h.nature(r.problem)) }
	out.All = t.measure(func(*history, repeat) bool { return true })
	out.Often, out.Telling = t.measure(often), t.measure(telling)
	out.Hooked = t.measure(func(h *history, r repeat) bool { return r.heard && telling(h, r) })
	out.Stops, out.Natures, out.Repeated = t.stops(out.Calls), t.natures(), t.repeated()
	out.Cost, out.Baselines = t.cost(), t.baselines()
	return out
}

// measure sums up the repeats of the problems that are chosen.
func (t *tabled) measure(chosen func(h *history, r repeat) bool) Measure {
	var m Measure
	index, parts := map[string]int{}, make([][]part, len(t.sessions))
	for i, s := range t.sessions {
		h := t.histories[t.owner[i]]
		for _, r := range s.repeats {
			if !chosen(h, r) {
				continue
			}
			m.count(r, h.nature(r.problem))
			key := fmt.Sprint(t.owner[i], r.problem)
			if _, known := index[key]; !known {
				index[key] = len(index)
			}
			got := part{problem: index[key], of: 1}
			if r.stopped || r.leads(h.nature(r.problem)) {
				got.n = 1
			}
			parts[i] = append(parts[i], got)
		}
	}
	m.Micro = shareOf(len(parts), func(order []int) float64 { return micro(parts, order) })
	m.Macro = shareOf(len(parts), func(order []int) float64 { return macro(parts, order, len(index)) })
	m.Enough = m.Repeats >= Enough
	return m
}

func (m *Counts) count(r repeat, nature problem.Nature) {
	m.Repeats++
	if r.heard {
		m.Heard++
	}
	switch {
	case r.stopped:
		m.Stopped++
		return
	case r.leads(nature):
		m.Led++
		return
	}
	if r.late {
		m.Late++
	}
	if r.atStart {
		m.AtStart++
	}
}

func (h *history) nature(id string) problem.Nature { return h.problems[id].Nature }

func (t *tabled) stops(calls int) Stops {
	var out Stops
	lessons := map[string]*LessonStops{}
	for i, s := range t.sessions {
		h := t.histories[t.owner[i]]
		for _, one := range s.stops {
			out.add(one.verdict)
			for _, id := range one.lessons {
				key := fmt.Sprint(t.owner[i], id)
				if lessons[key] == nil {
					lessons[key] = &LessonStops{ID: id, Archive: h.name, Title: shownWords(t.redactor, h.titles[id])}
				}
				lessons[key].add(one.verdict)
			}
		}
	}
	out.Lessons = []LessonStops{}
	for _, l := range lessons {
		out.Lessons = append(out.Lessons, *l)
	}
	slices.SortFunc(out.Lessons, func(a, b LessonStops) int {
		return cmp.Or(cmp.Compare(b.Wrong, a.Wrong), cmp.Compare(b.Right, a.Right), strings.Compare(a.ID, b.ID), strings.Compare(a.Archive, b.Archive))
	})
	if calls > 0 {
		out.WrongPer10k = rounded(float64(out.Wrong) * 10000 / float64(calls))
	}
	return out
}

func (t *tabled) natures() []Nature {
	count := map[problem.Nature]int{}
	for _, h := range t.histories {
		for id := range h.met {
			count[h.nature(id)]++
		}
	}
	out := []Nature{}
	for nature, problems := range count {
		out = append(out, Nature{string(nature), problems, t.measure(func(h *history, r repeat) bool { return h.nature(r.problem) == nature })})
	}
	slices.SortFunc(out, func(a, b Nature) int {
		return cmp.Or(cmp.Compare(b.Measure.Repeats, a.Measure.Repeats), strings.Compare(a.Nature, b.Nature))
	})
	return out
}

func (t *tabled) repeated() []ProblemTally {
	tallies := map[string]*ProblemTally{}
	for i, s := range t.sessions {
		h := t.histories[t.owner[i]]
		for _, r := range s.repeats {
			if h.met[r.problem] < soonKnown {
				continue
			}
			key := fmt.Sprint(t.owner[i], r.problem)
			if tallies[key] == nil {
				p := h.problems[r.problem]
				tallies[key] = &ProblemTally{ID: p.ID, Nature: string(p.Nature), Name: shownWords(t.redactor, p.Name()), Archive: h.name, Sessions: h.met[p.ID]}
			}
			tallies[key].count(r, h.nature(r.problem))
		}
	}
	out := []ProblemTally{}
	for _, tally := range tallies {
		out = append(out, *tally)
	}
	missed := func(p ProblemTally) int { return p.Repeats - p.Stopped - p.Led }
	slices.SortFunc(out, func(a, b ProblemTally) int {
		return cmp.Or(cmp.Compare(missed(b), missed(a)), cmp.Compare(b.Sessions, a.Sessions), strings.Compare(a.ID, b.ID), strings.Compare(a.Archive, b.Archive))
	})
	return out
}

func (t *tabled) cost() Cost {
	all, start := t.each(func(s *scored) int { return s.bytes }), t.each(func(s *scored) int { return s.atStart })
	return Cost{P50: percentile(all, 50), P95: percentile(all, 95), StartP50: percentile(start, 50)}
}

// baselines are to say nothing, and to say all active lessons at the start.
func (t *tabled) baselines() []Baseline {
	everything := Baseline{Name: "all at start"}
	for i, s := range t.sessions {
		for _, r := range s.repeats {
			switch {
			case !r.listed:
			case startCounts(t.histories[t.owner[i]].nature(r.problem)):
				everything.Led++
			default:
				everything.AtStart++
			}
		}
	}
	listed := t.each(func(s *scored) int { return s.listed })
	everything.StartP50, everything.P95 = percentile(listed, 50), percentile(listed, 95)
	return []Baseline{{Name: "nothing"}, everything}
}

func (t *tabled) each(of func(*scored) int) []int {
	values := lists.Map(t.sessions, of)
	slices.Sort(values)
	return values
}

func percentile(sorted []int, p int) int {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)-1)*p/100]
}
