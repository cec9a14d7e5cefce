package lesson

import "testing"

func TestTerm(t *testing.T) {
	c := Calendar{
		Today: "2026-11-22", Reached: func(tag string) bool { return tag == "v1.0.0" },
		Stands: func(id string) bool { return id == "next" },
	}
	for _, tt := range []struct {
		name         string
		l            Lesson
		why, changes string
	}{
		{"no bounds", Lesson{}, "", ""},
		{"its day has come", Lesson{ValidFrom: "2026-11-22"}, "", ""},
		{"its day comes", Lesson{ValidFrom: "2026-11-23"}, "valid from 2026-11-23", "2026-11-23"},
		{"its last day", Lesson{ValidUntil: "2026-11-22"}, "", "2026-11-23"},
		{"its last day is over", Lesson{ValidUntil: "2026-11-21"}, "valid until 2026-11-21", ""},
		{"it expires", Lesson{Expires: "2026-12-31"}, "", "2027-01-01"},
		{"it expired", Lesson{Expires: "2026-01-01"}, "expired 2026-01-01", ""},
		{"the first of two changes", Lesson{Expires: "2026-12-31", ValidUntil: "2026-11-30"}, "", "2026-12-01"},
		{"from a tag that is there", Lesson{ValidFrom: "v1.0.0"}, "", ""},
		{"from a tag to come", Lesson{ValidFrom: "v2.0.0"}, "valid from v2.0.0", ""},
		{"until a tag that is there", Lesson{ValidUntil: "v1.0.0"}, "valid until v1.0.0", ""},
		{"until a tag to come", Lesson{ValidUntil: "v2.0.0"}, "", ""},
		{"another one takes its place", Lesson{ID: "old", SupersededBy: "next"}, "superseded by next", ""},
		{"another one that is not there", Lesson{ID: "old", SupersededBy: "gone"}, "", ""},
		{"itself", Lesson{ID: "next", SupersededBy: "next"}, "", ""},
	} {
		if why, changes := tt.l.Term(c); why != tt.why || changes != tt.changes {
			t.Errorf("%s: %q, changes %q; want %q, %q", tt.name, why, changes, tt.why, tt.changes)
		}
	}
	if why, _ := (&Lesson{ValidUntil: "v1.0.0"}).Term(Calendar{Today: "2026-11-22"}); why != "" {
		t.Errorf("where no tag can be asked for: %s", why)
	}
}
