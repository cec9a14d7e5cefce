package compile_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
)

func TestFingerprintChangesWithNamesSizesAndTimes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, at int64) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, time.Time{}, time.Unix(at, 5)); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[inject.Fingerprint]string{}
	last := inject.Fingerprint{}
	fingerprint := func(what string, changes bool) {
		t.Helper()
		f, err := compile.Fingerprint(fsx.OS{}, dir)
		if err != nil {
			t.Fatal(err)
		}
		if before, old := seen[f]; changes && old {
			t.Errorf("%s: same fingerprint as %s", what, before)
		} else if !changes && f != last {
			t.Errorf("%s changed the fingerprint", what)
		}
		seen[f], last = what, f
	}
	fingerprint("empty", true)
	write("a.md", "x", 100)
	fingerprint("a lesson", true)
	write("a.md", "y", 100)
	fingerprint("an edit that keeps size and time", false)
	write("a.md", "y", 101)
	fingerprint("another time", true)
	write("a.md", "yy", 101)
	fingerprint("another size", true)
	write("b.md", "yy", 101)
	fingerprint("another lesson", true)
	write("notes.txt", "x", 1)
	fingerprint("a file that is no lesson", false)
	write("config.json", "{}", 1)
	fingerprint("settings", true)
	if err := os.Rename(filepath.Join(dir, "b.md"), filepath.Join(dir, "c.md")); err != nil {
		t.Fatal(err)
	}
	fingerprint("another name", true)

	if f, err := compile.Fingerprint(fsx.OS{}, filepath.Join(dir, "none")); err != nil || seen[f] != "empty" {
		t.Errorf("a missing folder: %v", err)
	}
	if _, err := compile.Fingerprint(fsx.OS{}, filepath.Join(dir, "a.md")); err == nil {
		t.Error("a file passes for a folder")
	}
}

func TestLanguagesComeFromManifests(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "pyproject.toml", "setup.py"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "Cargo.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := compile.Languages(fsx.OS{}, dir); !slices.Equal(got, []string{"go", "python"}) {
		t.Errorf("languages %v", got)
	}
}

func FuzzMatch(f *testing.F) {
	data, _ := compile.Compile(own(many(60)...), options())
	f.Add("Bash", "pytest -v && git sub-3", "a/b.go", "TODO(x)", "topic8 of work")
	f.Add("Edit", "", "../../x", "*** Begin Patch\n*** Update File: a\n+x", "\xff")
	f.Fuzz(func(t *testing.T, tool, command, path, content, recent string) {
		x, err := inject.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		c := inject.Call{Tool: tool, Command: command, Paths: []string{path}, Content: content, Recent: []string{recent}, Prompt: recent, Root: "/repo", Agent: recent}
		var slow []string
		for _, m := range x.Explain(c, patient) {
			if m.OK {
				slow = append(slow, m.Lesson.ID)
			}
		}
		var fast []string
		for _, m := range x.Match(c, patient) {
			fast = append(fast, m.Lesson.ID)
		}
		if !slices.Equal(slow, fast) {
			t.Errorf("lookup finds %v, all tests find %v", fast, slow)
		}
		x.Prompt(recent)
		if x.Err() != nil {
			t.Error(x.Err())
		}
	})
}

// What the compiler reads of triggers comes from people and from other clones.
func FuzzCompile(f *testing.F) {
	f.Add("git push --force", "--dry-run", `\bx\b`, "{a,b}/**/*.go")
	f.Add("sudo", "A=b", "(?i)x|y+", "[")
	f.Fuzz(func(t *testing.T, command, unless, pattern, glob string) {
		for _, l := range many(1) {
			l.Triggers.Commands, l.Triggers.Unless = []string{command}, []string{unless}
			l.Triggers.CommandPatterns, l.Triggers.Content, l.Triggers.Paths = []string{pattern}, []string{pattern}, []string{glob}
			data, _ := compile.Compile(own(append(many(3), l)...), options())
			x, err := inject.Open(data)
			if err != nil {
				t.Fatal(err)
			}
			x.Match(inject.Call{Tool: "Bash", Command: command, Paths: []string{glob}, Content: pattern}, inject.Options{})
			if x.Err() != nil {
				t.Error(x.Err())
			}
		}
	})
}
