package tally

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/pattern"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

// world is a simulated history: lessons of which some are junk, and an agent that meets
// the situation of each lesson once a session. What a lesson does is what Judge says of
// the history so far.
type world struct {
	r       *rand.Rand
	claims  []Claim
	junk    []bool
	obeys   float64 // how often a stop is obeyed
	right   float64 // how often a call works that a junk lesson is about
	noise   float64 // how often a call works that a good lesson is about
	holdout int     // sessions of a hundred from which a stop is withheld
	log     []calls.Session
	exposed []int // calls that a lesson was about while it stopped, by lesson
	lost    []int // the exposure after which a lesson was withdrawn; 0: it stands
}

const (
	simulated = 200 // lessons
	junkShare = 30  // of each 100
	exposures = 20
)

func newWorld(seed uint64, obeys, right, noise float64, holdout int) *world {
	w := &world{r: rand.New(rand.NewPCG(seed, 1)), obeys: obeys, right: right, noise: noise, holdout: holdout, exposed: make([]int, simulated), lost: make([]int, simulated)}
	first, second := w.session("past one"), w.session("past two")
	for i := range simulated {
		l := lessonOf(fmt.Sprint("l", i))
		l.Triggers = lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{fmt.Sprintf("tool%d --all", i)}}
		w.claims, w.junk = append(w.claims, Claim{Lesson: l}), append(w.junk, i%100 < junkShare)
		for _, s := range []*calls.Session{first, second} { // both kinds look alike when they are made
			w.call(s, i, calls.Failed)
			w.mend(s, i)
		}
	}
	w.log = append(w.log, *first, *second)
	return w
}

func (w *world) session(name string) *calls.Session { return &calls.Session{Name: name} }

func (w *world) add(s *calls.Session, c calls.Call) *calls.Call {
	c.ID, c.Line, c.Tool = fmt.Sprint(len(s.Calls)), len(s.Calls)+1, "Bash"
	c.At = int64(len(w.log)*1_000_000 + len(s.Calls) + 1)
	s.Calls = append(s.Calls, c)
	return &s.Calls[len(s.Calls)-1]
}

// call adds the call that a lesson is about, now and then with a flag that means nothing.
func (w *world) call(s *calls.Session, i int, o calls.Outcome) {
	c := calls.Call{Input: fmt.Sprintf("tool%d --all file%d", i, w.r.IntN(1000)), Outcome: o}
	if w.r.IntN(3) == 0 {
		c.Input += fmt.Sprintf(" --flag%d", w.r.IntN(5))
	}
	switch o {
	case calls.Failed:
		c.Failure = &calls.Failure{Problem: fmt.Sprint("p1:", i), Program: fmt.Sprint("tool", i), Line: "no"}
	case calls.Stopped:
		c.Fired = []string{w.claims[i].Lesson.ID}
	}
	w.add(s, c)
}

func (w *world) mend(s *calls.Session, i int) {
	failed := s.Calls[len(s.Calls)-1].ID
	w.add(s, calls.Call{Input: fmt.Sprintf("tool%d --some", i), Outcome: calls.OK, Mends: []calls.Mend{{Call: failed, How: calls.ByArguments, Fix: "Use it"}}})
}

// meet is one time that the agent wants to make the call of a lesson.
func (w *world) meet(s *calls.Session, i int, stops bool) {
	works := w.noise
	if w.junk[i] {
		works = w.right
	}
	if stops {
		w.exposed[i]++
	}
	if stops && !inject.Withheld(s.Name, w.claims[i].Lesson.ID, w.holdout) {
		w.call(s, i, calls.Stopped)
		if w.r.Float64() < w.obeys {
			w.add(s, calls.Call{Input: fmt.Sprintf("tool%d --some", i), Outcome: calls.OK})
			return
		}
	}
	if w.r.Float64() < works {
		w.call(s, i, calls.OK)
		return
	}
	w.call(s, i, calls.Failed)
	w.mend(s, i)
}

// live plays sessions until every lesson was withdrawn or met so often.
func (w *world) live() {
	for range exposures {
		verdicts := w.judge()
		s := w.session(fmt.Sprint("s", len(w.log)))
		for _, i := range w.r.Perm(simulated) {
			w.meet(s, i, verdicts[i].Standing == Stops)
		}
		w.log = append(w.log, *s)
	}
	w.judge()
}

func (w *world) judge() []Verdict {
	verdicts := Judge(w.claims, w.log, problem.Gather(w.log))
	for i, v := range verdicts {
		if w.lost[i] == 0 && (v.Standing == Withdrawn || v.Standing == Shadow) {
			w.lost[i] = max(1, w.exposed[i])
		}
	}
	return verdicts
}

// withdrawn are how many junk lessons and how many good ones are gone, by their labels.
func (w *world) withdrawn(junk []bool) (t pattern.Table) {
	for i, at := range w.lost {
		gone := 0
		if at > 0 {
			gone = 1
		}
		if junk[i] {
			t.With, t.WithOK = t.With+1, t.WithOK+gone
		} else {
			t.Without, t.WithoutOK = t.Without+1, t.WithoutOK+gone
		}
	}
	return t
}

// Of a history in which 30 lessons of 100 are junk, at least 90 % of the junk is withdrawn
// within 20 exposures, and at most 2 % of what is good is lost, as long as agents question
// stops and junk is wrong most of the time. Of a call that no agent makes nothing can be
// known: an agent that obeys nearly every stop keeps junk alive, unless a holdout withholds
// some. The rows without a bar show where the rule ends: one success withdraws a stop, so
// that a good lesson whose calls work once in a hundred times is lost too.
func TestJunkIsWithdrawnAndGoodLessonsStay(t *testing.T) {
	for _, c := range []struct {
		obeys, right, noise float64
		holdout             int
		must                bool
	}{
		{0.8, 0.9, 0, 0, true},
		{0.7, 0.9, 0.001, 0, true},
		{0.9, 0.9, 0, 20, true},
		{0.95, 0.9, 0, 20, true},
		{0.9, 0.9, 0, 0, false},
		{0.95, 0.9, 0, 0, false},
		{0.7, 0.9, 0.01, 0, false},
	} {
		w := newWorld(1, c.obeys, c.right, c.noise, c.holdout)
		w.live()
		got := w.withdrawn(w.junk)
		junk, good := 100*float64(got.WithOK)/float64(got.With), 100*float64(got.WithoutOK)/float64(got.Without)
		said := fmt.Sprintf("obeys %.2f, junk works %.2f, good works %.3f, holdout %d: %.1f %% of the junk withdrawn, %.1f %% of the good lost",
			c.obeys, c.right, c.noise, c.holdout, junk, good)
		t.Log(said)
		if c.must && (junk < 90 || good > 2) {
			t.Error(said)
		}
	}
}

// Where the labels say nothing, withdrawal does not follow them.
func TestWithdrawalFollowsNoShuffledLabels(t *testing.T) {
	w := newWorld(7, 0.7, 0.9, 0, 0)
	w.live()
	wrong := 0
	for range 200 {
		labels := append([]bool(nil), w.junk...)
		w.r.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
		if w.withdrawn(labels).Fisher() < 0.05 {
			wrong++
		}
	}
	t.Logf("an effect in %d of 200 shuffles", wrong)
	if wrong > 16 { // two standard deviations above the 10 that chance gives
		t.Errorf("an effect in %d of 200 shuffles", wrong)
	}
}
