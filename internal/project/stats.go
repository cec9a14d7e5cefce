package project

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/jsonlines"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/pattern"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Rate is a share of calls with its 95 % interval.
type Rate struct {
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Of    int     `json:"of"`
}

func rateOf(n, of int) Rate {
	share, low, high := pattern.Share(n, of)
	return Rate{share, low, high, of}
}

// enough is how many calls a rate needs to say something.
const enough = 5

// Enough says whether the rate rests on enough calls.
func (r Rate) Enough() bool { return r.Of >= enough }

// LessonStats is what a lesson did, as far as the call log tells.
type LessonStats struct {
	ID       string        `json:"id"`
	Title    string        `json:"title"`
	Path     string        `json:"path"`
	Status   string        `json:"status"`
	Level    lesson.Level  `json:"level"`
	Account  tally.Account `json:"account"`
	Heeded   Rate          `json:"heeded"`  // of its stops
	Failing  Rate          `json:"failing"` // of the calls that it is about
	Told     Delivered     `json:"deliveries"`
	Helpful  int           `json:"helpful"` // what people said
	Not      int           `json:"notHelpful"`
	Evidence string        `json:"evidence"` // enough, or not enough evidence
}

// Stats are those of all lessons.
type Stats struct {
	Sessions   int                  `json:"sessions"`
	Lessons    []LessonStats        `json:"lessons"`
	Heeded     Rate                 `json:"heeded"`
	Told       Delivered            `json:"deliveries"`
	Priorities map[lesson.Level]int `json:"priorities"` // of active lessons
	Warning    string               `json:"warning,omitempty"`
}

// Stats says what each lesson did, those that stopped most first.
func (p *Project) Stats(ctx context.Context, s *store.Snapshot) (Stats, []knowledge.Problem, error) {
	e, lessons, problems, err := p.heldEvidence(ctx, s)
	if err != nil {
		return Stats{}, problems, err
	}
	said, err := p.readFeedback()
	if err != nil {
		return Stats{}, problems, err
	}
	deliveries, err := p.Deliveries(e.log)
	if err != nil {
		return Stats{}, problems, err
	}
	followed, total := tally.Follow(lessons.All(), e.log, deliveries), tally.Delivered{}
	all := Stats{Sessions: e.Sessions, Lessons: []LessonStats{}, Priorities: map[lesson.Level]int{}}
	fired, heeded, active := 0, 0, 0
	for i, l := range lessons.All() {
		a := e.verdicts[l.ID].Account()
		one := LessonStats{
			ID: l.ID, Title: l.Title, Path: l.Path, Status: l.Status, Level: lesson.LevelOf(l.Priority), Account: a,
			Heeded: rateOf(a.Heeded, a.Fired), Failing: rateOf(a.Failed, a.Failed+a.Otherwise+a.Succeeded), Evidence: "not enough evidence",
		}
		if one.Heeded.Enough() || one.Failing.Enough() {
			one.Evidence = "enough"
		}
		one.Helpful, one.Not = said.of(l.ID)
		one.Told = deliveredOf(followed[i])
		total.Add(followed[i])
		fired, heeded = fired+a.Fired, heeded+a.Heeded
		if l.Status == lesson.Active {
			all.Priorities[one.Level]++
			active++
		}
		all.Lessons = append(all.Lessons, one)
	}
	all.Heeded, all.Told = rateOf(heeded, fired), deliveredOf(total)
	if all.Priorities[lesson.Critical]*2 > active {
		all.Warning = "more than half of the active lessons are critical, so that the word says nothing any more: lower the priority of some with lessons edit"
	}
	slices.SortStableFunc(all.Lessons, func(a, b LessonStats) int {
		return cmp.Or(cmp.Compare(b.Account.Fired, a.Account.Fired), cmp.Compare(b.Failing.Of, a.Failing.Of))
	})
	return all, problems, nil
}

// Delivered is what came of telling a lesson at calls, failures and prompts, as far as the
// call log has what came next.
type Delivered struct {
	Told       int      `json:"told"`
	Bytes      int      `json:"bytes"`
	Heeded     Rate     `json:"heeded"`     // another call worked
	Repeated   Rate     `json:"repeated"`   // the mistake was made all the same
	Irrelevant bool     `json:"irrelevant"` // too rarely either of both
	Withheld   int      `json:"withheld"`   // by the holdout
	Holdout    *Holdout `json:"holdout,omitempty"`
}

// Holdout compares the sessions that were told with those from which lessons were withheld.
type Holdout struct {
	Told      Rate    `json:"told"`      // sessions with the mistake
	Withheld  Rate    `json:"withheld"`  // likewise
	Prevented float64 `json:"prevented"` // the difference
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
}

// A lesson is irrelevant if of so many deliveries less than one in ten was followed by what
// it is about.
const (
	irrelevantFrom  = 20
	irrelevantShare = 0.10
)

func deliveredOf(d tally.Delivered) Delivered {
	out := Delivered{Told: d.Told, Bytes: d.Bytes, Heeded: rateOf(d.Heeded, d.Followed), Repeated: rateOf(d.Repeated, d.Followed), Withheld: d.Withheld}
	out.Irrelevant = d.Followed >= irrelevantFrom && out.Heeded.Share+out.Repeated.Share < irrelevantShare
	if m := d.Mistakes; m.With > 0 {
		h := &Holdout{Told: rateOf(m.WithoutOK, m.Without), Withheld: rateOf(m.WithOK, m.With)}
		h.Prevented, h.Low, h.High = m.Difference()
		out.Holdout = h
	}
	return out
}

// Enough says whether both sides of the comparison have enough sessions.
func (h *Holdout) Enough() bool { return h.Told.Enough() && h.Withheld.Enough() }

// Feedback is what a person said of a lesson: a line of the feedback file.
type Feedback struct {
	Lesson  string    `json:"lesson"`
	Helpful bool      `json:"helpful"`
	At      time.Time `json:"at"`
}

type feedbacks []Feedback

// of counts what was said of a lesson.
func (all feedbacks) of(id string) (helpful, not int) {
	for _, f := range all {
		switch {
		case f.Lesson != id:
		case f.Helpful:
			helpful++
		default:
			not++
		}
	}
	return helpful, not
}

// feedbackPath holds what people said of lessons in this clone. Losing it loses counts.
func (p *Project) feedbackPath() string { return p.shared("feedback.jsonl") }

func (p *Project) readFeedback() (feedbacks, error) {
	data, err := p.readOwn(p.feedbackPath())
	return jsonlines.Read(data, func(f Feedback) bool { return f.Lesson != "" }), err
}

// GiveFeedback keeps what a person says of a lesson, and returns the counts. It withdraws
// nothing: that is for history, and for archive.
func (p *Project) GiveFeedback(id string, helpful bool) (yes, no int, err error) {
	if err := p.appendLine(p.feedbackPath(), Feedback{id, helpful, p.Now().UTC()}, toldWait); err != nil {
		return 0, 0, err
	}
	all, err := p.readFeedback()
	yes, no = all.of(id)
	return yes, no, err
}
