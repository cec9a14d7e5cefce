// Package catalog lists what is known for a person to name, to search and to retire.
package catalog

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// Item is one thing that a person can name: an entry, a lesson, a skill, a
// command, or an observation.
type Item struct {
	ID          string       `json:"id"`
	Kind        string       `json:"kind"` // adr, pf, lesson, skill, command or observation
	Title       string       `json:"title"`
	Status      string       `json:"status"`
	Level       string       `json:"level,omitempty"`
	Type        string       `json:"type,omitempty"` // of observations
	Confidence  float64      `json:"confidence,omitempty"`
	Sessions    int          `json:"sessions,omitempty"`
	Path        string       `json:"path,omitempty"`
	Line        int          `json:"line,omitempty"`
	Observation string       `json:"observation,omitempty"`
	Tags        []string     `json:"tags,omitempty"`
	NeedsReview bool         `json:"needsReview,omitempty"`
	Unfit       string       `json:"unfit,omitempty"`      // what an observation lacks to be written down
	Scope       lesson.Scope `json:"scope,omitempty"`      // of lessons
	ShadowedBy  string       `json:"shadowedBy,omitempty"` // path of the lesson that takes its place here

	text    string   // what search reads
	number  int      // of entries
	aliases []string // ids that an observation had

	instructs bool // an observation that is a person's rule
}

// Text is the item's body as it stands.
func (i Item) Text() string { return i.text }

// Instructs says whether the item is an observation that is a person's rule.
func (i Item) Instructs() bool { return i.instructs }

// KindObservation is the kind of an item that has not become a file.
const KindObservation = "observation"

// Items lists everything in the snapshot: entries by number, lessons, skills and
// commands by path, observations by confidence. view is what git says of the
// artifacts here; the zero view withdraws nothing.
func Items(s *store.Snapshot, view verdict.View) []Item {
	items := slices.Collect(All(s, view))
	artifacts := slices.IndexFunc(items, func(i Item) bool { return i.Kind == KindObservation })
	if artifacts >= 0 {
		slices.SortStableFunc(items[artifacts:], func(a, b Item) int {
			return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), strings.Compare(a.ID, b.ID))
		})
	}
	return items
}

// All is [Items] one by one, with the observations in the order of the log: there may be
// many, and only those that are kept are in memory.
func All(s *store.Snapshot, view verdict.View) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for _, i := range Artifacts(s) {
			if !yield(i) {
				return
			}
		}
		Observations(s, view)(yield)
	}
}

// Observations is [All] without the artifacts.
func Observations(s *store.Snapshot, view verdict.View) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for o := range s.Log.All() {
			if !yield(observationItem(o, s, view)) {
				return
			}
		}
	}
}

// Named is what of [Items] may be meant by a name; [Find] says which is.
func Named(s *store.Snapshot, view verdict.View, name string) []Item {
	items := Artifacts(s)
	name = typed(name)
	id := name
	if o := s.Log.Get(name); o != nil {
		id = o.ID
	}
	meant := func(h observe.Head) bool {
		return h.ID == id || len(name) >= minBeginning && Item{ID: h.ID}.begins(name)
	}
	for o := range s.Log.Where(meant) {
		items = append(items, observationItem(o, s, view))
	}
	return items
}

// Artifacts is [Items] without the observations.
func Artifacts(s *store.Snapshot) []Item {
	items := lists.Map(slices.Concat(entry.Together(s.Decisions), entry.Together(s.Pitfalls), s.Waiting), entryItem)
	items = append(items, lists.Map(lesson.Together(s.Lessons, func(*lesson.Lesson) bool { return true }), lessonItem)...)
	for _, a := range s.Artifacts {
		if a.Kind == knowledge.KindSkill || a.Kind == knowledge.KindCommand {
			items = append(items, Item{
				ID: a.Path, Kind: string(a.Kind), Title: a.Title, Status: "active", Path: a.Path, Line: a.Line,
				Observation: a.Source, text: string(a.Text),
			})
		}
	}
	return items
}

