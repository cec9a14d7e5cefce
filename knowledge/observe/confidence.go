package observe

import "github.com/lessons-cli/lessons/knowledge"

// Threshold is what an observation of one type needs in order to be rendered.
type Threshold struct {
	Required   int     `json:"required"`   // sessions for full confidence
	SpreadDays int     `json:"spreadDays"` // whole days between first and last sight
	Promote    float64 `json:"promote"`    // least confidence, 0..1
}

// Thresholds holds one [Threshold] a type. One whose Required is not positive
// stands for the default.
type Thresholds struct {
	Workflow   Threshold `json:"workflow"`
	Procedural Threshold `json:"procedural"`
	Decision   Threshold `json:"decision"`
	Pitfall    Threshold `json:"pitfall"`
}

// DefaultThresholds returns the table of self-learning, "Merge".
func DefaultThresholds() Thresholds {
	return Thresholds{
		Workflow:   Threshold{Required: 3, SpreadDays: 3, Promote: 0.60},
		Procedural: Threshold{Required: 4, SpreadDays: 5, Promote: 0.70},
		Decision:   Threshold{Required: 2, SpreadDays: 0, Promote: 0.65},
		Pitfall:    Threshold{Required: 2, SpreadDays: 0, Promote: 0.65},
	}
}

// Of returns the threshold of a type.
func (t Thresholds) Of(typ knowledge.Type) Threshold {
	th := t.Pitfall
	switch typ {
	case knowledge.Workflow:
		th = t.Workflow
	case knowledge.Procedural:
		th = t.Procedural
	case knowledge.Decision:
		th = t.Decision
	}
	if th.Required <= 0 {
		return DefaultThresholds().Of(typ)
	}
	return th
}

// CountConfidence is min(floor(count*100/required), 95)/100: certainty that
// grows with the number of sessions and never reaches one. It is a function of
// the count alone, so applying it again changes nothing.
func CountConfidence(typ knowledge.Type, count int, t Thresholds) float64 {
	return countConfidence(count, t.Of(typ))
}

func countConfidence(count int, th Threshold) float64 {
	switch {
	case count <= 0:
		return 0
	case count >= th.Required:
		return 0.95
	}
	return float64(min(count*100/th.Required, 95)) / 100
}

// daySpread is the number of whole days between first and last sight.
func daySpread(o *Observation) int {
	if o.FirstSeen.IsZero() || o.LastSeen.Before(o.FirstSeen) {
		return 0
	}
	return int(o.LastSeen.Sub(o.FirstSeen).Seconds()) / 86_400
}
