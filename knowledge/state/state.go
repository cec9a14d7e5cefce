// Package state says in which state a lesson is: what its evidence makes of it,
// and what a person said about it.
package state

import (
	"slices"

	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/score"
)

// State is the state in which agents meet a lesson.
type State struct {
	Status     string
	Priority   int
	Confidence float64
	Seen       lesson.Seen
}

// What a person vouches for who promotes something, at least.
const (
	VouchedConfidence = 0.85
	vouchedPriority   = 4 // a low one would never stop a call
)

// OfEvidence is what the evidence makes of an observation's lesson: it is active
// when its confidence suffices and two sessions met it, or the agent or a person
// declared it. seen may tell of sessions that this clone did not scan.
func OfEvidence(o *observe.Observation, seen lesson.Seen, c config.Config) State {
	counted := *o
	counted.Observations = max(o.Observations, seen.Sessions)
	scores := score.Of(&counted, c.Weights)
	s := State{Status: lesson.Draft, Priority: scores.Priority, Confidence: scores.Confidence, Seen: seen}
	if o.Priority > 0 {
		s.Priority = min(o.Priority, 10)
	}
	switch {
	case o.Recorded == observe.RecordedManual:
		s.vouch()
	case s.Confidence >= c.MinConfidence && (seen.Sessions >= 2 || declared(o)):
		s.Status = lesson.Active
	}
	return s
}

// vouch makes the lesson one that a person promoted. Its evidence goes on counting.
func (s *State) vouch() {
	s.Status = lesson.Active
	s.Confidence = max(s.Confidence, VouchedConfidence)
	s.Priority = max(s.Priority, vouchedPriority)
}

// declared says whether an agent or a person named the lesson, so that it was
// not only inferred, nor only imported.
func declared(o *observe.Observation) bool {
	switch o.Origin {
	case observe.OriginSelfReport, observe.OriginBlock:
		return true
	}
	return slices.ContainsFunc(o.Marks, func(mark observe.Mark) bool {
		return mark == observe.MarkSelfReport || mark == observe.MarkBlock || mark == observe.MarkManual
	})
}

// Case is what there is to judge a lesson's file by.
type Case struct {
	Lesson      *lesson.Lesson
	Row         *manifest.Row        // nil: nobody knows what was rendered
	Observation *observe.Observation // this clone's evidence; nil: none
	Trusted     func() bool          // by this person; asked only where something depends on it
	Config      config.Config
}

// Of is the state of a lesson's file. What a person set holds. Else the evidence
// of the file and of this clone may raise what the file says; it never raises
// what nobody here trusts, nor what a person removed once.
func Of(c Case) State {
	l := c.Lesson
	written := State{Status: l.Status, Priority: l.Priority, Confidence: l.Confidence, Seen: l.Seen}
	if c.Row == nil || l.Status == lesson.Archived {
		return written
	}
	raised := c.raised(written)
	if raised.sameAs(written) || !c.Trusted() {
		return written
	}
	return raised
}

func (c Case) raised(written State) State {
	s := written
	if c.Observation != nil {
		s.Seen = s.Seen.Join(c.Observation.Seen())
	}
	status, priority := setByPerson(c.Lesson, c.Row)
	evidence := c.evidence(s)
	s.Confidence = max(s.Confidence, evidence.Confidence)
	if s.Priority = max(s.Priority, evidence.Priority); priority {
		s.Priority = written.Priority
	}
	switch {
	case !status && evidence.Status == lesson.Active:
		s.Status = lesson.Active
	case status && s.Status == lesson.Active:
		if s.vouch(); priority {
			s.Priority = written.Priority
		}
	}
	return s
}

// evidence is what this clone's observation, or else the file's own evidence, makes
// of the lesson.
func (c Case) evidence(s State) State {
	switch o := c.Observation; {
	case c.Lesson.Returned != "", o != nil && o.Status == observe.Deprecated:
		return s
	case o != nil:
		return OfEvidence(o, s.Seen, c.Config)
	case c.Row.N == 1 && s.Seen.Sessions >= 2:
		return s.metAgain(c.Config)
	}
	return s
}

func (s State) sameAs(other State) bool {
	return s.Status == other.Status && s.Priority == other.Priority && s.Confidence == other.Confidence && s.Seen.Sessions == other.Seen.Sessions
}

// metAgain is the state of a lesson that was rendered of one session and that
// another clone met too, where the observations are not at hand.
func (s State) metAgain(c config.Config) State {
	w := c.Weights
	s.Confidence = min(s.Confidence+float64(w.MultiSessionConfidence)/100, 1)
	s.Priority = min(s.Priority+w.MultiSessionBonus-w.SingleOccurrencePenalty, 10)
	if s.Confidence >= c.MinConfidence {
		s.Status = lesson.Active
	}
	return s
}

// setByPerson says whether a person set the status or the priority of a lesson:
// they differ from what was rendered. Rows of earlier versions do not tell what that
// was; there a review tells of the status.
func setByPerson(l *lesson.Lesson, row *manifest.Row) (status, priority bool) {
	if row.Status == "" {
		return l.ReviewedAt != "", false
	}
	return l.Status != row.Status, l.Priority != row.Priority
}