func observationItem(o *observe.Observation, s *store.Snapshot, view verdict.View) Item {
	confidence, status := verdict.Shown(o, view, s.Config.Thresholds)
	return Item{
		ID: o.ID, Kind: KindObservation, Title: o.Title(), Status: string(status), Type: string(o.Type),
		Confidence: confidence, Sessions: len(o.Sessions), Path: o.ArtifactPath, Observation: o.ID, Tags: o.Tags,
		NeedsReview: o.NeedsReview, Unfit: o.Lacks(), aliases: o.Aliases, text: strings.Join([]string{o.Details, o.Mistake, o.Fix}, "\n"),
		instructs: o.Instructs(),
	}
}

func entryItem(e entry.Entry) Item {
	return Item{
		ID: e.ID(), Kind: string(e.Kind), Title: e.Title, Status: e.Status(), number: e.Number,
		Path: e.Path, Line: e.Line, Observation: e.Source, text: string(e.Text),
	}
}

func lessonItem(l *lesson.Lesson) Item {
	return Item{
		ID: l.ID, Kind: string(knowledge.KindLesson), Title: l.Title, Status: l.Status, Level: string(lesson.LevelOf(l.Priority)),
		Confidence: l.Confidence, Sessions: l.Seen.Sessions, Path: l.Path, Line: 1, Observation: l.Source, Tags: l.Tags,
		Scope: lesson.ScopeProject, text: l.Title + "\n" + l.Body,
	}
}

// typed is what a person means by a name that was typed, or copied of a list on a narrow terminal.
func typed(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(name, "./"), "…")
}

// minBeginning is how much of an id a person types at least.
const minBeginning = 4

// Find resolves what a person typed: an id, a unique beginning of one, the end of a lesson's name, a path, or a lesson's file name without its ending. An
// artifact is preferred over the observation that it came from.
func Find(items []Item, name string) (Item, error) {
	name = typed(name)
	if found := matching(items, func(i Item) bool { return i.names(name) }); len(found) > 0 {
		return only(found, name)
	}
	if len(name) >= minBeginning {
		if found := matching(items, func(i Item) bool { return i.begins(name) }); len(found) > 0 {
			return only(found, name)
		}
	}
	return Item{}, &NotFoundError{Name: name}
}

func matching(items []Item, ok func(Item) bool) []Item {
	return lists.Filter(items, ok)
}

// Rendered says whether an artifact with that marker came from the item's
// observation, under any of its ids.
func (i Item) Rendered(marker string) bool {
	return marker != "" && (marker == i.Observation || slices.Contains(i.aliases, marker))
}

func (i Item) names(name string) bool {
	if strings.EqualFold(i.ID, name) || slices.Contains(i.aliases, name) || (i.Path == name && i.Kind != KindObservation && i.Kind != string(knowledge.KindADR) && i.Kind != string(knowledge.KindPF)) {
		return true
	}
	return i.Kind == string(knowledge.KindLesson) && i.Name() == strings.TrimSuffix(name, ".md")
}

// Name is what a person types for the item: a lesson's file name without its
// ending, else the id.
func (i Item) Name() string {
	if i.Kind != string(knowledge.KindLesson) {
		return i.ID
	}
	return strings.TrimSuffix(i.Path[strings.LastIndexByte(i.Path, '/')+1:], ".md")
}

// Place is where the item stands: its path, with the name of an entry behind it.
func (i Item) Place() string {
	if i.number > 0 {
		return knowledge.Place(i.Path, i.ID)
	}
	return i.Path
}

func (i Item) begins(start string) bool {
	start = strings.ToLower(start)
	name := strings.ToLower(i.Name())
	return strings.HasPrefix(strings.ToLower(i.ID), start) || strings.HasPrefix(name, start) || strings.HasSuffix(name, "-"+start)
}

func only(found []Item, name string) (Item, error) {
	if len(found) == 1 {
		return found[0], nil
	}
	ids := lists.Map(found, Item.Name)
	return Item{}, fmt.Errorf("%q could be any of %s", name, strings.Join(ids, ", "))
}

// NotFoundError: nothing has this name.
type NotFoundError struct{ Name string }

func (e *NotFoundError) Error() string { return fmt.Sprintf("nothing is called %q", e.Name) }
