package catalog

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// Listing is what a person asked for, in order. Of observations, of which there may be very
// many, it holds the names, and reads each when its turn comes.
type Listing struct {
	snapshot *store.Snapshot
	view     verdict.View
	places   []listed
}

// listed is an item's place in a listing.
type listed struct {
	item       *Item  // nil: an observation
	id         string // of the observation
	title      string // where the order needs it
	confidence float64
}

// Asked is what a person wants to be listed.
type Asked struct {
	Observed bool // observations too
	More     []Item
	Wanted   func(Item) bool
	Order    string // [ByConfidence] or [ByTitle]; else that of [Items]
	Files    bool   // files come first, whatever the order
}

// The orders of a listing.
const (
	ByConfidence = "confidence"
	ByTitle      = "title"
)

// List lists what is in the snapshot, and more behind it.
func List(s *store.Snapshot, view verdict.View, asked Asked) Listing {
	l := Listing{snapshot: s, view: view}
	l.add(slices.Values(Artifacts(s)), asked)
	if asked.Observed {
		artifacts := len(l.places)
		l.add(Observations(s, view), asked)
		slices.SortStableFunc(l.places[artifacts:], func(a, b listed) int {
			return cmp.Or(cmp.Compare(b.confidence, a.confidence), strings.Compare(a.id, b.id))
		})
	}
	l.add(slices.Values(asked.More), asked)
	switch asked.Order {
	case ByConfidence:
		slices.SortStableFunc(l.places, func(a, b listed) int { return int(1000*b.confidence) - int(1000*a.confidence) })
	case ByTitle:
		slices.SortStableFunc(l.places, func(a, b listed) int { return strings.Compare(a.title, b.title) })
	}
	if asked.Files {
		slices.SortStableFunc(l.places, func(a, b listed) int { return cmp.Compare(min(1, len(a.id)), min(1, len(b.id))) })
	}
	return l
}

func (l *Listing) add(items iter.Seq[Item], asked Asked) {
	for i := range items {
		if !asked.Wanted(i) {
			continue
		}
		at := listed{confidence: i.Confidence}
		if asked.Order == ByTitle {
			at.title = strings.Clone(i.Title) // it shares its line's memory
		}
		if i.Kind == KindObservation {
			at.id = strings.Clone(i.ID)
		} else {
			at.item = &i
		}
		l.places = append(l.places, at)
	}
}

// Len is how many items are listed.
func (l Listing) Len() int { return len(l.places) }

// All walks through the listed items.
func (l Listing) All() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for _, p := range l.places {
			item := p.item
			if item == nil {
				item = l.observation(p.id)
			}
			if !yield(*item) {
				return
			}
		}
	}
}

func (l Listing) observation(id string) *Item {
	i := Item{ID: id, Kind: KindObservation}
	if o := l.snapshot.Log.Get(id); o != nil {
		i = observationItem(o, l.snapshot, l.view)
	}
	return &i
}
