package reconcile

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/test/gittest"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// BenchmarkRun measures a session start in a large repository: 50,000 files,
// 200 artifacts (160 files, 40 sections) and 2,000 commits, beside git's own
// status of the knowledge folders.
//
//	go test -run '^$' -bench Run ./reconcile/
func BenchmarkRun(b *testing.B) {
	s := &scene{t: b, layout: "book"}
	w := large(s)
	b.Run("git status", func(b *testing.B) {
		for b.Loop() {
			w.git("status", "--porcelain", "--", ".lessons", ".memory")
		}
	})
	benchmark(b, w, "all present")
	for i := range 10 {
		w.cut(fmt.Sprintf("lesson%d", i))
	}
	benchmark(b, w, "10 gone from the work tree")
	w.git("add", "-A")
	benchmark(b, w, "10 staged")
	w.CommitStaged("Delete ten")
	benchmark(b, w, "10 committed")
	for i := range 10 {
		w.cut(fmt.Sprintf("adr%d", i+1))
	}
	w.Commit("Delete ten sections")
	benchmark(b, w, "20 committed, 10 of them sections")
	w.rows()
	m := w.manifest()
	m.PutRow(manifest.Row{ObservationID: "obs_nowhere", Type: "lesson", Path: ".lessons/nowhere.md", RenderedAt: gittest.Start})
	w.store(m)
	benchmark(b, w, "a row in no history")
}

// benchmark runs once without a memo (first) and once with it (next).
func benchmark(b *testing.B, w *tree, name string) {
	for _, phase := range []string{"first", "next"} {
		b.Run(name+"/"+phase, func(b *testing.B) {
			var processes int
			w.memo = nil
			if phase == "next" {
				w.start(b)
			}
			for b.Loop() {
				if phase == "first" {
					w.memo = nil
				}
				processes = w.start(b)
			}
			b.ReportMetric(float64(processes), "processes")
		})
	}
}

// start is what a session start does: it reads the artifacts and reconciles.
func (w *tree) start(b *testing.B) int {
	artifacts := artifact.Read(fsx.OS{}, w.Dir).Artifacts
	repo, err := gitstate.OpenExec(context.Background(), w.Dir)
	if err != nil {
		b.Fatal(err)
	}
	defer repo.Close()
	events, _ := verdict.ReadLedger("ledger", w.clone.ledger)
	report, err := Run(context.Background(), Input{
		Repository: repo, FS: fsx.OS{}, Root: w.Dir, Now: w.now, WorkTree: "x", Memo: w.memo,
		Snapshot: &store.Snapshot{Log: w.clone.log, Ledger: events, Artifacts: artifacts},
	})
	if err != nil {
		b.Fatal(err)
	}
	w.clone.keep(report)
	if report.Memo != nil {
		w.memo = report.Memo
	}
	return repo.Processes()
}

// large makes the repository through fast-import: its files, and a history that
// touches them.
func large(s *scene) *tree {
	w := s.bare()
	var in bytes.Buffer
	at := gittest.Start.Add(-2000 * time.Hour).Unix()
	commit := func(n int, message string) {
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter C <c@example.org> %d +0000\ndata %d\n%s\n", n+1, at+int64(n)*3600, len(message), message)
		if n > 0 {
			fmt.Fprintf(&in, "from :%d\n", n)
		}
	}
	commit(0, "Begin")
	for i := range 50_000 {
		text := fmt.Sprintf("file %d\n", i)
		fmt.Fprintf(&in, "M 644 inline src/d%03d/e%02d/f%d.go\ndata %d\n%s\n", i%250, i%20, i, len(text), text)
	}
	for n := 1; n < 2000; n++ {
		commit(n, fmt.Sprintf("Change %d", n))
		text := fmt.Sprintf("changed %d\n", n)
		fmt.Fprintf(&in, "M 644 inline src/d%03d/e%02d/f%d.go\ndata %d\n%s\n", n%250, n%20, n, len(text), text)
	}
	if _, err := w.Pipe(in.String(), "fast-import", "--quiet"); err != nil {
		s.t.Fatal(err)
	}
	w.git("reset", "-q", "--hard")
	var names []string
	for i := range 160 {
		names = append(names, fmt.Sprintf("lesson%d", i))
	}
	for i := range 20 {
		names = append(names, fmt.Sprintf("adr%d", i+1), fmt.Sprintf("pf%d", i+1))
	}
	w.render(names...)
	w.Commit("Render")
	for n := range 40 {
		w.edit("adr15", "It is done", fmt.Sprintf("It is done, %d", n))
		w.Commit("Edit an entry")
	}
	return w
}
