package inject

import (
	"strings"
	"testing"
)

// The values are those of the formula, not those that the seed's prose claims
// (algorithms, 2.1).
func TestSeedScoresWorkedExamples(t *testing.T) {
	bump := []string{"version bump", "release"}
	for _, c := range []struct {
		name        string
		lesson      Lesson
		call        Call
		base, final int
		eligible    bool
	}{
		{"ADR-001 1, whole node", Lesson{Priority: 9, Trigger: Trigger{
			Tools: []string{"Write", "Edit"}, SeedPaths: []string{"**/pyproject.toml", "**/plugin.json", "**/marketplace.json", "**/*version*"},
			Keywords: []string{"version bump", "release", "deploy", "update version"}, Context: []string{"deployment", "release"},
		}}, Call{Tool: "Write", Paths: []string{"/path/to/pyproject.toml"}}, 800, 1600, true},
		{"ADR-001 1, two patterns", Lesson{Priority: 9, Trigger: Trigger{
			Tools: []string{"Write", "Edit"}, SeedPaths: []string{"**/plugin.json", "**/*version*"}, Keywords: bump,
		}}, Call{Tool: "Write", Paths: []string{"/path/to/pyproject.toml"}}, 450, 900, true},
		{"ADR-001 1, two patterns, no keywords", Lesson{Priority: 9, Trigger: Trigger{
			Tools: []string{"Write", "Edit"}, SeedPaths: []string{"**/plugin.json", "**/*version*"},
		}}, Call{Tool: "Write", Paths: []string{"/path/to/pyproject.toml"}}, 500, 1000, true},
		{"ADR-003 1", seedNode(9), Call{Tool: "Write", Paths: []string{"/path/to/plugin.json"}, Recent: []string{"Let's bump the version to 0.8.0 and release"}}, 900, 1800, true},
		{"ADR-003 2", seedNode(9), Call{Tool: "Write", Paths: []string{"/path/to/README.md"}, Recent: []string{"Update the documentation"}}, 450, 900, true},
		{"ADR-003 3", seedNode(9), Call{Tool: "Read", Paths: []string{"/path/to/plugin.json"}}, 450, 900, true},
		{"ADR-003 4", seedNode(2), Call{Tool: "Write", Paths: []string{"/path/to/README.md"}, Recent: []string{"Update the documentation"}}, 450, 225, false},
		{"ADR-005 1", Lesson{Priority: 9, Trigger: Trigger{SeedPaths: []string{"**/plugin.json"}}}, Call{Tool: "Write", Paths: []string{"/path/to/plugin.json"}}, 700, 1400, true},
		{"ADR-005 1, a file at the root", Lesson{Priority: 9, Trigger: Trigger{SeedPaths: []string{"**/plugin.json"}}}, Call{Tool: "Write", Paths: []string{"plugin.json"}}, 700, 1400, true},
		{"ADR-005 1, another file at the root", Lesson{Priority: 9, Trigger: Trigger{SeedPaths: []string{"**/plugin.json"}}}, Call{Tool: "Write", Paths: []string{"my-plugin.json"}}, 300, 600, false},
		{"ADR-005 2", Lesson{Priority: 1, Trigger: Trigger{SeedPaths: []string{"**/config.json"}, Keywords: []string{"configure", "setup"}}}, Call{Tool: "Write", Paths: []string{"/path/to/config.json"}, Recent: []string{"Let's configure the settings"}}, 700, 350, false},
		{"no triggers, critical", Lesson{Priority: 9}, Call{Tool: "Write"}, 500, 1000, true},
		{"no triggers, high", Lesson{Priority: 7}, Call{Tool: "Write"}, 500, 750, true},
		{"no triggers, medium", Lesson{Priority: 5}, Call{Tool: "Write"}, 500, 500, false},
		{"tool only, medium: on the threshold", Lesson{Priority: 5, Trigger: Trigger{Tools: []string{"Write"}}}, Call{Tool: "Write"}, 700, 700, true},
		{"low reaches it never", Lesson{Priority: 3, Trigger: Trigger{Tools: []string{"Write"}, SeedPaths: []string{"*"}, Keywords: []string{"a"}, Context: []string{"a"}}}, Call{Tool: "Write", Paths: []string{"x"}, Recent: []string{"a"}}, 1000, 500, false},
		// 0.4 + 0.2 + 0.1/3 + 0.2/3 is 0.7 exactly: rounding each part down would lose it.
		{"thirds", Lesson{Priority: 5, Trigger: Trigger{Tools: []string{"Write"}, Keywords: []string{"a", "x1", "x2"}, Context: []string{"a", "b", "x1"}}}, Call{Tool: "Write", Recent: []string{"a b"}}, 700, 700, true},
	} {
		s := ScoreSeed(&c.lesson, c.call)
		if s.Base != c.base || s.Final != c.final || s.Eligible != c.eligible {
			t.Errorf("%s: %s; want %d, %d, %v", c.name, s.String(), c.base, c.final, c.eligible)
		}
	}
}

func seedNode(priority int) Lesson {
	return Lesson{Priority: priority, Trigger: Trigger{
		Tools: []string{"Write", "Edit"}, SeedPaths: []string{"**/plugin.json"}, Keywords: []string{"version bump", "release"},
	}}
}

func TestSeedTakesTheBestThreeOfItsTools(t *testing.T) {
	var lessons []Lesson
	for i, priority := range []int{9, 9, 7, 5, 9} {
		lessons = append(lessons, Lesson{ID: string(rune('a' + i)), Priority: priority, Trigger: Trigger{SeedPaths: []string{"*.go"}}})
	}
	x, err := Open(Encode(lessons, Header{Settings: Settings{Scoring: ScoringSeed}}))
	if err != nil {
		t.Fatal(err)
	}
	call := Call{Tool: "Edit", Paths: []string{"/r/a.go"}}
	got := ""
	for _, m := range x.Match(call, Options{}) {
		got += m.Lesson.ID
	}
	if got != "abe" {
		t.Errorf("injected %s", got)
	}
	call.Tool = "Read"
	for _, m := range x.Match(call, Options{}) {
		t.Errorf("a read injects %s", m.Lesson.ID)
	}
	if all := x.Explain(call, Options{}); len(all) != 5 || why(all[0]) == "" || all[0].Score == nil {
		t.Errorf("explain: %v", all)
	}
}

// why is the first reason that speaks against a match, else all of them.
func why(m Match) string {
	var all []string
	for _, r := range m.Reasons {
		if !r.OK {
			return r.String()
		}
		all = append(all, r.String())
	}
	return strings.Join(all, "; ")
}
