package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/frontmatter"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/state"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Reviewer is the person who speaks, and when.
type Reviewer struct {
	Name string
	At   time.Time
}

// says names the reviewer, if anybody does.
func (r Reviewer) says() string {
	if r.Name == "" {
		return ""
	}
	return ", reviewed by " + r.Name
}

// Promote plans to make a draft active, with the reviewer's name and the
// confidence that a person's word gives, or to accept a proposed decision, and says what
// it does.
func Promote(s *store.Snapshot, item Item, by Reviewer) (store.Transaction, string, error) {
	switch item.Kind {
	case string(knowledge.KindLesson):
		return promoteLesson(s, item, by)
	case string(knowledge.KindADR):
		return acceptEntry(s, item, entry.StatusAccepted)
	case string(knowledge.KindPF):
		return acceptEntry(s, item, entry.StatusActive)
	}
	return store.Transaction{}, "", fmt.Errorf("%s is %s; only draft lessons, proposed entries and observations are promoted", item.ID, article(item.Kind))
}

func acceptEntry(s *store.Snapshot, item Item, status string) (store.Transaction, string, error) {
	switch {
	case !entry.IsActive(item.Status) && !entry.IsProposed(item.Status):
		return store.Transaction{}, "", fmt.Errorf("%s is %s; promote is for proposals: lessons edit %s sets another status", item.ID, item.Status, item.ID)
	case !entry.IsProposed(item.Status):
		return store.Transaction{}, fmt.Sprintf("%s is %s already", item.ID, item.Status), nil
	}
	change, err := setStatus(s, item, status)
	if o := s.Log.Get(item.Observation); o != nil {
		observe.PromoteByHand(o)
		o.Status, o.DeprecatedAt = observe.Created, ""
		s.Log.Put(o)
	}
	return store.Transaction{Changes: change, Log: s.Log}, item.ID + " is " + strings.ToLower(status), err
}

func promoteLesson(s *store.Snapshot, item Item, by Reviewer) (store.Transaction, string, error) {
	if item.Status == "active" {
		return store.Transaction{}, item.Path + " is active already", nil
	}
	revived(s, item.Observation)
	confidence := strconv.FormatFloat(max(item.Confidence, state.VouchedConfidence), 'f', -1, 64)
	change, err := editLesson(s, item.Path, "status", "active", "confidence", confidence, "reviewed_by", by.Name, "reviewed_at", by.At.UTC().Format(time.DateOnly))
	return store.Transaction{Changes: change, Log: s.Log}, item.Path + " is active now" + by.says(), err
}

// ArchiveLesson plans to put a lesson away. Its observation is retired without
// a penalty.
func ArchiveLesson(s *store.Snapshot, item Item, by Reviewer) (store.Transaction, string, error) {
	if item.Kind != string(knowledge.KindLesson) {
		return store.Transaction{}, "", fmt.Errorf("%s is %s; archive is for lessons, deprecate for entries and observations", item.Name(), article(item.Kind))
	}
	if item.Status == "archived" && len(twins(s, item)) == 0 {
		return store.Transaction{Log: retired(s, item.Observation, by.At)}, item.Path + " is archived already", nil
	}
	change, err := editLesson(s, item.Path, "status", "archived", "reviewed_by", by.Name, "reviewed_at", by.At.UTC().Format(time.DateOnly))
	if err != nil {
		return store.Transaction{}, "", err
	}
	said := item.Path + " is archived"
	for _, twin := range twins(s, item) {
		more, err := setStatus(s, twin, "Deprecated")
		if err != nil {
			return store.Transaction{}, "", err
		}
		change, said = append(change, more...), said+", and "+twin.ID+", which tells of the same, is deprecated"
	}
	return store.Transaction{Changes: change, Log: retired(s, item.Observation, by.At)}, said, nil
}

// twins are the pitfalls that came of a lesson's observation and hold: one thing in two
// files.
func twins(s *store.Snapshot, item Item) []Item {
	all := lists.Map(s.Pitfalls, entryItem)
	return lists.Filter(all, func(pf Item) bool {
		return item.Observation != "" && pf.Observation == item.Observation && entry.IsActive(pf.Status)
	})
}

// DeprecateItem plans to retire an entry or an observation without a penalty.
func DeprecateItem(s *store.Snapshot, item Item, by Reviewer) (store.Transaction, string, error) {
	switch item.Kind {
	case string(knowledge.KindADR), string(knowledge.KindPF):
		return deprecateEntry(s, item, by)
	case KindObservation:
		return store.Transaction{Log: retired(s, item.ID, by.At)}, item.ID + " is deprecated", nil
	case string(knowledge.KindLesson):
		return store.Transaction{}, "", fmt.Errorf("%s is a lesson: lessons archive %s puts it away", item.Path, item.Name())
	default:
		return store.Transaction{}, "", fmt.Errorf("%s is %s: git rm removes it", item.Path, article(item.Kind))
	}
}

func deprecateEntry(s *store.Snapshot, item Item, by Reviewer) (store.Transaction, string, error) {
	change, err := setStatus(s, item, "Deprecated")
	if err != nil {
		return store.Transaction{}, "", err
	}
	return store.Transaction{Changes: change, Log: retired(s, item.Observation, by.At)}, item.ID + " is deprecated", nil
}

// Artifact is the lesson or entry that an observation became, else the item itself: who
// speaks of one speaks of both.
func Artifact(s *store.Snapshot, item Item) Item {
	if item.Kind != KindObservation {
		return item
	}
	items := Artifacts(s)
	for _, kind := range []knowledge.Kind{knowledge.KindLesson, knowledge.KindADR, knowledge.KindPF} {
		for _, i := range items {
			if i.Kind == string(kind) && item.Rendered(i.Observation) {
				return i
			}
		}
	}
	return item
}

