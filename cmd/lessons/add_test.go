package main

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// At a terminal a person says what becomes of something similar.
func TestAddAsksAboutWhatIsSimilar(t *testing.T) {
	first := []string{"add", "Retries", "--command", "curl --retry 3", "--mistake", "too few", "--fix", "curl --retry 5"}
	second := []string{"add", "Retries", "--command", "curl --retry 3", "--mistake", "too few", "--fix", "curl --retry 10"}
	for _, c := range []struct {
		answer  string
		flags   []string
		status  int
		says    string
		lessons int // that there are afterwards
	}{
		{"b\n", nil, 0, "kept beside .lessons/retries-", 2},
		{"s\n", nil, 0, "is superseded by .lessons/retries-", 2},
		{"e\n", nil, 0, "counted as evidence of .lessons/retries-", 1},
		{"q\n", nil, exitInterrupted, "Keep [b]oth", 1},
		{"", nil, exitInterrupted, "Keep [b]oth", 1},
		{"", []string{"--keep-both"}, 0, "kept beside", 2},
	} {
		dir, home := gittest.New(t).Dir, t.TempDir()
		if status, out := do(dir, home, "", false, first...); status != 0 {
			t.Fatalf("exit status %d\n%s", status, out)
		}
		status, out := do(dir, home, c.answer, true, append(second, c.flags...)...)
		if status != c.status || !strings.Contains(out, c.says) || !strings.Contains(out, "+**Fix**: curl --retry 10") {
			t.Errorf("%q %q: exit status %d\n%s", c.answer, c.flags, status, out)
		}
		_, list := do(dir, home, "", false, "list", "--kind", "lesson")
		if n := strings.Count(list, "retries-"); n < c.lessons || c.lessons == 1 && n != 1 {
			t.Errorf("%q %q: %d lessons, want %d\n%s", c.answer, c.flags, n, c.lessons, list)
		}
	}
}

// A dry run does not say that something was done.
func TestADryRunOfAddDoesNothing(t *testing.T) {
	dir, home := gittest.New(t).Dir, t.TempDir()
	do(dir, home, "", false, "add", "Money", "--type", "decision", "--decision", "cents", "--because", "floats")
	before := treeOf(t, dir)
	for _, args := range [][]string{
		{"add", "Money", "--type", "decision", "--decision", "decimals", "--because", "taxes", "--supersede", "ADR-001"},
		{"add", "Money", "--type", "decision", "--decision", "decimals", "--because", "taxes"},
		{"deprecate", "ADR-001"},
	} {
		_, out := do(dir, home, "", false, append(args, "--dry-run")...)
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "wrote") || strings.HasPrefix(line, "kept") || strings.HasPrefix(line, "ADR-001 is") {
				t.Errorf("%q says %q", args, line)
			}
		}
		if !strings.Contains(out, "would ") || treeOf(t, dir) != before {
			t.Errorf("%q changed something, or says nothing:\n%s", args, out)
		}
	}
}
