package migrate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Migration is one step that brings a repository's own files from an earlier
// state to today's. It is planned from what is there, so that it does nothing
// where it was done.
type Migration struct {
	Number  int    `json:"number"`
	Name    string `json:"name"`    // as on the command line
	About   string `json:"about"`   // one line
	Removes bool   `json:"removes"` // it takes knowledge away: people are asked
	// Plan works out the change; it writes nothing. No changes: nothing is to be
	// done.
	Plan func(MigrationInput) MigrationPlan `json:"-"`
}

// MigrationInput is what migrations are planned from.
type MigrationInput struct {
	Snapshot *store.Snapshot
	// Files are those of [MigrationFiles] that are there, by their path.
	Files map[string][]byte
}

// MigrationPlan is what one migration does.
type MigrationPlan struct {
	Changes []store.Change `json:"-"`
	Does    []string       `json:"does"`  // what changes, one line each
	Keeps   []string       `json:"keeps"` // what is left although one may expect otherwise, and why
}

// MigrationFiles are files that migrations look at beyond the snapshot.
var MigrationFiles = []string{".memory/PROJECT-PATTERNS.md", ".memory/knowledge/PROJECT-PATTERNS.md"}

// Migrations are all of them, in the order of their numbers. A number is never
// given twice.
func Migrations() []Migration {
	return []Migration{
		{
			Number: 1, Name: "purge-legacy-v2", Removes: true, Plan: purgeV2,
			About: "remove ADR-002, PF-001, PF-003, PF-005 and PROJECT-PATTERNS.md where nobody learned them: devflow seeded them",
		},
		{
			Number: 2, Name: "purge-legacy-v3", Removes: true, Plan: purgeV3,
			About: "remove all entries without a line \"Source: self-learning:\": those that devflow seeded, and those written by hand",
		},
		{
			Number: 3, Name: "upgrade-manifest", Plan: upgradeManifest,
			About: "lay the manifest out anew: relative paths, one row a line, its version named",
		},
	}
}

// seeded are the entries that earlier versions of devflow wrote into every
// repository.
var seeded = []string{"ADR-002", "PF-001", "PF-003", "PF-005"}

// purgeV2 takes out what was seeded under known names, unless it has our marker.
func purgeV2(in MigrationInput) MigrationPlan {
	p := purge(in.Snapshot, func(e entry.Entry) bool { return slices.Contains(seeded, e.ID()) })
	for _, name := range MigrationFiles {
		text, ok := in.Files[name]
		switch {
		case !ok:
		case strings.Contains(string(text), knowledge.Marker("")):
			p.Keeps = append(p.Keeps, name+": it has a marker")
		default:
			p.Changes = append(p.Changes, store.Change{Path: name, Before: text})
			p.Does = append(p.Does, "remove "+name)
		}
	}
	return p
}

// purgeV3 takes out every entry without a marker.
func purgeV3(in MigrationInput) MigrationPlan {
	return purge(in.Snapshot, func(entry.Entry) bool { return true })
}

// purge removes the entries that are meant, but for those with a marker and those
// that the manifest knows: a person may have taken the marker out. A book that
// cannot be read whole is left alone.
func purge(s *store.Snapshot, meant func(entry.Entry) bool) MigrationPlan {
	p := MigrationPlan{}
	starts := map[string][]int{}
	for _, e := range s.Entries() {
		if !meant(e) || e.Source != "" {
			continue
		}
		place := fmt.Sprintf("%s:%d: %s %s", e.Path, e.Line, e.ID(), e.Title)
		if reason := kept(s, e); reason != "" {
			p.Keeps = append(p.Keeps, place+": "+reason)
			continue
		}
		p.Does = append(p.Does, "remove "+place)
		starts[e.Path] = append(starts[e.Path], e.Start)
	}
	for _, path := range slices.Sorted(maps.Keys(starts)) {
		before := s.Before(path)
		change := store.Change{Path: path, Before: before}
		if path == entry.BookPath(knowledge.KindADR) || path == entry.BookPath(knowledge.KindPF) {
			book, _ := entry.ParseBook(path, before)
			change.After = book.Without(starts[path]...)
		}
		p.Changes = append(p.Changes, change)
	}
	return p
}

// kept says why an entry without a marker is not removed; empty: it is.
func kept(s *store.Snapshot, e entry.Entry) string {
	for _, r := range s.Manifest.Rows {
		if r.Path == e.Path && r.Anchor == e.ID() {
			return "the manifest knows it"
		}
	}
	for _, problem := range s.Problems {
		if problem.Path == e.Path {
			return "its file cannot be read whole, see lessons check"
		}
	}
	return ""
}

// upgradeManifest writes an earlier tool's manifest in our form.
func upgradeManifest(in MigrationInput) MigrationPlan {
	if in.Snapshot.ManifestErr != nil {
		return MigrationPlan{Keeps: []string{manifest.Path + ": " + in.Snapshot.ManifestErr.Error()}}
	}
	before, after := in.Snapshot.Manifest.Upgrade()
	if before == nil {
		return MigrationPlan{}
	}
	return MigrationPlan{
		Changes: []store.Change{{Path: manifest.Path, Before: before, After: after}},
		Does:    []string{fmt.Sprintf("rewrite %s with its %d rows", manifest.Path, len(in.Snapshot.Manifest.Rows))},
	}
}
