package lesson

import (
	"strings"
	"testing"
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
		holding, shadowed := Holding([]*Lesson{c.project}, []*Lesson{c.user})
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
	if holding, _ := Holding(nil, []*Lesson{lesson("U", "active", strings.Repeat("x", 3))}); len(holding) != 1 {
		t.Error("a repository without lessons has none of its person's")
	}
}
