package lesson

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/provenance"
)

// Scope says for which repositories a lesson holds.
type Scope string

// The scopes, the stronger first.
const (
	ScopeProject Scope = "project" // this repository
	ScopeUser    Scope = "user"    // all repositories of this person
)

// Shadow is a lesson that does not hold here, because one of a stronger scope
// takes its place.
type Shadow struct {
	Lesson *Lesson
	By     *Lesson
	Why    string // "the same id" or "the same trigger"
}

// Holding joins the lessons of a repository with those that a person has for all
// of theirs. The repository's come first and win: one with the same id, whatever
// its status, so that a person's lesson can be archived in one repository alone;
// and an active one with the same canonical trigger. One that nobody here reviewed
// takes no place, and has none beside a trusted lesson with its id.
func Holding(project provenance.List[*Lesson], user []*Lesson) (holding provenance.List[*Lesson], shadowed []Shadow) {
	if len(user) == 0 && len(project.Unreviewed()) == 0 {
		return project, nil
	}
	ids, triggers := map[string]*Lesson{}, map[string]*Lesson{}
	for _, l := range project.Trusted() {
		if ids[l.ID] == nil && l.ID != "" {
			ids[l.ID] = l
		}
		if text := CanonicalTrigger(&l.Triggers); text != "" && l.Status == Active && triggers[text] == nil {
			triggers[text] = l
		}
	}
	var own, theirs []*Lesson
	for _, l := range user {
		if by := ids[l.ID]; by != nil {
			shadowed = append(shadowed, Shadow{l, by, "the same id"})
		} else if by := triggers[CanonicalTrigger(&l.Triggers)]; by != nil {
			shadowed = append(shadowed, Shadow{l, by, "the same trigger"})
		} else {
			own = append(own, l)
			if l.ID != "" {
				ids[l.ID] = l
			}
		}
	}
	for _, l := range project.Unreviewed() {
		if by := ids[l.ID]; by != nil {
			shadowed = append(shadowed, Shadow{l, by, "the same id"})
		} else {
			theirs = append(theirs, l)
		}
	}
	return provenance.Parted(append(slices.Clone(project.Trusted()), own...), theirs), shadowed
}
