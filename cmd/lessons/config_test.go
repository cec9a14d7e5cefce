package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// The settings are gone through one by one: what is left empty stays, what does not fit
// is asked for again.
func TestSettingsOneByOne(t *testing.T) {
	dir, home := gittest.New(t).Dir, t.TempDir()
	answers := "\n" + "lots\n3000\n" + "q\n"
	status, out := do(dir, home, answers, true, "config", "--interactive")
	if status != 0 || !strings.Contains(out, "injectionBudgetBytes must be") || !strings.Contains(out, "injectionBudgetBytes is 3000 now, in .lessons/config.json") {
		t.Errorf("exit status %d\n%s", status, out)
	}
	status, out = do(dir, home, strings.Repeat("\n", 80), true, "config", "--user", "--interactive")
	if status != 0 || !strings.Contains(out, "debug [false]:") {
		t.Errorf("exit status %d\n%s", status, out)
	}
	if _, err := os.Stat(filepath.Join(home, ".config", "lessons", "config.json")); err == nil {
		t.Error("settings were written that nobody gave")
	}
}
