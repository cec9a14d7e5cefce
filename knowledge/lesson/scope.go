package lesson

// Scope says for which repositories a lesson holds.
type Scope string

// The scopes, the stronger first (DESIGN section 9).
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
// and an active one with the same canonical trigger.
func Holding(project, user []*Lesson) (holding []*Lesson, shadowed []Shadow) {
	ids, triggers := map[string]*Lesson{}, map[string]*Lesson{}
	for _, l := range project {
		if ids[l.ID] == nil && l.ID != "" {
			ids[l.ID] = l
		}
		if text := CanonicalTrigger(&l.Triggers); text != "" && l.Status == Active && triggers[text] == nil {
			triggers[text] = l
		}
	}
	holding = append(holding, project...)
	for _, l := range user {
		if by := ids[l.ID]; by != nil {
			shadowed = append(shadowed, Shadow{l, by, "the same id"})
		} else if by := triggers[CanonicalTrigger(&l.Triggers)]; by != nil {
			shadowed = append(shadowed, Shadow{l, by, "the same trigger"})
		} else {
			holding = append(holding, l)
		}
	}
	return holding, shadowed
}
