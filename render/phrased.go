package render

import (
	"maps"

	"github.com/lessons-cli/lessons/knowledge"
)

// phrased puts a model's words into the places of those that they stand for. It
// fills no other place, but for a reason that nobody gave: what an artifact is,
// and whether it is written, follows from the words that were found.
func (m material) phrased() material {
	p, ok := m.o.Phrasing()
	if !ok || !p.QualityOK {
		return m
	}
	m.details = maps.Clone(m.details)
	say := func(found *string, words string, places ...string) {
		words = clean(words)
		if *found == "" || words == "" {
			return
		}
		for _, place := range places {
			if m.details[place] == *found {
				m.details[place] = words
			}
		}
		*found = words
	}
	if title := oneLine(clean(p.Title)); title != "" {
		m.title = cut(title, maxTitle)
	}
	say(&m.mistake, p.Mistake, "issue")
	say(&m.fix, p.Fix, "resolution", "decision")
	if why := clean(p.Why); why != "" && m.o.Type == knowledge.Pitfall && m.details["impact"] == "" {
		m.details["impact"] = why
	}
	return m
}
