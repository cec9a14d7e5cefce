package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/cputime"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

const (
	tallyTriggers = 10_000
	tallyCalls    = 20_000
	maxTallyRatio = 1.0 // of the time that reading the sessions takes
)

// benchTally holds triggers against the call log of command-dense sessions, beside the
// scan that wrote it. Both are measured in processor time.
func benchTally(p *place) ([]row, error) {
	files := filepath.Join(p.scratch, "tally-sessions")
	defer os.RemoveAll(files)
	names, err := writeDense(files, p.scratch)
	if err != nil {
		return nil, err
	}
	for _, name := range names[tallyCalls/denseInASession:] {
		if err := os.Remove(name); err != nil {
			return nil, err
		}
	}
	dir, err := p.repository("tally")
	if err != nil {
		return nil, err
	}
	const rounds = 3 // the best of them count
	var scans []usage
	for range rounds {
		u, err := p.run(dir, 1, "", p.lessons, "scan", "--all", "--foreign", "--quiet", files)
		if err != nil {
			return nil, err
		}
		scans = append(scans, u)
	}
	log, err := readCalls(filepath.Join(dir, ".git", "lessons", "calls"))
	if err != nil {
		return nil, err
	}
	problems, took := problem.Gather(log), time.Duration(math.MaxInt64)
	claims := tallyClaims()
	for range rounds {
		took = min(took, cputime.Of(func() { tally.Judge(claims, log, problems) }))
	}
	n := 0
	for _, s := range log {
		n += len(s.Calls)
	}
	scan := best(scans).cpu
	ratio := took.Seconds() / scan.Seconds()
	return []row{{
		what:     fmt.Sprintf("tally of %d triggers against %d calls, beside reading their sessions", tallyTriggers, n),
		measured: fmt.Sprintf("%.2f x (%v, %v)", ratio, took.Round(time.Millisecond), scan.Round(time.Millisecond)),
		limit:    fmt.Sprintf("<= %.0f x", maxTallyRatio), holds: ratio <= maxTallyRatio && n >= tallyCalls,
	}}, nil
}

// readCalls reads a folder of the call log.
func readCalls(dir string) ([]calls.Session, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var log []calls.Session
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		s, _ := calls.Parse(e.Name(), data)
		log = append(log, s)
	}
	calls.Sort(log)
	return log, nil
}

// tallyClaims are lessons of many programs. One of twenty is of a program that the
// sessions call, one of a thousand matches a form of their lines, whatever its number.
func tallyClaims() []tally.Claim {
	programs := []string{"go test", "git log", "grep", "kubectl apply", "npm run", "go build", "python3", "docker compose", "bundle exec", "rg"}
	var claims []tally.Claim
	for i := range tallyTriggers {
		command := fmt.Sprintf("tool%d --flag%d", i%2_000, i)
		if i%20 == 0 {
			command = fmt.Sprintf("%s --flag%d", programs[i/20%len(programs)], i)
		}
		if i%1_000 == 0 {
			command, _, _ = strings.Cut(command, " --")
		}
		claims = append(claims, tally.Claim{Lesson: &lesson.Lesson{
			ID: fmt.Sprintf("lesson%05d", i), Kind: lesson.Warning, Source: "obs_1", Body: "**Fix**: Use another flag\n",
			Triggers: lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{command}},
		}})
	}
	return claims
}
