package observe

import (
	"fmt"
	"slices"

	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Unite makes one observation of two, because somebody who read them says that they are
// about the same thing. The union knows what either was known by, so what comes to one
// later comes to both. It returns the union, or why they stay apart.
func (l *Log) Unite(a, b string) (*Observation, error) {
	one, other := l.Get(a), l.Get(b)
	if one == nil || other == nil {
		return nil, fmt.Errorf("one of %s and %s is not there", a, b)
	}
	if one.ID == other.ID {
		return one, nil
	}
	if err := Unitable(one, other); err != nil {
		return nil, err
	}
	one.Aliases = ordered.Union(one.Aliases, []string{other.ID})
	add := &logLine{}
	add.is(memberOf(one))
	return l.join(add).copy(), nil
}

// Unitable says why two observations must not become one on somebody's word alone: that
// must not arm a trigger, and neither bring back nor double what people have in hands.
func Unitable(a, b *Observation) error {
	one, other := lesson.CanonicalTrigger(a.Delivery()), lesson.CanonicalTrigger(b.Delivery())
	switch {
	case a.Type != b.Type:
		return fmt.Errorf("%s is a %s and %s a %s", a.ID, a.Type, b.ID, b.Type)
	case a.Status == Deprecated || b.Status == Deprecated:
		return fmt.Errorf("a person retired one of %s and %s", a.ID, b.ID)
	case a.Status == Created && b.Status == Created:
		return fmt.Errorf("%s and %s both stand in files", a.ID, b.ID)
	case one != "" && other != "" && one != other:
		return fmt.Errorf("%s and %s are about different calls", a.ID, b.ID)
	case one != other && (a.vouched() || b.vouched()):
		return fmt.Errorf("somebody stands for one of %s and %s, and not for the calls of the other", a.ID, b.ID)
	}
	return nil
}

// vouched says whether a person or the agent that was there stands for the observation.
func (o *Observation) vouched() bool {
	return o.Recorded == RecordedManual || o.Origin == OriginManual || o.Origin == OriginSelfReport ||
		slices.Contains(o.Marks, MarkManual) || slices.Contains(o.Marks, MarkSelfReport)
}

// Share adds the evidence of an observation that says the same to another one, which keeps
// its words and its id.
func Share(to, from *Observation) {
	base := max(to.Observations-len(to.Sessions), 0)
	to.Sessions = ordered.Union(to.Sessions, from.Sessions)
	to.Observations = max(to.Observations, base+len(to.Sessions))
	to.Against = ordered.Union(to.Against, from.Against)
	to.Tags = ordered.Union(to.Tags, from.Tags)
	to.Marks = ordered.Union(to.Marks, from.Marks)
	if !from.FirstSeen.IsZero() && (to.FirstSeen.IsZero() || from.FirstSeen.Before(to.FirstSeen)) {
		to.FirstSeen = from.FirstSeen
	}
	if from.LastSeen.After(to.LastSeen) {
		to.LastSeen = from.LastSeen
	}
}
