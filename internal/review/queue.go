// Package review holds, as values, what waits for a person and what the person decides
// about it. Package project finds and applies; review/terminal and serve show.
package review

import (
	"cmp"
	"slices"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Why is a reason for which something waits for a person.
type Why string

// The reasons, in the order of the queue.
const (
	Guard       Why = "guard"       // it would hold calls back, and nobody here accepted it
	Draft       Why = "draft"       // a lesson that binds nobody yet
	Proposed    Why = "proposed"    // a decision or pitfall that binds nobody yet
	Divergent   Why = "divergent"   // sessions say different things under one title
	Withdrawn   Why = "withdrawn"   // calls worked that the lesson would stop
	Stale       Why = "stale"       // it names what the repository no longer has
	Undelivered Why = "undelivered" // it was written, and lost before any commit had it
	Unused      Why = "unused"      // nobody touched the draft, or no call matched the lesson, for long
)

// Whys are all reasons, in the order of the queue.
var Whys = []Why{Guard, Draft, Proposed, Divergent, Withdrawn, Stale, Undelivered, Unused}

// Verb is what a person can do with an item.
type Verb string

// The verbs.
const (
	Accept  Verb = "accept"
	Edit    Verb = "edit"
	Merge   Verb = "merge" // it is superseded by another item, which takes its evidence
	Archive Verb = "archive"
	Delete  Verb = "delete" // a verdict: it is not written again
)

// Item is one thing that waits.
type Item struct {
	Place       string   `json:"place"` // path, path#ADR-001, or an observation's id
	Name        string   `json:"name"`  // what a person types
	Kind        string   `json:"kind"`
	Title       string   `json:"title"`
	Status      string   `json:"status"`
	Path        string   `json:"path,omitempty"`
	Line        int      `json:"line,omitempty"`
	Observation string   `json:"observation,omitempty"`
	Reasons     []Reason `json:"reasons"`
	Verbs       []Verb   `json:"verbs"`
}

// Reason is why an item waits, with what is known about that.
type Reason struct {
	Why  Why    `json:"why"`
	Text string `json:"text,omitempty"`
}

// Finding is a reason for the item at a place.
type Finding struct {
	Place string
	Reason
}

// Is says whether a reason is among those of the item.
func (i Item) Is(why Why) bool {
	return slices.ContainsFunc(i.Reasons, func(r Reason) bool { return r.Why == why })
}

// Can says whether a verb is for the item.
func (i Item) Can(verb Verb) bool { return slices.Contains(i.Verbs, verb) }

// Queue is what waits of the items that are known: drafts and proposals by their status,
// everything else by what was found about it. Each is there once.
func Queue(known []catalog.Item, found []Finding) []Item {
	byPlace := map[string][]Reason{}
	for _, f := range found {
		byPlace[f.Place] = append(byPlace[f.Place], f.Reason)
	}
	var queue []Item
	for _, k := range known {
		i := Item{
			Place: PlaceOf(k), Name: k.Name(), Kind: k.Kind, Title: k.Title, Status: k.Status, Path: k.Path, Line: k.Line,
			Observation: k.Observation, Reasons: slices.Clone(byPlace[PlaceOf(k)]),
		}
		if why := ownReason(k); why != "" && !i.Is(Guard) {
			i.Reasons = append(i.Reasons, Reason{Why: why})
		}
		if len(i.Reasons) == 0 {
			continue
		}
		slices.SortStableFunc(i.Reasons, func(a, b Reason) int { return cmp.Compare(rank(a.Why), rank(b.Why)) })
		i.Verbs = verbs(i)
		queue = append(queue, i)
	}
	slices.SortStableFunc(queue, func(a, b Item) int { return cmp.Compare(rank(a.Reasons[0].Why), rank(b.Reasons[0].Why)) })
	return queue
}

// PlaceOf names an item among all: by where it stands, and an observation by its id.
func PlaceOf(i catalog.Item) string {
	if i.Kind == catalog.KindObservation {
		return i.ID
	}
	return i.Place()
}

func rank(why Why) int { return slices.Index(Whys, why) }

// ownReason is why an item waits by what its file says.
func ownReason(i catalog.Item) Why {
	switch {
	case i.Kind == string(knowledge.KindLesson) && i.Status == lesson.Draft:
		return Draft
	case isEntry(i.Kind) && entry.IsProposed(i.Status):
		return Proposed
	}
	return ""
}

func isEntry(kind string) bool {
	return kind == string(knowledge.KindADR) || kind == string(knowledge.KindPF)
}

// verbs are what a person can do: what is in force needs no accepting unless people
// disagree about it, and what is no file cannot be edited or deleted.
func verbs(i Item) []Verb {
	switch {
	case i.Is(Undelivered):
		return []Verb{Accept, Archive}
	case i.Kind == catalog.KindObservation:
		return []Verb{Accept, Merge, Archive}
	case i.Is(Guard), i.Is(Draft), i.Is(Proposed), i.Is(Divergent):
		return []Verb{Accept, Edit, Merge, Archive, Delete}
	case i.Kind == string(knowledge.KindLesson) || isEntry(i.Kind):
		return []Verb{Edit, Merge, Archive, Delete}
	}
	return []Verb{Edit, Delete}
}
