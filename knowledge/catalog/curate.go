package catalog

import (
	"fmt"
	"strconv"
	"time"

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

// WrongKindError: a verb was used on something it is not for.
type WrongKindError struct{ Text string }

func (e *WrongKindError) Error() string { return e.Text }

// PromoteLesson plans to make a draft active, with the reviewer's name (rulings
// 24) and the confidence that a person's word gives, and says what it does.
func PromoteLesson(s *store.Snapshot, item Item, by Reviewer) (store.Transaction, string, error) {
	if item.Kind != string(knowledge.KindLesson) {
		return store.Transaction{}, "", &WrongKindError{fmt.Sprintf("%s is %s; only draft lessons and observations are promoted", item.ID, article(item.Kind))}
	}
	if item.Status == "active" {
		return store.Transaction{}, item.Path + " is active already", nil
	}
	revived(s, item.Observation)
	confidence := strconv.FormatFloat(max(item.Confidence, state.VouchedConfidence), 'f', -1, 64)
	change, err := editLesson(s, item.Path, "status", "active", "confidence", confidence, "reviewed_by", by.Name, "reviewed_at", by.At.UTC().Format(time.DateOnly))
	return store.Transaction{Changes: change, Log: s.Log}, item.Path + " is active now, reviewed by " + by.Name, err
}

// ArchiveLesson plans to put a lesson away. Its observation is retired without
// a penalty (rulings 23).
func ArchiveLesson(s *store.Snapshot, item Item, by Reviewer) (store.Transaction, string, error) {
	if item.Kind != string(knowledge.KindLesson) {
		return store.Transaction{}, "", &WrongKindError{fmt.Sprintf("%s is %s; archive is for lessons, deprecate for entries and observations", item.ID, article(item.Kind))}
	}
	if item.Status == "archived" {
		return store.Transaction{}, item.Path + " is archived already", nil
	}
	change, err := editLesson(s, item.Path, "status", "archived", "reviewed_by", by.Name, "reviewed_at", by.At.UTC().Format(time.DateOnly))
	return store.Transaction{Changes: change, Log: retired(s, item.Observation, by.At)}, item.Path + " is archived", err
}

// DeprecateItem plans to retire an entry or an observation without a penalty.
func DeprecateItem(s *store.Snapshot, item Item, by Reviewer) (store.Transaction, string, error) {
	switch item.Kind {
	case string(knowledge.KindADR), string(knowledge.KindPF):
		return deprecateEntry(s, item, by)
	case KindObservation:
		return store.Transaction{Log: retired(s, item.ID, by.At)}, item.ID + " is deprecated", nil
	default:
		return store.Transaction{}, "", &WrongKindError{fmt.Sprintf("%s is %s; archive is for lessons, and other files are removed with git rm", item.ID, article(item.Kind))}
	}
}

func deprecateEntry(s *store.Snapshot, item Item, by Reviewer) (store.Transaction, string, error) {
	before := s.Before(item.Path)
	if before == nil {
		return store.Transaction{}, "", &NotFoundError{Name: item.Path}
	}
	book, problems := entry.ParseBook(item.Path, before)
	if book == nil {
		return store.Transaction{}, "", fmt.Errorf("%s:%d: %s", problems[0].Path, problems[0].Line, problems[0].Text)
	}
	after, err := book.SetStatus(item.number, "Deprecated")
	if err != nil {
		return store.Transaction{}, "", err
	}
	change := store.Change{Path: item.Path, Before: before, After: after}
	return store.Transaction{Changes: []store.Change{change}, Log: retired(s, item.Observation, by.At)}, item.ID + " is deprecated", nil
}

// editLesson sets front matter values, given as key and value in turn.
func editLesson(s *store.Snapshot, path string, pairs ...string) ([]store.Change, error) {
	before := s.Before(path)
	if before == nil {
		return nil, &NotFoundError{Name: path}
	}
	after := before
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		var err error
		if after, err = frontmatter.Edit(after, pairs[i], pairs[i+1]); err != nil {
			return nil, err
		}
	}
	return []store.Change{{Path: path, Before: before, After: after}}, nil
}

// retired returns the log with the observation deprecated by a person, or nil
// when this clone does not have it.
func retired(s *store.Snapshot, id string, at time.Time) *observe.Log {
	o := s.Log.Get(id)
	if o == nil {
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
