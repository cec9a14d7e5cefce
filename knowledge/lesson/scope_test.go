package lesson

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/provenance"
)

func TestTheRepositorysLessonWins(t *testing.T) {
	lesson := func(id, status string, commands ...string) *Lesson {
		return &Lesson{ID: id, Status: status, Triggers: Trigger{Commands: commands}}
	}
	for name, c := range map[string]struct {
		project, user *Lesson
		shadowed      string // why; empty: both hold
	}{
		"another":              {lesson("P", "active", "make"), lesson("U", "active", "npm"), ""},
		"the same id":          {lesson("P", "active", "make"), lesson("P", "active", "npm"), "the same id"},
		"archived here":        {lesson("P", "archived", "make"), lesson("P", "active", "make"), "the same id"},
		"the same trigger":     {lesson("P", "active", "make", "npm"), lesson("U", "active", "npm", " make "), "the same trigger"},
		"a draft is not shown": {lesson("P", "draft", "make"), lesson("U", "active", "make"), ""},
		"an archived trigger":  {lesson("P", "archived", "make"), lesson("U", "active", "make"), ""},
		"no trigger":           {lesson("P", "active"), lesson("U", "active"), ""},
		"no id":                {lesson("", "active", "make"), lesson("", "active", "npm"), ""},
	} {
		list, shadowed := Holding(provenance.Parted([]*Lesson{c.project}, nil), []*Lesson{c.user})
		holding := list.All()
		if c.shadowed == "" {
			if len(holding) != 2 || holding[0] != c.project || holding[1] != c.user || len(shadowed) != 0 {
				t.Errorf("%s: %v %v", name, holding, shadowed)
			}
			continue
		}
		if len(holding) != 1 || holding[0] != c.project || len(shadowed) != 1 || shadowed[0] != (Shadow{c.user, c.project, c.shadowed}) {
			t.Errorf("%s: %v %v", name, holding, shadowed)
		}
	}
	if holding, _ := Holding(provenance.List[*Lesson]{}, []*Lesson{lesson("U", "active", strings.Repeat("x", 3))}); len(holding.Trusted()) != 1 {
		t.Error("a repository without lessons has none of its person's")
	}
}

func TestWhatNobodyReviewedTakesNoPlace(t *testing.T) {
	lesson := func(id, status string, commands ...string) *Lesson {
		return &Lesson{ID: id, Status: status, Triggers: Trigger{Commands: commands}}
	}
	user := lesson("U", "active", "make")
	for name, c := range map[string]struct {
		theirs *Lesson
		holds  bool // beside the person's lesson, and behind it
	}{
		"another":               {lesson("T", "active", "npm"), true},
		"the same id":           {lesson("U", "active", "npm"), false},
		"the same id, archived": {lesson("U", "archived", "make"), false},
		"the same trigger":      {lesson("T", "active", "make"), true},
	} {
		holding, shadowed := Holding(provenance.Parted(nil, []*Lesson{c.theirs}), []*Lesson{user})
		if all := holding.All(); len(all) == 0 || all[0] != user || len(holding.Trusted()) != 1 || (len(all) == 2) != c.holds || (len(shadowed) == 0) != c.holds {
			t.Errorf("%s: %v %v", name, holding, shadowed)
		}
	}
}
