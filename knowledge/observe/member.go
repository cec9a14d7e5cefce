package observe

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
)

// member is an observation with what it is known by, worked out once.
type member struct {
	*Observation
	own    []string // the content keys that its own words give, a set
	keys   []string // all its content keys, a set
	signed bool     // the id is known to come from one of the keys
}

func memberOf(o *Observation) *member {
	var own []string
	keys := []string{triggerKey(o), titleKey(o)}
	if o.Apart() {
		keys = []string{wordsKey(o)}
	}
	own = append(own, lists.Filter(keys, func(key string) bool { return key != "" })...)
	own = ordered.Set(own)
	return &member{Observation: o, own: own, keys: ordered.Union(o.Keys, own)}
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
