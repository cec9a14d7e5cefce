package knowledge

import (
	"bytes"
	"crypto/sha256"
	"slices"
)

// member is an observation with what it is known by, worked out once.
type member struct {
	*Observation
	own    []string // the content keys that its own words give, a set
	keys   []string // all its content keys, a set
	hashed []quote  // nil: nobody asked yet
	points []uint64 // nil: nobody asked yet
}

func memberOf(o *Observation) *member {
	return newMember(o, CanonicalTrigger(o.Trigger), NormaliseTitle(o.Pattern))
}

// newMember is memberOf an observation whose trigger and title are given as they
// are compared.
func newMember(o *Observation, trigger, title string) *member {
	own := make([]string, 0, 2)
	for _, k := range [...]string{triggerKey(o.Type, trigger, o.Fix), titleKey(o.Type, title)} {
		if k != "" {
			own = append(own, k)
		}
	}
	own = asSet(own)
	return &member{Observation: o, own: own, keys: union(o.Keys, own)}
}

// names calls yield with every name under which the log finds the observation.
func (m *member) names(yield func(string) bool) {
	if !yield(m.ID) {
		return
	}
	for _, names := range [][]string{m.Aliases, m.keys} {
		for _, name := range names {
			if !yield(name) {
				return
			}
		}
	}
}

func (m *member) named(name string) bool {
	return m.ID == name || slices.Contains(m.Aliases, name) || slices.Contains(m.keys, name)
}

// quotes returns the evidence in the order of the hashes.
func (m *member) quotes() []quote {
	if m.hashed == nil {
		m.hashed = quotesOf(m.Evidence)
	}
	return m.hashed
}

func (m *member) meetingPoints() []uint64 {
	if m.points == nil {
		m.points = meetingPoints(m.Shapes)
	}
	return m.points
}

// quote is a piece of evidence with its hash.
type quote struct {
	hash [sha256.Size]byte
	text string
}

func compareQuotes(a, b quote) int { return bytes.Compare(a.hash[:], b.hash[:]) }

// quotesOf returns texts as a set, in the order of their hashes.
func quotesOf(texts []string) []quote {
	if len(texts) == 0 {
		return nil
	}
	quotes := make([]quote, len(texts))
	raw := make([]byte, 0, 256)
	for i, text := range texts {
		raw = append(raw[:0], text...)
		quotes[i] = quote{sha256.Sum256(raw), text}
	}
	slices.SortFunc(quotes, compareQuotes)
	return slices.CompactFunc(quotes, func(a, b quote) bool { return a.hash == b.hash })
}

// joinQuotes is the union of two sets of quotes, as far as an observation keeps
// them.
func joinQuotes(a, b []quote) []quote {
	all := merge(a, b, compareQuotes)
	return all[:min(len(all), maxEvidence)]
}

func evidenceOf(quotes []quote) []string {
	var texts []string
	for _, q := range quotes {
		texts = append(texts, q.text)
	}
	return texts
}
