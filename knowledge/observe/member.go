package observe

import (
	"cmp"
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
	sets   bool     // what should be sets is known to be
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

// inSets is the member with sets in the place of the lists that a file gave, which a join
// takes as they are. They are looked at once.
func (m *member) inSets() *member {
	if m.sets {
		return m
	}
	o := *m.Observation
	o.TakenBack, o.Sessions, o.Against, o.Aliases = asSet(o.TakenBack), asSet(o.Sessions), asSet(o.Against), asSet(o.Aliases)
	o.Shapes, o.Fingerprints, o.Tags, o.Marks = asSet(o.Shapes), asSet(o.Fingerprints), asSet(o.Tags), asSet(o.Marks)
	if !ordered.IsSet(o.Others, comparePairs) {
		o.Others = slices.CompactFunc(slices.SortedFunc(slices.Values(o.Others), comparePairs), func(a, b Pair) bool { return comparePairs(a, b) == 0 })
	}
	return &member{Observation: &o, own: m.own, keys: m.keys, signed: m.signed, sets: true}
}

func asSet[E cmp.Ordered](list []E) []E {
	if ordered.IsSet(list, cmp.Compare[E]) {
		return list
	}
	return ordered.Set(list)
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
