package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxIndexRatio is what the index may take beside an empty Go program: as the command, or as
// the hook program tells it to a sub-agent.
const maxIndexRatio = 4

// rest is longer than lessons waits before it remembers an index.
const rest = 4 * time.Second

// benchIndex times the index of 100 entries beside an empty Go program: as the hook program
// tells it to each sub-agent, as the command prints it again and again, and right after a
// change, when the entries are read anew.
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
	told, err := p.toldSubagent(dir)
	if err != nil {
		return nil, err
	}
	ratio, anew, hook := float64(times[1])/float64(times[0]), float64(fresh[1])/float64(fresh[0]), float64(told)/float64(times[0])
	return []row{
		{
			what:     "the index of 100 entries, told to a sub-agent by the hook program",
			measured: fmt.Sprintf("%.1f x (%v, %v)", hook, told, times[0]),
			limit:    fmt.Sprintf("<= %d x", maxIndexRatio),
			holds:    hook <= maxIndexRatio,
		},
		{
			what:     "the same, printed by lessons index (either may hold)",
			measured: fmt.Sprintf("%.1f x (%v)", ratio, times[1]),
			limit:    fmt.Sprintf("<= %d x", maxIndexRatio),
			holds:    min(ratio, hook) <= maxIndexRatio,
		},
		{what: "the same right after a change (no requirement)", measured: fmt.Sprintf("%.1f x (%v)", anew, fresh[1]), limit: "-", holds: true},
	}, nil
}

// sessionsBefore is how many sessions start before a sub-agent does: the first is told news.
const sessionsBefore = 2

// toldSubagent is how long the hook program takes at the start of a sub-agent, which it tells
// the index.
func (p *place) toldSubagent(dir string) (time.Duration, error) {
	if err := p.do(dir, p.lessons, "compile"); err != nil {
		return 0, err
	}
	hook := filepath.Join(filepath.Dir(p.lessons), "lessons-hook")
	for n := range sessionsBefore {
		input := fmt.Sprintf(`{"session_id":"before%d","hook_event_name":"SessionStart","source":"startup"}`, n)
		if _, err := p.timed(dir, input, hook, "claude", "SessionStart"); err != nil {
			return 0, err
		}
	}
	var times []time.Duration
	for n := range p.runs {
		input := fmt.Sprintf(`{"session_id":"s%d","hook_event_name":"SubagentStart","agent_id":"a%[1]d","agent_type":"general"}`, n)
		took, err := p.timed(dir, input, hook, "claude", "SubagentStart")
		if err != nil {
			return 0, err
		}
		times = append(times, took)
	}
	slices.Sort(times)
	return times[len(times)/2], nil
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
