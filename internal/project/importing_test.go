package project_test

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/migrate"
)

func importInto(t *testing.T) *project.Project {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return openProject(t, dir, func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) })
}

// learnedDatabase makes a database such as lessons-learned keeps.
func learnedDatabase(t *testing.T, count int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "lessons.db")
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(name)+"?_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	do := func(query string, args ...any) {
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
	}
	do(`create table lessons (id text primary key, slug text, status text, type text, summary text, problem text, solution text,
		toolNames text, commandPatterns text, pathPatterns text, priority integer, confidence real, tags text, embedding blob, createdAt text, updatedAt text, scope text)`)
	for i := range count {
		tool := string(rune('a'+i)) + "tool"
		do(`insert into lessons values (?, ?, 'active', 'hint', ?, 'it fails', 'use --flag', '["Bash"]', ?, '[]', 7, 0.8, '["tool:x"]', x'fffe00', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', null)`,
			"id-"+tool, tool, tool+" needs a flag", `["\\b`+tool+`\\b(?!.*--flag)"]`)
	}
	return name
}

func TestImportOfADatabase(t *testing.T) {
	name := learnedDatabase(t, 3)
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p := importInto(t)
	got, err := p.Import(context.Background(), project.ImportOptions{Format: "lessons-learned", Paths: []string{name}})
	if err != nil || got.Count(migrate.Imported) != 3 || len(got.Refused) > 0 {
		t.Fatalf("%+v, %+v, %v", got.Items, got.Refused, err)
	}
	s, err := p.Store.Load()
	if err != nil || len(s.Lessons) != 3 || len(s.Problems) > 0 {
		t.Fatalf("%d lessons, %v, %v", len(s.Lessons), s.Problems, err)
	}
	if l := s.Lessons[0]; l.Status != lesson.Active || strings.Join(l.Triggers.Unless, " ") != `\batool\b(?:.*--flag)` {
		t.Errorf("%+v", l)
	}
	after, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the database changed: %v", err)
	}
	if beside, _ := filepath.Glob(name + "-*"); len(beside) > 0 {
		t.Errorf("left beside it: %v", beside)
	}
}

// A database that is cut is refused, also where its rows are still whole.
func TestImportOfATruncatedDatabase(t *testing.T) {
	data, err := os.ReadFile(learnedDatabase(t, 5))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{16, 100, 1000, 4096, 5000, len(data) / 2, len(data) - 100} {
		if size >= len(data) {
			continue
		}
		name := filepath.Join(t.TempDir(), "lessons.db")
		if err := os.WriteFile(name, data[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		p := importInto(t)
		got, err := p.Import(context.Background(), project.ImportOptions{Format: "lessons-learned", Paths: []string{name}})
		if err != nil || len(got.Refused) != 1 || got.Refused[0].Reason == "" || len(got.Items) != 0 {
			t.Errorf("%d of %d bytes: %+v, %+v, %v", size, len(data), got.Items, got.Refused, err)
		}
		if s, err := p.Store.Load(); err != nil || len(s.Artifacts) > 0 {
			t.Errorf("%d bytes: %d artifacts, %v", size, len(s.Artifacts), err)
		}
	}
}
