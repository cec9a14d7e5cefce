package resolve

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Join is one file made of those that tell of one thing.
type Join struct {
	Path string   // the smallest name; of entries, of those with the smallest number
	Gone []string // the others

	Stands bool // whether the person stands for all of them
}

// Twins plans one file for lessons of one id, and for entries of one marker that stand
// in files of their own: clones wrote down one thing, each under a name of its own. An
// entry's other numbers are its former names. What stays is written before anything is
// removed. Problems are what only a person can join. After a merge a lesson's name is one
// of them although only its row has it: git may have taken another clone's file for the
// one that a colleague removed, and does not in every order of merges. It joins them
// in every clone alike, whoever stands for the words, so that all clones have the same bytes.
// Without a merge, files of which the person stands for some alone are joined only to what
// the person stands for.
func Twins(s *store.Snapshot, merged bool, stands func(path string, text []byte) bool) (changes []store.Change, joins []Join, problems []knowledge.Problem) {
	var removed []store.Change
	join := func(paths []string, merge func(path string, a, b []byte) ([]byte, error)) {
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
		files := lists.Filter(paths, func(path string) bool { return s.Before(path) != nil })
		theirs := lists.Filter(files, func(path string) bool { return !stands(path, s.Before(path)) })
		if !merged && len(theirs) > 0 && len(theirs) < len(files) && !stands(path, text) {
			problems = append(problems, knowledge.Problem{Path: theirs[0], Rule: "unreviewed-twin", Text: "it tells of the same as " + path + " in other words, and nobody here reviewed it: lessons trust accepts it, and lessons resolve joins them"})
			return
		}
		changes = append(changes, store.Change{Path: path, Before: s.Before(path), After: text})
		for _, other := range paths[1:] {
			removed = append(removed, store.Change{Path: other, Before: s.Before(other)})
		}
		joins = append(joins, Join{path, paths[1:], len(theirs) == 0})
	}
	for _, l := range lessonTwins(s, merged) {
		files := len(lists.Filter(l.paths, func(path string) bool { return s.Before(path) != nil }))
		join(l.paths, func(path string, a, b []byte) ([]byte, error) {
			return lesson.MergeTwins(path, a, b, saidBy(s, files))
		})
	}
	for _, e := range entryTwins(s) {
		join(e.paths, func(path string, a, b []byte) ([]byte, error) {
			text, _ := entry.MergeBooks(path, nil, a, b)
			return text, nil
		})
	}
	return append(changes, removed...), joins, problems
}

// saidBy tells how much a person stands behind the words of a lesson that has so many
// files. Most behind words that no row knows as rendered; but where rows were merged before
// the files one may have been lost, and of two such texts nobody reviewed the greater
// holds. A review of rendered words comes after words that a person may have written.
func saidBy(s *store.Snapshot, files int) func(*lesson.Lesson) int {
	return func(l *lesson.Lesson) int {
		words, rows := map[string]bool{}, 0
		for path, data := range s.Manifest.Base {
			part, err := manifest.Parse(path, data)
			if err != nil || part == nil {
				continue
			}
			if row, ok := part.Row(knowledge.Key{Observation: l.Source, Kind: knowledge.KindLesson}); ok && row.Words != "" {
				words[row.Words] = true
				rows++
			}
		}
		reviewed := l.ReviewedAt != ""
		switch known := words[l.WordsHash()] || rows == 0 && !reviewed; {
		case known && !reviewed:
			return -2
		case known:
			return -1
		case reviewed || rows >= files:
			return 1
		}
		return 0
	}
}

// twins are the files of one thing, the one that stays first.
type twins struct {
	kind  knowledge.Kind
	paths []string
}

func lessonTwins(s *store.Snapshot, merged bool) []twins {
	byID := map[string]twins{}
	for _, l := range s.Lessons {
		if l.ID == "" {
			continue
		}
		names := []string{l.Path}
		if was := rowPath(s, l); merged && was < l.Path && stem(was) != "" && stem(was) == stem(l.Path) && s.Before(was) == nil {
			names = append(names, was)
		}
		byID[l.ID] = twins{knowledge.KindLesson, append(byID[l.ID].paths, names...)}
	}
	return several(byID)
}

// rowPath is where the row of a lesson, or what remembers its removal, has its file.
func rowPath(s *store.Snapshot, l *lesson.Lesson) string {
	key := knowledge.Key{Observation: l.Source, Kind: knowledge.KindLesson}
	if t, ok := s.Manifest.Tombstone(key); ok {
		return t.Path
	}
	row, _ := s.Manifest.Row(key)
	return row.Path
}

// stem is the name of a lesson's file without what its clone added, empty where it has
// none of that.
func stem(path string) string { return path[:max(0, strings.LastIndex(path, "-"))] }

func entryTwins(s *store.Snapshot) []twins {
	entries := s.Entries()
	slices.SortStableFunc(entries, func(a, b entry.Entry) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Path, b.Path))
	})
	byMarker := map[string]twins{}
	for _, e := range entries {
		if e.Source != "" && ownFile(e.Path) {
			name := string(e.Kind) + " " + e.Source
			byMarker[name] = twins{e.Kind, append(byMarker[name].paths, e.Path)}
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
			one.paths = lists.SortedUnique(one.paths)
		}
		if len(one.paths) > 1 {
			found = append(found, one)
		}
	}
	return found
}

// Follow takes rows to where their artifacts stand: of merged rows one holds, and of
// merged files perhaps another. What stands although a row of it was removed has a row
// again. An entry that got its number before its row did is no edited one.
func Follow(s *store.Snapshot) {
	places := map[knowledge.Key][]artifact.Artifact{}
	for _, a := range s.Artifacts {
		if key := (knowledge.Key{Observation: a.Source, Kind: a.Kind}); a.Source != "" && a.Kind != knowledge.KindSkill {
			places[key] = append(places[key], a)
		}
	}
	for _, row := range slices.Clone(s.Manifest.Rows) {
		if at := places[row.Key()]; len(at) == 1 {
			if row.ContentHash == knowledge.ContentHash(entry.BeforeRenumber(at[0].Text, at[0].Anchor, row.Anchor)) {
				row.ContentHash = knowledge.ContentHash(at[0].Text)
			}
			row.Path, row.Anchor = at[0].Path, at[0].Anchor
			s.Manifest.Follow(row)
		}
	}
	for _, t := range slices.Clone(s.Manifest.Tombstones) {
		if at := places[t.Key()]; len(at) == 1 {
			t.Path, t.Anchor = at[0].Path, at[0].Anchor
			s.Manifest.PutRow(t.Row)
		}
	}
}
