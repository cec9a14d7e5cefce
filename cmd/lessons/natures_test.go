package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNatures plays the cases of testdata/natures: what comes of which failure.
// testdata/natures/README.md says how to read and write one.
func TestNatures(t *testing.T) { playCases(t, "testdata/natures") }

// playCases plays each case of a folder. Those that its file "pending" names must
// fail: they say what is not built yet.
func playCases(t *testing.T, dir string) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s (%v)", dir, err)
	}
	pending := pendingCases(t, dir)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		waits := pending[name]
		delete(pending, name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			settle(t, dir, name, waits, playCase(t, string(text)))
		})
	}
	for name := range pending {
		t.Errorf("%s/pending names %s, which is no case", dir, name)
	}
}

// settle fails for what is wrong, or where a case that must still fail passes.
func settle(t *testing.T, dir, name string, waits bool, wrong []string) {
	switch {
	case waits && len(wrong) == 0:
		t.Errorf("%s passes: remove it from %s/pending", name, dir)
	case waits:
		t.Skipf("NOT BUILT YET: %d expectations of %s/%s fail:\n%s", len(wrong), dir, name, strings.Join(wrong, "\n"))
	default:
		for _, w := range wrong {
			t.Errorf("%s/%s: %s", dir, name, w)
		}
	}
}

func pendingCases(t *testing.T, dir string) map[string]bool {
	names := map[string]bool{}
	data, err := os.ReadFile(filepath.Join(dir, "pending"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(data), "\n") {
		if line != "" && !strings.HasPrefix(line, "#") {
			names[line] = true
		}
	}
	return names
}
