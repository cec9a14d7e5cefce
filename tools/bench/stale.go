package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/stale"
	"github.com/lessons-cli/lessons/knowledge/artifact"
)

// maxStale is what looking for stale names may take, of the time that git takes for one
// walk with renames over the same commits.
const (
	maxStale     = 3.0
	staleEntries = 100
	staleCommits = 10_000
)

// benchStale looks for stale names among 1,000 in a history of 10,000 commits.
func benchStale(p *place) ([]row, error) {
	dir, err := p.repository("stale")
	if err != nil {
		return nil, err
	}
	if err := p.fastImport(dir, staleHistory()); err != nil {
		return nil, err
	}
	if err := p.do(dir, "git", "reset", "-q", "--hard"); err != nil {
		return nil, err
	}
	walk, err := shortest(func() error { return p.do(dir, "git", "log", "--name-status", "-M", "--format=%H") })
	if err != nil {
		return nil, err
	}
	findings := 0
	took, err := shortest(func() error {
		findings, err = staleNames(dir)
		return err
	})
	if err != nil {
		return nil, err
	}
	r := float64(took) / float64(walk)
	return []row{{
		what:     fmt.Sprintf("stale names among 1,000, %d commits (%d found)", staleCommits, findings),
		measured: fmt.Sprintf("%.1f x git log --name-status -M", r), limit: fmt.Sprintf("<= %.0f x, >= 100 found", maxStale),
		holds: r <= maxStale && findings >= 100,
	}}, nil
}

// shortest is the shortest time of three.
func shortest(f func() error) (time.Duration, error) {
	least := time.Hour
	for range 3 {
		start := time.Now()
		if err := f(); err != nil {
			return 0, err
		}
		least = min(least, time.Since(start))
	}
	return least, nil
}

func staleNames(dir string) (int, error) {
	repo, err := gitstate.OpenExec(context.Background(), dir)
	if err != nil {
		return 0, err
	}
	defer repo.Close()
	found, err := stale.Find(context.Background(), repo.(gitstate.Program), artifact.Read(fsx.OS{}, dir).Artifacts)
	return len(found), err
}

// staleHistory is a repository as git fast-import reads it: entries that name files and
// functions, and commits that move and remove some of these.
func staleHistory() string {
	var in, book strings.Builder
	book.WriteString("# Architectural Decisions\n")
	for e := range staleEntries {
		fmt.Fprintf(&book, "\n## ADR-%03d: About %d\n\n- **Context**: ", e+1, e)
		for i := range 9 {
			fmt.Fprintf(&book, "`src/d%d/f%d.go` ", (e*9+i)%50, e*9+i)
		}
		fmt.Fprintf(&book, "and `DoThing%d()`\n- **Source**: self-learning:obs_%d\n", e, e)
	}
	data := func(text string) { fmt.Fprintf(&in, "data %d\n%s\n", len(text), text) }
	for c := range staleCommits {
		fmt.Fprintf(&in, "commit refs/heads/master\ncommitter a <a@example.com> %d +0000\n", 1_700_000_000+c)
		data("change")
		switch {
		case c == 0:
			for f := range 1000 {
				fmt.Fprintf(&in, "M 100644 inline src/d%d/f%d.go\n", f%50, f)
				data(fmt.Sprintf("package x\n\nfunc DoThing%d() {}\n// %d\n", f, f))
			}
			in.WriteString("M 100644 inline .memory/knowledge/decisions.md\n")
			data(book.String())
		case c%50 == 0:
			f := c / 50
			fmt.Fprintf(&in, "R src/d%d/f%d.go lib/f%d.go\n", f%50, f, f)
		case c%70 == 0:
			f := 400 + c/70
			fmt.Fprintf(&in, "D src/d%d/f%d.go\n", f%50, f)
		default:
			fmt.Fprintf(&in, "M 100644 inline other/f%d.txt\n", c%300)
			data(fmt.Sprint(c))
		}
	}
	return in.String()
}
