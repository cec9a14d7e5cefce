package entry

import (
	"cmp"
	"slices"
)

// Together returns one entry of those with the same marker: that in force before one
// that is proposed, a retired one before both, then the one with the smallest number.
func Together(entries []Entry) []Entry {
	best := map[string]Entry{}
	for _, e := range entries {
		if one, ok := best[e.Source]; !ok || compareTogether(e, one) < 0 {
			best[e.Source] = e
		}
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool {
		return e.Source != "" && compareTogether(e, best[e.Source]) != 0
	})
}

func compareTogether(a, b Entry) int {
	return cmp.Or(cmp.Compare(standing(b.Status()), standing(a.Status())), cmp.Compare(a.Number, b.Number), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
}
