package resolve

import (
	"context"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Renumbering gives an entry that lost its number another one.
type Renumbering struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Title string `json:"title"`
	Path  string `json:"path"`
	key   string
	entry entry.Entry
	to    int
}

// Numbers plans new numbers for the entries that share one. The strongest claim
// keeps it (see [History]); the others get the numbers after the greatest that was
// ever used, in the order of their claims.
func Numbers(ctx context.Context, s *store.Snapshot, h *History) ([]Renumbering, error) {
	var plan []Renumbering
	for _, entries := range [][]entry.Entry{s.Decisions, s.Pitfalls} {
		if len(entries) == 0 {
			continue
		}
		kind := entries[0].Kind
		next := max(entry.MaxNumber(kind, entries, reserved(s, entries)...), h.Used(kind)) + 1
		keys := keysByFile(entries)
		for _, number := range shared(entries) {
			var names []Name
			byKey := map[string]entry.Entry{}
			for i, e := range entries {
				if e.Number == number && byKey[keys[i]].Path == "" {
					names = append(names, Name{kind, number, keys[i]})
					byKey[keys[i]] = e
				}
			}
			names, err := h.order(ctx, names)
			if err != nil {
				return nil, err
			}
			for _, loser := range names[1:] {
				e := byKey[loser.Key]
				plan = append(plan, Renumbering{
					From: loser.ID(), To: entry.ID(kind, next), Title: e.Title, Path: e.Path, key: loser.Key, entry: e, to: next,
				})
				next++
			}
		}
	}
	return plan, nil
}

// keysByFile gives the entries their identities, file by file as history does.
func keysByFile(entries []entry.Entry) []string {
	keys := make([]string, len(entries))
	for from := 0; from < len(entries); {
		to := from
		for to < len(entries) && entries[to].Path == entries[from].Path {
			to++
		}
		copy(keys[from:], entry.Keys(entries[from:to]))
		from = to
	}
	return keys
}

// reserved are the names that rows, tombstones and Formerly bullets hold.
func reserved(s *store.Snapshot, entries []entry.Entry) []string {
	all := lists.Flat([]knowledge.Kind{knowledge.KindADR, knowledge.KindPF}, func(kind knowledge.Kind) []string { return s.Manifest.Anchors(kind) })
	return append(all, lists.Flat(entries, entry.Entry.Formerly)...)
}

// shared lists the numbers that more than one identity has, ascending.
func shared(entries []entry.Entry) []int {
	keys := keysByFile(entries)
	holders := map[int][]string{}
	for i, e := range entries {
		if !slices.Contains(holders[e.Number], keys[i]) {
			holders[e.Number] = append(holders[e.Number], keys[i])
		}
	}
	var numbers []int
	for n, who := range holders {
		if len(who) > 1 {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// Twice lists the display names that more than one entry has.
func Twice(s *store.Snapshot) []string {
	return lists.Flat([][]entry.Entry{s.Decisions, s.Pitfalls}, func(entries []entry.Entry) []string {
		return lists.Map(shared(entries), func(n int) string { return entry.ID(entries[0].Kind, n) })
	})
}

// Renumber plans the changes of the files: the heading gets the new number, the
// old one is kept as Formerly, an entry's own file its new name. Texts are the
// files as they will be (with citations rewritten), by path.
func Renumber(plan []Renumbering, texts map[string][]byte) (renamed map[string]string) {
	renamed = map[string]string{}
	sorted := lists.Table(plan, func(r Renumbering) (string, bool) {
		return r.Path, !ownFile(r.Path) && entry.SortedBook(r.Path, texts[r.Path])
	})
	for _, r := range plan {
		path := r.Path
		if to, ok := renamed[path]; ok {
			path = to
		}
		texts[path] = renumbered(path, texts[path], r)
		if name := entry.Path(entry.Entry{Kind: r.entry.Kind, Number: r.to, Title: r.Title}); ownFile(r.Path) && name != path {
			texts[name] = texts[path]
			delete(texts, path)
			renamed[path] = name
		}
	}
	for path, was := range sorted {
		if was {
			texts[path] = entry.SortBook(path, texts[path])
		}
	}
	return renamed
}

// renumbered edits one entry of a file.
func renumbered(path string, text []byte, r Renumbering) []byte {
	book, _ := entry.ParseBook(path, text)
	keys := entry.Keys(book.Entries)
	for i, e := range book.Entries {
		if e.ID() == r.From && keys[i] == r.key {
			return book.Renumber(e, r.to)
		}
	}
	return text
}

// ownFile says whether a path is that of one entry, as in layout files.
func ownFile(path string) bool {
	return strings.HasPrefix(path, entry.DecisionsDir+"/") || strings.HasPrefix(path, entry.PitfallsDir+"/")
}

// Rows brings the manifest's rows after their renumbered entries. A row's hash
// stays that of the rendered text: where nobody had edited that, of its
// renumbered form.
func Rows(m *manifest.Manifest, plan []Renumbering, texts map[string][]byte, renamed map[string]string) {
	for _, r := range plan {
		row, ok := m.Row(knowledge.Key{Observation: r.entry.Source, Kind: r.entry.Kind})
		if !ok || r.entry.Source == "" {
			continue
		}
		row.Anchor = r.To
		path := r.Path
		if to, ok := renamed[path]; ok {
			path = to
			row.Path = to
		}
		if row.ContentHash == knowledge.ContentHash(r.entry.Text) {
			if e, ok := entryOf(path, texts[path], r.To, r.entry.Source); ok {
				row.ContentHash = knowledge.ContentHash(e.Text)
			}
		}
		m.Follow(row)
	}
}

func entryOf(path string, text []byte, id, source string) (entry.Entry, bool) {
	book, _ := entry.ParseBook(path, text)
	return lists.Find(book.Entries, func(e entry.Entry) bool { return e.ID() == id && e.Source == source })
}
