package project_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// later is a clock for which every file has been at rest for long.
func later() time.Time { return time.Now().Add(time.Hour) }

func openProject(t *testing.T, dir string, now func() time.Time) *project.Project {
	t.Helper()
	p, err := project.Open(context.Background(), dir, project.Machine{
		Home: t.TempDir(), Env: func(string) string { return "" }, Now: now, FS: fsx.OS{},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func entry(number, title string) string {
	return "## " + number + ": " + title + "\n\n- **Status**: Accepted\n"
}

// tick waits for the next step of the clock that the system gives files.
func tick(t *testing.T) {
	t.Helper()
	probe := filepath.Join(t.TempDir(), "probe")
	for first := writtenAt(t, probe); writtenAt(t, probe).Equal(first); {
	}
}

// writtenAt writes a file and says when that was.
func writtenAt(t *testing.T, name string) time.Time {
	t.Helper()
	if err := os.WriteFile(name, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

// TestTheIndexIsNeverStale: whatever changes, the memo tells what a fresh
// reading tells, also when times and sizes are made to look the same.
func TestTheIndexIsNeverStale(t *testing.T) {
	r := gittest.New(t)
	p := openProject(t, r.Dir, later)
	old := time.Now().Add(-time.Hour)
	book := ".memory/knowledge/decisions.md"
	write := func(path, text string, at time.Time) {
		r.Write(path, text)
		if err := os.Chtimes(filepath.Join(r.Dir, path), at, at); err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		name string
		do   func()
		want string
	}{
		{"nothing", func() {}, "(none)"},
		{"a book", func() { write(book, "# D\n\n"+entry("ADR-001", "One"), old) }, "One"},
		{"the same again", func() {}, "One"},
		{"another text of the same length and time", func() {
			r.Remove(book)
			write(book, "# D\n\n"+entry("ADR-001", "Two"), old)
		}, "Two"},
		{"written in place, with the same time", func() { write(book, "# D\n\n"+entry("ADR-001", "Ten"), old) }, "Ten"},
		{"an entry file", func() { write(".memory/knowledge/decisions/ADR-002-b.md", entry("ADR-002", "Extra"), old) }, "Extra"},
		{"an entry file less", func() { r.Remove(".memory/knowledge/decisions/ADR-002-b.md") }, "Ten"},
		{"settings", func() { write(".lessons/config.json", `{"layout":"files"}`, old) }, "ADR-NNN-*.md"},
		{"no book", func() { r.Remove(book) }, "(none)"},
	}
	for _, s := range steps {
		tick(t)
		s.do()
		for _, round := range []string{"first", "second"} {
			got, _, err := p.IndexText(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(got, s.want) {
				t.Errorf("%s, %s time: %q lacks %q", s.name, round, got, s.want)
			}
		}
	}
}

func TestTheIndexMemoIsUsedOnceFilesAreAtRest(t *testing.T) {
	r := gittest.New(t)
	r.Write(".memory/knowledge/decisions.md", "# D\n\n"+entry("ADR-001", "One"))
	written := writtenAt(t, filepath.Join(r.Dir, "now"))
	fresh := openProject(t, r.Dir, func() time.Time { return written })
	trustAll(t, fresh) // what is to be reviewed is never remembered
	if _, _, err := fresh.IndexText(t.Context()); err != nil {
		t.Fatal(err)
	}
	memo := filepath.Join(fresh.Store.Places.Local, "index-memo")
	if _, err := os.Stat(memo); err == nil {
		t.Fatal("a file that changed a moment ago was remembered")
	}
	p := openProject(t, r.Dir, later)
	trustAll(t, p)
	if _, _, err := p.IndexText(t.Context()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(memo)
	if err != nil {
		t.Skipf("SKIPPED, this system does not tell when a file changed: %v", err)
	}
	if err := os.WriteFile(memo, []byte(strings.Replace(string(data), "One", "From the memo", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := p.IndexText(t.Context()); !strings.Contains(got, "From the memo") {
		t.Errorf("read anew: %q", got)
	}
}

func trustAll(t *testing.T, p *project.Project) {
	t.Helper()
	s, err := p.Store.Load()
	if err == nil {
		err = p.Trust(t.Context(), s)
	}
	if err != nil {
		t.Fatal(err)
	}
}
