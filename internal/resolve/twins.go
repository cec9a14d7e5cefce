package resolve

import (
	"cmp"
	"maps"
	"slices"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Join is one file made of those that tell of one thing.
type Join struct {
	Path string   // the smallest name; of entries, of those with the smallest number
	Gone []string // the others
}

// Twins plans one file for lessons of one id, and for entries of one marker that stand
// in files of their own: clones wrote down one thing, each under a name of its own. An
// entry's other numbers are its former names. What stays is written before anything is
// removed, and rows name it. Problems are what only a person can join.
func Twins(s *store.Snapshot) (t store.Transaction, joins []Join, problems []knowledge.Problem) {
	t.Manifest = s.Manifest
	var kept, removed []store.Change
	join := func(paths []string, row knowledge.Key, merge func(path string, a, b []byte) ([]byte, error)) {
		path := paths[0]
		text := s.Before(path)
		for _, other := range paths[1:] {
			joined, err := merge(path, text, s.Before(other))
			if err != nil {
				problems = append(problems, knowledge.Problem{Path: other, Rule: "unresolved-merge", Text: "it tells of the same as " + path + ", and " + err.Error() + ": keep one of them"})
				return
			}
			text = joined
		}
		kept = append(kept, store.Change{Path: path, Before: s.Before(path), After: text})
		for _, other := range paths[1:] {
			removed = append(removed, store.Change{Path: other, Before: s.Before(other)})
		}
		joins = append(joins, Join{path, paths[1:]})
		moveRow(s.Manifest, row, path, text)
	}
	for _, l := range lessonTwins(s) {
		join(l.paths, knowledge.Key{Observation: l.source, Kind: knowledge.KindLesson}, func(path string, a, b []byte) ([]byte, error) {
			return lesson.Merge(path, nil, a, b)
		})
	}
	for _, e := range entryTwins(s) {
		join(e.paths, knowledge.Key{Observation: e.source, Kind: e.kind}, func(path string, a, b []byte) ([]byte, error) {
			text, _ := entry.MergeBooks(path, nil, a, b)
			return text, nil
		})
	}
	t.Changes = append(kept, removed...)
	return t, joins, problems
}

// twins are the files of one thing, the one that stays first.
type twins struct {
	source string
	kind   knowledge.Kind
	paths  []string
}

func lessonTwins(s *store.Snapshot) []twins {
	byID := map[string]twins{}
	for _, l := range s.Lessons {
		if one := byID[l.ID]; l.ID != "" {
			byID[l.ID] = twins{cmp.Or(one.source, l.Source), knowledge.KindLesson, append(one.paths, l.Path)}
		}
	}
	return several(byID)
}

func entryTwins(s *store.Snapshot) []twins {
	entries := slices.Concat(s.Decisions, s.Pitfalls)
	slices.SortStableFunc(entries, func(a, b entry.Entry) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Path, b.Path))
	})
	byMarker := map[string]twins{}
	for _, e := range entries {
		if e.Source != "" && ownFile(e.Path) {
			name := string(e.Kind) + " " + e.Source
			byMarker[name] = twins{e.Source, e.Kind, append(byMarker[name].paths, e.Path)}
		}
	}
	return several(byMarker)
}

// several are those with more than one file, in the order of their names.
func several(all map[string]twins) []twins {
	var found []twins
	for _, name := range slices.Sorted(maps.Keys(all)) {
		one := all[name]
		if one.kind == knowledge.KindLesson {
			slices.Sort(one.paths)
		}
		if len(one.paths) > 1 {
			found = append(found, one)
		}
	}
	return found
}

// moveRow takes a row to the file that stays.
func moveRow(m *manifest.Manifest, key knowledge.Key, path string, text []byte) {
	row, ok := m.Row(key)
	if !ok {
		return
	}
	row.Path = path
	if key.Kind != knowledge.KindLesson {
		if e, problems := entry.ParseFile(path, text); len(problems) == 0 {
			row.Anchor = e.ID()
		}
	}
	m.PutRow(row)
}
