package scan

import "testing"

func TestNotes(t *testing.T) {
	testDetector(t, notes{}, func(f finding) string { return f.title }, []detectorCase{
		{"a lesson learned", story{says("It passes.\n\nLesson learned: run make generate before go test ./api.")}, []string{"Run make generate before go test ./api"}},
		{"an intention", story{says("Going forward, I'll use pnpm and not npm here.")}, []string{"Use pnpm and not npm here"}},
		{"a list, in bold", story{says("- **Important:** never edit gen/api.go by hand\n- **Note for future:** the fixtures are made by tools/seed")}, []string{"Never edit gen/api.go by hand", "The fixtures are made by tools/seed"}},
		{"two of a message", story{says("From now on: always do one thing\nFrom now on: always do two things\nFrom now on: always do three things")}, []string{"Always do one thing", "Always do two things"}},
		{"in a fence", story{says("```\nLesson learned: run make generate first\n```")}, nil},
		{"in a quotation", story{says("> Important: never edit gen/api.go by hand")}, nil},
		{"in a sentence", story{says("This is important: never edit gen/api.go by hand. What I do from now on is test.")}, nil},
		{"a question", story{says("Going forward, should I use pnpm and not npm?")}, nil},
		{"too short", story{says("Important: read this")}, nil},
		{"the person's words", story{user("Important: never edit gen/api.go by hand")}, nil},
		{"a result", story{bash("cat NOTES.md", ok, "Lesson learned: run make generate before go test")}, nil},
	})
}
