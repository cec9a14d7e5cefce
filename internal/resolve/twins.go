package resolve

import (
	"cmp"
	"maps"
	"slices"

	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Twins plans one file for entries of one marker that stand in files of their own: two
// clones wrote down one decision, each under the next number that it knew. The smallest
// number stays, and the others are its former names. What stays is written before
// anything is removed.
func Twins(s *store.Snapshot) []store.Change {
	byMarker := map[string][]entry.Entry{}
	for _, e := range slices.Concat(s.Decisions, s.Pitfalls) {
		if e.Source != "" && ownFile(e.Path) {
			byMarker[e.Source] = append(byMarker[e.Source], e)
		}
	}
	var kept, removed []store.Change
	for _, marker := range slices.Sorted(maps.Keys(byMarker)) {
		twins := byMarker[marker]
		if len(twins) < 2 {
			continue
		}
		slices.SortFunc(twins, func(a, b entry.Entry) int {
			return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Path, b.Path))
		})
		path := twins[0].Path
		text := s.Before(path)
		for _, other := range twins[1:] {
			text, _ = entry.MergeBooks(path, nil, text, s.Before(other.Path))
			removed = append(removed, store.Change{Path: other.Path, Before: s.Before(other.Path)})
		}
		kept = append(kept, store.Change{Path: path, Before: s.Before(path), After: text})
	}
	return append(kept, removed...)
}
