package project

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
	"github.com/lessons-cli/lessons/render"
)

// Similar is an item that stands and is about the same as what a person adds.
type Similar struct {
	catalog.Item
	Same bool   // to the letter
	Diff string // from the item's words to those that are added
}

// Holds says whether agents are told of the item.
func (s Similar) Holds() bool {
	return s.Status == lesson.Active || s.Kind != string(knowledge.KindLesson) && entry.IsActive(s.Status)
}

// similarTo lists what stands of that which a signal would join, or which would be taken
// for the same when it is rendered.
func similarTo(s *store.Snapshot, view verdict.View, signal observe.Signal) ([]Similar, error) {
	apart := keptApart(signal)
	names := []string{apart.Alone().ID}
	done := s.Log.Expect([]observe.Signal{signal})
	for _, o := range s.Log.Related(signal) {
		names = append(append(names, o.ID), o.Aliases...)
	}
	done()
	place := render.Stands(s, render.Options{View: view}, signal.Alone())
	items := lists.Filter(catalog.Artifacts(s), func(i catalog.Item) bool {
		return i.Place() == place || slices.Contains(names, i.Observation)
	})
	if len(items) == 0 {
		return nil, nil
	}
	added, err := wouldSay(s, apart)
	if err != nil {
		return nil, err
	}
	return lists.Map(items, func(i catalog.Item) Similar {
		says := wordsOf(i.Path, s.Before(i.Path), func(source, id string) bool { return source == i.Observation && id == i.ID })
		diff := render.Diff([]store.Change{{Path: i.Path, Before: []byte(says), After: []byte(added)}})
		return Similar{Item: i, Same: says == added, Diff: diff}
	}), nil
}

// keptApart is a signal that joins nothing which does not say the same to the letter.
func keptApart(signal observe.Signal) observe.Signal {
	signal.Marks = append(slices.Clone(signal.Marks), observe.MarkApart)
	return signal
}

// wouldSay are the words of the artifact that a signal makes by itself.
func wouldSay(s *store.Snapshot, signal observe.Signal) (string, error) {
	alone := &store.Snapshot{Config: s.Config, Log: &observe.Log{}}
	o := alone.Log.Add(signal, s.Config.Thresholds)
	observe.PromoteByHand(o)
	alone.Log.Put(o)
	plan, err := render.NewPlan(alone, render.Options{Only: []string{o.ID}})
	if err != nil {
		return "", err
	}
	for _, c := range plan.Changes {
		if words := wordsOf(c.Path, c.After, func(source, _ string) bool { return source == o.ID }); words != "" {
			return words, nil
		}
	}
	return "", nil
}

// wordsOf is what an artifact says, without its names and its evidence.
func wordsOf(path string, data []byte, wanted func(source, id string) bool) string {
	if l, err := lesson.Parse(path, data); err == nil && isLesson(path) {
		if !wanted(l.Source, l.ID) {
			return ""
		}
		words := l.Words()
		words.Source = ""
		return string(words.Format())
	}
	book, _ := entry.ParseBook(path, data)
	for _, e := range book.Entries {
		if !wanted(e.Source, e.ID()) {
			continue
		}
		lines := []string{e.Title}
		for _, f := range e.Fields {
			switch f.Name {
			case entry.FieldDate, entry.FieldStatus, entry.FieldSeen, entry.FieldQuote, entry.FieldSource, entry.FieldFormerly, entry.FieldReturned:
			default:
				lines = append(lines, f.Name+": "+f.Value)
			}
		}
		return strings.Join(lines, "\n") + "\n"
	}
	return ""
}
