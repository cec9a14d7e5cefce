package resolve

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/state"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Settle plans what holds by the evidence that the files carry, which several clones
// may have gathered, and which no file says yet: drafts that are active, and proposals
// that are accepted. Every clone writes the same, whatever it heard itself.
func Settle(s *store.Snapshot) []store.Change {
	var changes []store.Change
	for _, l := range s.Lessons {
		row, ok := s.Manifest.Row(knowledge.Key{Observation: l.Source, Kind: knowledge.KindLesson})
		if !ok || l.Source == "" {
			continue
		}
		is := state.Of(state.Case{Lesson: l, Row: &row, Trusted: func() bool { return true }, Config: s.Config})
		if l.Status != lesson.Draft || is.Status != lesson.Active {
			continue
		}
		holds := *l
		holds.Status, holds.Priority, holds.Confidence = is.Status, is.Priority, is.Confidence
		text := holds.Format()
		changes = append(changes, store.Change{Path: l.Path, Before: s.Before(l.Path), After: text})
		row.Status, row.Priority, row.ContentHash, row.N = is.Status, is.Priority, knowledge.ContentHash(text), l.Seen.Sessions
		s.Manifest.Follow(row)
	}
	return append(changes, settleDecisions(s)...)
}

func settleDecisions(s *store.Snapshot) []store.Change {
	texts := map[string][]byte{} // by path: a book holds many
	var paths []string
	active := entry.CountActive(s.Decisions)
	for _, e := range s.Decisions {
		row, ok := s.Manifest.Row(knowledge.Key{Observation: e.Source, Kind: knowledge.KindADR})
		full := s.Config.Ceiling > 0 && active >= s.Config.Ceiling
		if !ok || e.Source == "" || full || state.OfEntry(e, &row, nil, s.Config.Thresholds) == e.Status() {
			continue
		}
		if texts[e.Path] == nil {
			texts[e.Path] = s.Before(e.Path)
			paths = append(paths, e.Path)
		}
		book, _ := entry.ParseBook(e.Path, texts[e.Path])
		text, err := book.SetStatus(e.Number, entry.StatusAccepted)
		if err != nil {
			continue // two have the number: this waits until they are apart
		}
		texts[e.Path] = text
		active++
		accept(s.Manifest, row, e, text)
	}
	return lists.Map(paths, func(path string) store.Change {
		return store.Change{Path: path, Before: s.Before(path), After: texts[path]}
	})
}

// accept notes that an entry is rendered as accepted. What a person edited stays edited.
func accept(m *manifest.Manifest, row manifest.Row, e entry.Entry, text []byte) {
	row.Status = ""
	if row.ContentHash == knowledge.ContentHash(e.Text) {
		book, _ := entry.ParseBook(e.Path, text)
		if i := slices.IndexFunc(book.Entries, func(o entry.Entry) bool { return o.Source == e.Source }); i >= 0 {
			row.ContentHash = knowledge.ContentHash(book.Entries[i].Text)
		}
	}
	m.Follow(row)
}
