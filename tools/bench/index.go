package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const maxIndexRatio = 4

// rest is longer than lessons waits before it remembers an index.
const rest = 4 * time.Second

// benchIndex times lessons index over 100 entries beside an empty Go program:
// as agents ask for it again and again, and right after a change, when the
// entries are read anew.
func benchIndex(p *place) ([]row, error) {
	dir, err := p.repository("index")
	if err != nil {
		return nil, err
	}
	if err := writeBooks(dir, 50); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"git", "add", "."}, {"git", "commit", "-q", "-m", "Knowledge"}} { // else it waits for review, and is not remembered
		if err := p.do(dir, args...); err != nil {
			return nil, err
		}
	}
	fresh, err := p.medians(dir, []string{p.empty}, []string{p.lessons, "index"})
	if err != nil {
		return nil, err
	}
	time.Sleep(rest)
	times, err := p.medians(dir, []string{p.empty}, []string{p.lessons, "index"})
	if err != nil {
		return nil, err
	}
	ratio, anew := float64(times[1])/float64(times[0]), float64(fresh[1])/float64(fresh[0])
	return []row{
		{
			what:     "lessons index, 100 entries, beside an empty Go program",
			measured: fmt.Sprintf("%.1f x (%v, %v)", ratio, times[1], times[0]),
			limit:    fmt.Sprintf("<= %d x", maxIndexRatio),
			holds:    ratio <= maxIndexRatio,
		},
		{what: "the same right after a change (no requirement)", measured: fmt.Sprintf("%.1f x (%v)", anew, fresh[1]), limit: "-", holds: true},
	}, nil
}

// writeBooks writes n decisions and n pitfalls.
func writeBooks(dir string, n int) error {
	folder := filepath.Join(dir, ".memory", "knowledge")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var adr, pf strings.Builder
	adr.WriteString("# Architectural Decisions\n")
	pf.WriteString("# Pitfalls\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&adr, "\n## ADR-%03d: Keep decision number %d where people find it\n\n- **Date**: 2026-01-02\n- **Status**: Accepted\n- **Context**: somebody asked\n- **Decision**: write it down\n- **Consequences**: it is found\n- **Source**: self-learning:obs_adr%04d\n", i, i, i)
		fmt.Fprintf(&pf, "\n## PF-%03d: Trap number %d\n\n- **Area**: internal/part%d\n- **Issue**: it looks right\n- **Impact**: an hour lost\n- **Resolution**: look twice\n- **Status**: Active\n- **Source**: self-learning:obs_pf%05d\n", i, i, i, i)
	}
	if err := os.WriteFile(filepath.Join(folder, "decisions.md"), []byte(adr.String()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "pitfalls.md"), []byte(pf.String()), 0o644)
}