// Promotable says whether a person can bring an item into force.
func Promotable(item Item) bool {
	return item.Kind == string(knowledge.KindLesson) || entry.IsProposed(item.Status)
}

// Superseded is the text of an item's file in which another one takes its place: a
// lesson's id or ADR-001.
func Superseded(item Item, text []byte, by string) ([]byte, error) {
	if item.Kind == string(knowledge.KindLesson) {
		return frontmatter.Edit(text, "superseded_by", by)
	}
	book, _ := entry.ParseBook(item.Path, text)
	return book.SetStatus(item.number, "Superseded by "+by)
}

// setStatus sets the status of an entry.
func setStatus(s *store.Snapshot, item Item, status string) ([]store.Change, error) {
	before := s.Before(item.Path)
	if before == nil {
		return nil, &NotFoundError{Name: item.Path}
	}
	book, _ := entry.ParseBook(item.Path, before)
	after, err := book.SetStatus(item.number, status)
	return []store.Change{{Path: item.Path, Before: before, After: after}}, err
}

// editLesson sets front matter values, given as key and value in turn.
func editLesson(s *store.Snapshot, path string, pairs ...string) ([]store.Change, error) {
	before := s.Before(path)
	if before == nil {
		return nil, &NotFoundError{Name: path}
	}
	after, err := editedLesson(before, pairs...)
	return []store.Change{{Path: path, Before: before, After: after}}, err
}

// editedLesson is the text of a lesson with front matter values set, given as key and value
// in turn. An empty value is set only over another one: who reviewed it before did not now.
func editedLesson(text []byte, pairs ...string) ([]byte, error) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" && !frontmatter.Has(text, pairs[i]) {
			continue
		}
		var err error
		if text, err = frontmatter.Edit(text, pairs[i], pairs[i+1]); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// retired returns the log with the observation deprecated by a person, or nil
// when this clone does not have it.
func retired(s *store.Snapshot, id string, at time.Time) *observe.Log {
	o := s.Log.Get(id)
	if o == nil || o.Status == observe.Deprecated {
		return nil
	}
	observe.Deprecate(o, at)
	s.Log.Put(o)
	return s.Log
}

// revived takes back that a person retired the observation.
func revived(s *store.Snapshot, id string) {
	if o := s.Log.Get(id); o != nil && o.Status == observe.Deprecated {
		o.Status, o.DeprecatedAt = observe.Created, ""
		s.Log.Put(o)
	}
}

func article(kind string) string {
	switch kind {
	case string(knowledge.KindADR):
		return "a decision"
	case string(knowledge.KindPF):
		return "a pitfall"
	case KindObservation:
		return "an observation"
	default:
		return "a " + kind
	}
}

// MergeInto plans that another item of its kind takes the place of an item and what is known
// of it: the item says so, and the other one has its evidence.
func MergeInto(s *store.Snapshot, item, into Item, by Reviewer) (store.Transaction, string, error) {
	if item.Kind != into.Kind && item.Kind != KindObservation {
		return store.Transaction{}, "", fmt.Errorf("%s is %s and %s is %s: only things of one kind are merged", item.Name(), article(item.Kind), into.Name(), article(into.Kind))
	}
	if item.Place() == into.Place() {
		return store.Transaction{}, "", errors.New(item.Name() + " cannot be merged with itself")
	}
	t := store.Transaction{}
	if item.Kind != KindObservation {
		name := into.ID
		text, err := Superseded(item, s.Before(item.Path), name)
		if err == nil && item.Kind == string(knowledge.KindLesson) {
			text, err = editedLesson(text, "status", "archived", "reviewed_by", by.Name, "reviewed_at", by.At.UTC().Format(time.DateOnly))
		}
		if err != nil {
			return t, "", err
		}
		t.Changes = []store.Change{{Path: item.Path, Before: s.Before(item.Path), After: text}}
	}
	from, to := s.Log.Get(item.Observation), s.Log.Get(into.Observation)
	if from != nil && to != nil && from.ID != to.ID {
		observe.Share(to, from)
		s.Log.Put(to)
	}
	if from != nil && (to == nil || from.ID != to.ID) {
		t.Log = retired(s, from.ID, by.At)
	}
	return t, item.Name() + " is merged into " + into.Name() + ", which takes its place", nil
}

// Vouch plans that a person stands for an item as it is: what sessions say otherwise about
// it needs no review any more.
func Vouch(s *store.Snapshot, item Item) (store.Transaction, string) {
	o := s.Log.Get(item.Observation)
	if o == nil {
		return store.Transaction{}, item.Name() + " stays as it is"
	}
	observe.PromoteByHand(o)
	s.Log.Put(o)
	return store.Transaction{Log: s.Log}, item.Name() + " stays as it is, on your word"
}

// RemoveItem plans to take an item's file, or its section of a book, out of the work tree.
func RemoveItem(s *store.Snapshot, item Item) ([]store.Change, error) {
	before := s.Before(item.Path)
	if before == nil {
		return nil, &NotFoundError{Name: item.Path}
	}
	change := store.Change{Path: item.Path, Before: before}
	if item.number > 0 && !entry.IsFile(item.Path) {
		book, _ := entry.ParseBook(item.Path, before)
		at := slices.IndexFunc(book.Entries, func(e entry.Entry) bool { return e.Number == item.number && e.Line == item.Line })
		if at < 0 {
			return nil, &NotFoundError{Name: item.Place()}
		}
		change.After = book.Without(book.Entries[at].Start)
	}
	return []store.Change{change}, nil
}
