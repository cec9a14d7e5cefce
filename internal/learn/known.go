package learn

import (
	"cmp"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Known is something that the repository knows already.
type Known struct {
	ID    string      `json:"id"` // of its observation, else its own
	Title redact.Text `json:"title"`
	Fix   redact.Text `json:"fix,omitzero"`

	Found *observe.Observation `json:"-"` // nil: people wrote it
}

// maxKnown is how much of what is known is told: what shares most words with the batch.
const maxKnown = 15

// known is what of everything known the episodes of a batch may be about.
func (b Batch) known() []Known {
	said := lists.Set(lists.Flat(b.Episodes, func(e Episode) []string { return prose.Words(e.fullText()) }))
	type near struct {
		Known
		words int
	}
	var all []near
	for _, k := range b.knows {
		words := lists.SortedUnique(prose.Words(k.Title.String() + " " + k.Fix.String()))
		n := lists.Count(words, func(w string) bool { return len(w) > 3 && said[w] })
		if n >= 2 {
			all = append(all, near{k, n})
		}
	}
	slices.SortFunc(all, func(a, b near) int { return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(a.ID, b.ID)) })
	told := []Known{}
	return append(told, lists.Map(all[:min(len(all), maxKnown)], func(k near) Known { return k.Known })...)
}
