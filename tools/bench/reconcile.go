package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

// The large repository, and what reconcile may cost in it beside git's own
// status of the knowledge folders.
const (
	largeFiles    = 50_000
	largeCommits  = 10_000
	largeLessons  = 160
	largeSections = 40

	maxReconcile      = 2.0
	maxReconcileFirst = 8.0 // at the first start after a committed deletion
)

// benchReconcile times lessons reconcile in a large repository.
func benchReconcile(p *place) ([]row, error) {
	dir, err := p.repository("large")
	if err != nil {
		return nil, err
	}
	if err := p.fastImport(dir, largeHistory()); err != nil {
		return nil, err
	}
	if err := p.do(dir, "git", "reset", "-q", "--hard"); err != nil {
		return nil, err
	}
	var rows []row
	measure := func(what string, limit float64, known string) error {
		r, err := p.beside(dir, known)
		if err != nil {
			return err
		}
		rows = append(rows, row{
			what:     fmt.Sprintf("reconcile, %d files, %d commits, %s", largeFiles, largeCommits, what),
			measured: fmt.Sprintf("%.1f x git status", r), limit: fmt.Sprintf("<= %.0f x", limit), holds: r <= limit,
		})
		return nil
	}
	if err := measure("nothing changed", maxReconcile, ""); err != nil {
		return nil, err
	}
	// What this clone knew before the deletion: each first start begins with it.
	known := filepath.Join(p.scratch, "known")
	if err := os.CopyFS(known, os.DirFS(filepath.Join(dir, ".git", "lessons"))); err != nil {
		return nil, err
	}
	for i := range 10 {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(largeLesson(i)))); err != nil {
			return nil, err
		}
	}
	if err := p.do(dir, "git", "commit", "-q", "-a", "-m", "Delete ten"); err != nil {
		return nil, err
	}
	if err := measure("first after 10 committed deletions", maxReconcileFirst, known); err != nil {
		return nil, err
	}
	return rows, measure("known deletions", maxReconcile, "")
}

// beside is the ratio of the medians of reconcile and git status. With a folder of
// what was known, each run begins with that.
func (p *place) beside(dir, known string) (float64, error) {
	status := []string{"git", "status", "--porcelain", "--", ".lessons", ".memory"}
	reconcile := []string{p.lessons, "reconcile", "--json"}
	if err := p.do(dir, reconcile...); err != nil {
		return 0, err
	}
	times := make([][]time.Duration, 2)
	for range max(9, p.runs/2) {
		if known != "" {
			local := filepath.Join(dir, ".git", "lessons")
			if err := os.RemoveAll(local); err != nil {
				return 0, err
			}
			if err := os.CopyFS(local, os.DirFS(known)); err != nil {
				return 0, err
			}
		}
		for i, args := range [][]string{status, reconcile} {
			start := time.Now()
			if err := p.do(dir, args...); err != nil {
				return 0, err
			}
			times[i] = append(times[i], time.Since(start))
		}
	}
	for _, t := range times {
		slices.Sort(t)
	}
	return float64(times[1][len(times[1])/2]) / float64(times[0][len(times[0])/2]), nil
}

func (p *place) fastImport(dir, commands string) error {
	cmd := exec.Command("git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Env, cmd.Stdin = dir, p.env(), strings.NewReader(commands)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git fast-import: %w: %s", err, out)
	}
	return nil
}

func largeLesson(i int) string { return fmt.Sprintf(".lessons/lesson-%03d.md", i) }

// largeHistory is a repository as git fast-import reads it: the knowledge and
// everything else in the first commit, then small changes.
func largeHistory() string {
	var b strings.Builder
	data := func(text []byte) { fmt.Fprintf(&b, "data %d\n%s\n", len(text), text) }
	file := func(name string, text []byte) {
		fmt.Fprintf(&b, "M 100644 inline %s\n", name)
		data(text)
	}
	for c := range largeCommits {
		fmt.Fprintf(&b, "commit refs/heads/%s\ncommitter Dev <dev@example.com> %d +0000\n", "master", 1_700_000_000+60*c)
		data([]byte("change"))
		if c > 0 {
			file(fmt.Sprintf("src/d%d/f%d.txt", c%500, c%largeFiles), fmt.Appendf(nil, "%d\n", c))
			continue
		}
		for f := range largeFiles {
			file(fmt.Sprintf("src/d%d/f%d.txt", f%500, f), fmt.Appendf(nil, "file %d\n", f))
		}
		for name, text := range largeKnowledge() {
			file(name, text)
		}
	}
	return b.String()
}

// largeKnowledge is 200 rendered artifacts with their rows.
func largeKnowledge() map[string][]byte {
	files := map[string][]byte{}
	m := &manifest.Manifest{}
	at := time.Unix(1_700_000_000, 0).UTC()
	for i := range largeLessons {
		id := fmt.Sprintf("obs_lesson%04d", i)
		text := fmt.Appendf(nil, "---\nkind: warning\nstatus: active\ntriggers: {commands: [\"tool%d\"]}\nsource: self-learning:%s\n---\n# Lesson %d\n\n**Fix**: `tool%d --right`\n", i, id, i, i)
		files[largeLesson(i)] = text
		m.PutRow(manifest.Row{ObservationID: id, Type: "lesson", Path: largeLesson(i), ContentHash: knowledge.ContentHash(text), RenderedAt: at})
	}
	var book bytes.Buffer
	book.Write(entry.NewBook(knowledge.KindADR))
	for i := range largeSections {
		e := entry.Entry{
			Kind: knowledge.KindADR, Number: i + 1, Title: fmt.Sprintf("Decision %d", i), Source: fmt.Sprintf("obs_section%03d", i),
			Fields: []entry.Field{{Name: entry.FieldStatus, Value: "Accepted"}},
		}
		text := entry.Format(e)
		book.WriteString("\n" + string(text))
		m.PutRow(manifest.Row{ObservationID: e.Source, Type: knowledge.RowType(e.Kind), Path: entry.DecisionsPath, Anchor: e.ID(), ContentHash: knowledge.ContentHash(text), RenderedAt: at})
	}
	files[entry.DecisionsPath] = book.Bytes()
	files[manifest.Path] = m.Bytes()
	return files
}
