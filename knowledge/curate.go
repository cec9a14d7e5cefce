package knowledge

import (
	"fmt"
	"time"
)

// Reviewer is the person who speaks, and when.
type Reviewer struct {
	Name string
	At   time.Time
}

// WrongKindError: a verb was used on something it is not for.
type WrongKindError struct{ Text string }

func (e *WrongKindError) Error() string { return e.Text }

// PromoteLesson plans to make a draft active, with the reviewer's name
// (rulings 24), and says what it does.
func PromoteLesson(s *Snapshot, item Item, by Reviewer) (Transaction, string, error) {
	if item.Kind != string(KindLesson) {
		return Transaction{}, "", &WrongKindError{fmt.Sprintf("%s is %s; only draft lessons and observations are promoted", item.ID, article(item.Kind))}
	}
	if item.Status == "active" {
		return Transaction{}, item.Path + " is active already", nil
	}
	revived(s, item.Observation)
	change, err := editLesson(s, item.Path, "status", "active", "reviewed_by", by.Name, "reviewed_at", by.At.UTC().Format(time.DateOnly))
	return Transaction{Changes: change, Log: s.Log}, item.Path + " is active now, reviewed by " + by.Name, err
}

// ArchiveLesson plans to put a lesson away. Its observation is retired without
// a penalty (rulings 23).
func ArchiveLesson(s *Snapshot, item Item, by Reviewer) (Transaction, string, error) {
	if item.Kind != string(KindLesson) {
		return Transaction{}, "", &WrongKindError{fmt.Sprintf("%s is %s; archive is for lessons, deprecate for entries and observations", item.ID, article(item.Kind))}
	}
	if item.Status == "archived" {
		return Transaction{}, item.Path + " is archived already", nil
	}
	change, err := editLesson(s, item.Path, "status", "archived", "reviewed_by", by.Name, "reviewed_at", by.At.UTC().Format(time.DateOnly))
	return Transaction{Changes: change, Log: retired(s, item.Observation, by.At)}, item.Path + " is archived", err
}

// DeprecateItem plans to retire an entry or an observation without a penalty.
func DeprecateItem(s *Snapshot, item Item, by Reviewer) (Transaction, string, error) {
	switch item.Kind {
	case string(KindADR), string(KindPF):
		return deprecateEntry(s, item, by)
	case KindObservation:
		return Transaction{Log: retired(s, item.ID, by.At)}, item.ID + " is deprecated", nil
	default:
		return Transaction{}, "", &WrongKindError{fmt.Sprintf("%s is %s; archive is for lessons, and other files are removed with git rm", item.ID, article(item.Kind))}
	}
}

func deprecateEntry(s *Snapshot, item Item, by Reviewer) (Transaction, string, error) {
	before := s.Before(item.Path)
	if before == nil {
		return Transaction{}, "", &NotFoundError{Name: item.Path}
	}
	book, problems := ParseBook(item.Path, before)
	if book == nil {
		return Transaction{}, "", fmt.Errorf("%s:%d: %s", problems[0].Path, problems[0].Line, problems[0].Text)
	}
	after, err := book.SetStatus(item.number, "Deprecated")
	if err != nil {
		return Transaction{}, "", err
	}
	change := Change{Path: item.Path, Before: before, After: after}
	return Transaction{Changes: []Change{change}, Log: retired(s, item.Observation, by.At)}, item.ID + " is deprecated", nil
}

// editLesson sets front matter values, given as key and value in turn.
func editLesson(s *Snapshot, path string, pairs ...string) ([]Change, error) {
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
		if after, err = EditFrontMatter(after, pairs[i], pairs[i+1]); err != nil {
			return nil, err
		}
	}
	return []Change{{Path: path, Before: before, After: after}}, nil
}

// retired returns the log with the observation deprecated by a person, or nil
// when this clone does not have it.
func retired(s *Snapshot, id string, at time.Time) *Log {
	o := s.Log.Get(id)
	if o == nil {
		return nil
	}
	Deprecate(o, at)
	s.Log.Put(o)
	return s.Log
}

// revived takes back that a person retired the observation.
func revived(s *Snapshot, id string) {
	if o := s.Log.Get(id); o != nil && o.Status == Deprecated {
		o.Status, o.DeprecatedAt = Created, ""
		s.Log.Put(o)
	}
}

func article(kind string) string {
	switch kind {
	case string(KindADR):
		return "a decision"
	case string(KindPF):
		return "a pitfall"
	case KindObservation:
		return "an observation"
	default:
		return "a " + kind
	}
}
