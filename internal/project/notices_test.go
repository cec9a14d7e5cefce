package project

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/problem"
)

func met(id, class string, nature problem.Nature, sessions int, what string) *problem.Problem {
	p := &problem.Problem{ID: id, Tool: "Edit", Class: class, Nature: nature, What: what}
	if class == "shell-syntax" {
		p.Tool = "Bash"
	}
	for i := range sessions {
		p.Sessions = append(p.Sessions, string(rune('a'+i)))
	}
	return p
}

// What has one cause is one line of a session's start, and counts as one.
func TestAStartSaysWhatIsNeededFirstOnce(t *testing.T) {
	edits := []*problem.Problem{
		met("p1:a", "edit-state", problem.Precondition, 9, "String to replace not found in file."),
		met("p1:b", "edit-state", problem.Precondition, 7, "File has not been read yet."),
		met("p1:c", "edit-state", problem.Precondition, 4, "Found 8 matches of the string to replace, but replace_all is false."),
		met("p1:d", "edit-state", problem.Precondition, 2, "two sessions are too few"),
		met("p1:e", "shell-syntax", problem.Precondition, 5, "no matches found: docs/*.md"),
	}
	got := (&Evidence{Sessions: 50, Problems: edits}).atStart(nil)
	if len(got) != 2 {
		t.Fatalf("%d notices: %+v", len(got), got)
	}
	if !slices.Equal(got[0].Problems, []string{"p1:a", "p1:b", "p1:c"}) || !slices.Equal(got[1].Problems, []string{"p1:e"}) {
		t.Errorf("of %v and %v", got[0].Problems, got[1].Problems)
	}
	want := "Needed first: String to replace not found in file. (9) and 2 more: read the file again right before the edit; quote more lines around it, or replace all"
	if got[0].Text != want {
		t.Errorf("%q, want %q", got[0].Text, want)
	}
	if got := (&Evidence{Sessions: 91, Problems: edits}).atStart(nil); len(got) != 0 {
		t.Errorf("fewer than one session of ten: %+v", got)
	}
}

// A shell's problem is told at lines with the signs that it is about.
func TestProblemsOfTheShellAreToldWhereTheirSignsAre(t *testing.T) {
	for what, lines := range map[string][2]string{ // told at, not told at
		"no matches found: docs/*.md":     {"ls docs/*.md", "ls docs"},
		"zsh:1: command not found: watch": {"gh pr comment --body \"of `watch`\"", "gh pr list"},
		"parse error near `)'":            {"echo a)", ""},
	} {
		at := placesOf(met("p1:a", "shell-syntax", problem.OtherWay, 3, what))
		if len(at) != 1 {
			t.Fatalf("%s: %d places", what, len(at))
		}
		n := at[0].notice(5)
		signs := regexp.MustCompile(n.Trigger.CommandPatterns[0])
		if !signs.MatchString(lines[0]) || lines[1] != "" && signs.MatchString(lines[1]) {
			t.Errorf("%s: told at the wrong lines by %v", what, n.Trigger.CommandPatterns)
		}
	}
}

func TestAStartNamesTheThreeDearestUnsolvedProblemsOnOneLine(t *testing.T) {
	e := &Evidence{Sessions: 90}
	for i, what := range []string{"no agent runs", "projects are gone", "time is up", "cheap"} {
		p := met("p1:"+what, "other", problem.Unmended, 3, what)
		p.Lost = int64(9 - i)
		e.Problems = append(e.Problems, p)
	}
	got := e.atStart(nil)
	if len(got) != 1 || len(got[0].Problems) != 3 || strings.Contains(got[0].Text, "cheap") || strings.Count(got[0].Text, "tell the person") != 1 {
		t.Errorf("%+v", got)
	}
}
