package observe

import "github.com/lessons-cli/lessons/knowledge"

// Threshold is what an observation of one type needs in order to be rendered.
type Threshold struct {
	Required   int     `json:"required"`   // sessions for full confidence
	SpreadDays int     `json:"spreadDays"` // whole days between first and last sight
	Promote    float64 `json:"promote"`    // least confidence, 0..1
}

// Thresholds holds one [Threshold] a type. A type that is missing, or whose
// Required is not positive, has the default one.
type Thresholds map[knowledge.Type]Threshold

// DefaultThresholds returns the table of self-learning, "Merge".
func DefaultThresholds() Thresholds {
	return Thresholds{
		knowledge.Workflow:   {Required: 3, SpreadDays: 3, Promote: 0.60},
		knowledge.Procedural: {Required: 4, SpreadDays: 5, Promote: 0.70},
		knowledge.Decision:   {Required: 2, SpreadDays: 0, Promote: 0.65},
		knowledge.Pitfall:    {Required: 2, SpreadDays: 0, Promote: 0.65},
	}
}

// Of returns the threshold of a type.
func (t Thresholds) Of(typ knowledge.Type) Threshold {
	if th, ok := t[typ]; ok && th.Required > 0 {
		return th
	}
	if th, ok := DefaultThresholds()[typ]; ok {
		return th
	}
	return DefaultThresholds()[knowledge.Pitfall]
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

// Clone returns an independent copy, complete.
func (t Thresholds) Clone() Thresholds {
	copied := DefaultThresholds()
	for typ, th := range t {
		copied[typ] = th
	}
	return copied
}
