package reconcile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// Answer is what happened to one artifact.
type Answer string

const (
	Unchanged Answer = "unchanged" // stands as it was rendered
	Edited    Answer = "edited"    // stands with another text, which is authoritative
	Moved     Answer = "moved"     // stands somewhere else
	Gone      Answer = "gone"      // a person removed it
	Pending   Answer = "pending"   // removed, but not decided: ask, or wait for the commit
	Restored  Answer = "restored"  // was gone and is back
	Healed    Answer = "healed"    // stands without a row, which can be rebuilt
	Skipped   Answer = "skipped"   // not here, and nobody's verdict
	Ambiguous Answer = "ambiguous" // several candidates: left alone
	Lost      Answer = "lost"      // rendered here, committed nowhere, and removed by nobody
	NoRow     Answer = "norow"     // known elsewhere: neither row nor artifact here
)

// How an artifact went, as ledger and tombstones write it.
const (
	HowCommitted   = verdict.HowCommitted
	HowStaged      = verdict.HowStaged
	HowUncommitted = verdict.HowUncommitted
	HowTombstone   = "tombstone" // of an item alone: the manifest already says so
)

// Item is the answer about one artifact.
type Item struct {
	ObservationID string         `json:"observationId"`
	Type          string         `json:"type"` // of the row: workflow, procedural, decision, pitfall, lesson
	Kind          knowledge.Kind `json:"kind"`
	Path          string         `json:"path"`             // where the row says it is
	Anchor        string         `json:"anchor,omitempty"` // as it stands now, else the row's
	Answer        Answer         `json:"answer"`
	How           string         `json:"how,omitempty"`        // of gone
	Reason        string         `json:"reason,omitempty"`     // one clause for a person
	To            string         `json:"to,omitempty"`         // of moved
	Candidates    []string       `json:"candidates,omitempty"` // of ambiguous
	Facts         []string       `json:"facts,omitempty"`      // what decided it, by the names of reconcile's facts
	Commit        string         `json:"commit,omitempty"`
	By            string         `json:"by,omitempty"`
	At            string         `json:"at,omitempty"`  // RFC 3339
	New           bool           `json:"new,omitempty"` // this run saw it for the first time

	row         manifest.Row        // the row, or the one that was rebuilt
	tombstone   *manifest.Tombstone // of restored and gone by tombstone
	artifact    *artifact.Artifact  // what stands, if anything does
	committed   bool                // HEAD's manifest has the row
	noRow       bool                // the manifest has neither row nor tombstone of what stands
	fromHistory bool                // the row was taken from the manifest's history
	vanished    bool                // nobody is known to have removed it
	passing     bool                // history was not asked in time, or other work trees were
	byRefs      bool                // rests on more than HEAD
}

// Key is the identity of the item's artifact.
func (i Item) Key() knowledge.Key { return knowledge.Key{Observation: i.ObservationID, Kind: i.Kind} }

// reasonNeverHere is the reason of a row whose artifact no history here ever held.
const reasonNeverHere = "never here"

// NeverHere says that the manifest registers an artifact which was never
// committed on any branch that is known here.
func (i Item) NeverHere() bool { return i.Answer == Skipped && i.Reason == reasonNeverHere }

// Report is what one run found.
type Report struct {
	Items []Item // sorted by path, anchor, key

	Ledger []verdict.Event // to append to the clone's ledger
	Memo   []byte          // to store in the git directory of the work tree; nil: nothing new
	View   verdict.View    // what this work tree sees

	base manifestSource // the manifest that the answers are about
}

// Count is the number of items with an answer. Deletions, restored, moved and
// healed count only what this run saw for the first time.
func (r Report) Count(a Answer) int {
	n := 0
	for _, item := range r.Items {
		if item.Answer != a {
			continue
		}
		switch a {
		case Gone, Restored, Moved, Healed:
			if !item.New {
				continue
			}
		}
		n++
	}
	return n
}

// MarshalJSON gives the counters, which are always there, and the items.
func (r Report) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Deletions int    `json:"deletions"`
		Edits     int    `json:"edits"`
		Unchanged int    `json:"unchanged"`
		Healed    int    `json:"healed"`
		Moved     int    `json:"moved"`
		Pending   int    `json:"pending"`
		Restored  int    `json:"restored"`
		Skipped   int    `json:"skipped"`
		Ambiguous int    `json:"ambiguous"`
		Lost      int    `json:"lost"`
		Items     []Item `json:"items"`
	}{
		r.Count(Gone), r.Count(Edited), r.Count(Unchanged), r.Count(Healed), r.Count(Moved),
		r.Count(Pending), r.Count(Restored), r.Count(Skipped), r.Count(Ambiguous), r.Count(Lost), append([]Item{}, r.Items...),
	})
}

// Summary is the report in one line, for a person: it counts what is, not only
// what is new.
func (r Report) Summary() string {
	words := []struct {
		answer Answer
		word   string
	}{
		{Gone, "deleted"},
		{Edited, "edited"},
		{Moved, "moved"},
		{Restored, "restored"},
		{Healed, "healed"},
		{Pending, "pending"},
		{Lost, "lost"},
		{Ambiguous, "ambiguous"},
		{Skipped, "skipped"},
		{Unchanged, "unchanged"},
	}
	count := map[Answer]int{}
	for _, item := range r.Items {
		count[item.Answer]++
	}
	var parts []string
	for _, w := range words {
		if n := count[w.answer]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, w.word))
		}
	}
	if len(parts) == 0 {
		return "nothing to reconcile"
	}
	return strings.Join(parts, ", ")
}

// AbortError says why nothing was decided. Nothing may be written then.
type AbortError struct{ Reason string }

func (e *AbortError) Error() string { return "not reconciled: " + e.Reason }

func sortItems(items []Item) {
	slices.SortFunc(items, func(a, b Item) int {
		return cmp.Or(
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Anchor, b.Anchor), cmp.Compare(a.ObservationID, b.ObservationID), cmp.Compare(a.Kind, b.Kind),
		)
	})
}

func newItem(row manifest.Row, answer Answer, reason string, facts ...string) Item {
	return Item{
		ObservationID: row.ObservationID, Type: row.Type, Kind: row.Key().Kind, Path: row.Path, Anchor: row.Anchor,
		Answer: answer, Reason: reason, Facts: facts, row: row,
	}
}

func (i Item) by(commit, author string, at time.Time) Item {
	i.Commit, i.By = commit, author
	i.At = when(at)
	return i
}

// when writes a time as manifests do; empty: not known.
func when(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}
