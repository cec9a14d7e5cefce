package compile

import (
	"testing"

	"github.com/lessons-cli/lessons/knowledge/lesson"
)

func TestListsAndPointersAreNoCommands(t *testing.T) {
	for fix, want := range map[string]string{
		"1. plugin.json 2. CHANGELOG.md": "", "read .lessons/x-1234.md": "", "git push": "git push", "run `make fmt` first": "make fmt",
		"1. run `make fmt`": "make fmt",
	} {
		if got := commandIn(fix); got != want {
			t.Errorf("the command of %q is %q, want %q", fix, got, want)
		}
	}
}

// Two lessons contradict each other where one call brings both and their fixes exclude
// each other on one word.
func TestContradictions(t *testing.T) {
	l := func(command, fix string) *lesson.Lesson {
		return &lesson.Lesson{Path: fix, Kind: lesson.Warning, Triggers: lesson.Trigger{Commands: []string{command}}, Body: "**Fix**: " + fix + "\n"}
	}
	for _, c := range []struct {
		name string
		a, b *lesson.Lesson
		want bool
	}{
		{"another value of one flag", l("go test -timeout=30", "go test -timeout=30s"), l("go test -timeout=30", "go test -timeout=60s"), true},
		{"another value behind a flag", l("curl", "curl --retry 5"), l("curl", "curl --retry 9"), true},
		{"a trigger within the other", l("go test", "go test -timeout=30s"), l("go test -race", "go test -timeout=60s"), true},
		{"another program", l("npm install", "`yarn install`"), l("npm install", "`pnpm install`"), true},
		{"two flags", l("pytest", "pytest -q"), l("pytest", "pytest -x"), false},
		{"two things", l("pytest", "run it in the container"), l("pytest", "pytest -x"), false},
		{"the same", l("pytest", "pytest -x"), l("pytest", "`pytest -x`"), false},
		{"other calls", l("curl", "curl --retry 5"), l("wget", "curl --retry 9"), false},
		{"each what the other stops", l("npm install", "`yarn add`"), l("yarn add", "`npm install`"), true},
	} {
		if got := Contradicts(c.a, c.b); (got != "") != c.want || (Contradicts(c.b, c.a) != "") != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
