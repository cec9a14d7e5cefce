package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// What hooks may cost as init registers them, through a shell, beside an empty Go program.
const (
	maxRegistered   = 2.5
	maxSessionStart = 5.0

	registeredLessons = 1000
	registeredRounds  = 5
	registeredRuns    = 20
	registeredPause   = 100 * time.Millisecond // for what a start leaves to the background
)

// benchRegistered times hooks by the command lines that init writes into Claude Code's
// settings: a tool call without a match, and a session's start that finds nothing changed.
func benchRegistered(p *place) ([]row, error) {
	if runtime.GOOS == "windows" {
		return nil, nil // there init registers no line of a shell
	}
	dir, err := p.repository("registered")
	if err != nil {
		return nil, err
	}
	if err := writeLessons(dir, registeredLessons, "active"); err != nil {
		return nil, err
	}
	for _, args := range [][]string{
		{p.lessons, "init", "--yes", "--agent", "claude"},
		{p.lessons, "trust", "--yes"},
		{"git", "add", "-A"},
		{"git", "commit", "-qm", "Lessons"},
	} {
		if err := p.do(dir, args...); err != nil {
			return nil, err
		}
	}
	time.Sleep(rest) // files that changed just now are looked at again
	commands, err := registered(dir)
	if err != nil {
		return nil, err
	}
	sessions := 0
	start := func() string {
		sessions++
		return fmt.Sprintf(`{"session_id":"start-%d","hook_event_name":"SessionStart","source":"startup"}`, sessions)
	}
	call := func() string { return payload(1, "PreToolUse", "ls -la", false) }
	for range 3 { // the first ones tell what is new, and look at everything
		if _, err := p.timed(dir, start(), "sh", "-c", commands["SessionStart"]); err != nil {
			return nil, err
		}
	}
	var rows []row
	for _, m := range []struct {
		what, event string
		input       func() string
		limit       float64
	}{
		{"hook as init registers it, %d lessons, no match", "PreToolUse", call, maxRegistered},
		{"session start as init registers it, %d lessons, nothing new", "SessionStart", start, maxSessionStart},
	} {
		ratio, took, err := p.bestRound(dir, commands[m.event], m.input)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{
			what:     fmt.Sprintf(m.what, registeredLessons),
			measured: fmt.Sprintf("%.1f x (p50 %v)", ratio, took),
			limit:    fmt.Sprintf("<= %.1f x", m.limit), holds: ratio <= m.limit,
		})
	}
	return rows, nil
}

// bestRound is the least ratio of medians in some rounds, beside the empty program.
func (p *place) bestRound(dir, command string, input func() string) (ratio float64, took time.Duration, err error) {
	for range registeredRounds {
		var empty, hook []time.Duration
		for range registeredRuns {
			e, err := p.timed(dir, "", p.empty)
			if err != nil {
				return 0, 0, err
			}
			h, err := p.timed(dir, input(), "sh", "-c", command)
			if err != nil {
				return 0, 0, err
			}
			empty, hook = append(empty, e), append(hook, h)
			time.Sleep(registeredPause)
		}
		slices.Sort(empty)
		slices.Sort(hook)
		e, h := empty[len(empty)/2], hook[len(hook)/2]
		if now := float64(h) / float64(e); ratio == 0 || now < ratio {
			ratio, took = now, h
		}
	}
	return ratio, took, nil
}

// timed runs a command with lessons on PATH, and says how long it took.
func (p *place) timed(dir, input string, args ...string) (time.Duration, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input)
	cmd.Env = append(p.env(), "PATH="+filepath.Dir(p.lessons)+string(os.PathListSeparator)+os.Getenv("PATH"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%v: %w: %s", args, err, out.Bytes())
	}
	took := time.Since(start)
	if strings.Contains(input, "Start\"") && !strings.Contains(out.String(), "additionalContext") {
		return 0, fmt.Errorf("a session or a sub-agent began and was told nothing: %s", out.Bytes())
	}
	return took, nil
}

// registered are the command lines of a repository's hooks, by their events.
func registered(dir string) (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(dir, ".claude", "settings.json"))
	if err != nil {
		return nil, err
	}
	var settings struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	if err := json.Unmarshal(data, &settings); err != nil {
		return nil, err
	}
	commands := map[string]string{}
	for event, groups := range settings.Hooks {
		for _, g := range groups {
			for _, h := range g.Hooks {
				commands[event] = h.Command
			}
		}
	}
	return commands, nil
}
