package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/lessons-cli/lessons/internal/cputime"
)

// Everyday commands in a repository that has seen very much, and in one that has seen much.
const (
	manyObservations = 200_000
	maxCommandMB     = 200.0
	maxCommandReads  = 16.0 // of the processor time that encoding/json takes to check the log once
	maxListReads     = 40.0 // finds what each observation misses, and prints them all
	maxWriteReads    = 40.0 // finds what is alike, writes everything, and compiles
	maxMergeReads    = 40.0 // a merge reads everything twice and writes it

	someObservations = 3_000
	someLessons      = 2_000
	someEntries      = 500
	maxEveryday      = 60.0 // times an empty Go program
)

// benchLarge measures everyday commands with a log of 200,000 observations, in memory and
// in processor time.
func benchLarge(p *place) ([]row, error) {
	dir, err := p.repository("large-log")
	if err != nil {
		return nil, err
	}
	name, err := writeLog(dir, manyObservations)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	check := time.Duration(math.MaxInt64)
	for range 3 { // the best of them counts
		check = min(check, cputime.Of(func() {
			for line := range bytes.Lines(data) {
				json.Valid(line)
			}
		}))
	}
	size := len(data) >> 20
	conflicted, err := p.conflictedLog(data)
	if err != nil {
		return nil, err
	}
	session := filepath.Join(p.scratch, "new-session.jsonl")
	if err := manyFindings(session, dir, 5); err != nil {
		return nil, err
	}
	var rows []row
	for _, c := range []struct {
		dir, kind string
		command   []string
		reads     float64
	}{
		{dir, "", []string{"status"}, maxCommandReads},
		{dir, "", []string{"list"}, maxCommandReads},
		{dir, " of what waits", []string{"list", "--waiting"}, maxListReads},
		{dir, "", []string{"show", logID(7)}, maxCommandReads},
		{dir, "", []string{"export"}, maxCommandReads},
		{dir, "", []string{"search", "cache", "socket"}, maxCommandReads},
		{dir, "", []string{"problems"}, maxCommandReads},
		{dir, "", []string{"render", "--dry-run"}, maxCommandReads},
		{dir, "", []string{"reconcile"}, maxCommandReads},
		{dir, "", []string{"index"}, maxCommandReads},
		{dir, "", []string{"check"}, maxCommandReads},
		{dir, "", []string{"resolve"}, maxCommandReads},
		{dir, " of a new session", []string{"scan", session}, maxWriteReads},
		{dir, " after it", []string{"render"}, maxWriteReads},
		{dir, "", []string{"add", "go test -timeout wants a unit", "--command", "go test -timeout=<number>", "--fix", "go test -timeout=30s"}, maxWriteReads},
		{dir, "", []string{"promote", logID(7)}, maxWriteReads},
		{dir, "", []string{"deprecate", logID(9)}, maxWriteReads},
		{conflicted, " of a conflict", []string{"resolve"}, maxMergeReads},
	} {
		u, err := p.run(c.dir, 1, "", append([]string{p.lessons}, c.command...)...)
		if err != nil {
			return nil, err
		}
		reads := float64(u.cpu) / float64(check)
		rows = append(rows, row{
			what:     fmt.Sprintf("lessons %s%s, %d observations, %d MB", c.command[0], c.kind, manyObservations, size),
			measured: fmt.Sprintf("%.0f MB, %.1f x encoding/json (%v)", u.peak, reads, u.cpu.Round(10*time.Millisecond)),
			limit:    fmt.Sprintf("<= %.0f MB, <= %.0f x", maxCommandMB, c.reads), holds: u.peak <= maxCommandMB && reads <= c.reads,
		})
	}
	return rows, nil
}

// conflictedLog is a repository whose committed log a merge left with two versions of its
// last fifth.
func (p *place) conflictedLog(log []byte) (dir string, err error) {
	if dir, err = p.repository("conflicted-log"); err != nil {
		return "", err
	}
	lines := bytes.SplitAfter(log, []byte("\n"))
	both, rest := lines[:len(lines)/5*4], lines[len(lines)/5*4:]
	var text bytes.Buffer
	side := func(mark string, lines [][]byte) {
		text.WriteString(mark)
		for _, line := range lines {
			text.Write(line)
		}
	}
	side("", both)
	side("<<<<<<< HEAD\n", rest[:len(rest)/2])
	side("=======\n", rest[len(rest)/2:])
	side(">>>>>>> other\n", nil)
	if err := os.MkdirAll(filepath.Join(dir, ".memory"), 0o755); err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, ".memory", "learning-log.jsonl"), text.Bytes(), 0o644)
}

// benchMany times the commands that people type most beside an empty Go program.
func benchMany(p *place) ([]row, error) {
	dir, err := p.repository("many")
	if err != nil {
		return nil, err
	}
	if _, err := writeLog(dir, someObservations); err != nil {
		return nil, err
	}
	if err := writeLessons(dir, someLessons, "active"); err != nil {
		return nil, err
	}
	if err := writeBooks(dir, someEntries/2); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"git", "add", "."}, {"git", "commit", "-q", "-m", "Knowledge"}, {p.lessons, "compile"}} {
		if err := p.do(dir, args...); err != nil {
			return nil, err
		}
	}
	commands := [][]string{{p.empty}, {p.lessons, "status"}, {p.lessons, "list"}, {p.lessons, "search", "cache", "socket"}, {p.lessons, "review", "--json"}}
	time.Sleep(rest) // what changed just now is not cached
	times, err := p.medians(dir, commands...)
	if err != nil {
		return nil, err
	}
	var rows []row
	for i, command := range commands[1:] {
		what := fmt.Sprintf("lessons %s, %d observations, %d lessons, %d entries", command[1], someObservations, someLessons, someEntries)
		rows = append(rows, everyday(what, times[i+1], times[0]))
	}
	return rows, nil
}

// everyday is the row of a command that people wait for, beside an empty Go program.
func everyday(what string, took, empty time.Duration) row {
	ratio := float64(took) / float64(empty)
	return row{
		what:     what,
		measured: fmt.Sprintf("%.0f x (%v)", ratio, took.Round(100*time.Microsecond)),
		limit:    fmt.Sprintf("<= %.0f x", maxEveryday), holds: ratio <= maxEveryday,
	}
}

func logID(i int) string { return fmt.Sprintf("obs_%010d", i) }

// writeLog writes n observations of the size that real ones have, and returns the file's
// name.
func writeLog(dir string, n int) (string, error) {
	folder := filepath.Join(dir, ".git", "lessons")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	name := filepath.Join(folder, "learning-log.jsonl")
	f, err := os.Create(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	things := []string{"cache", "retry", "port", "socket", "build", "parser", "token", "schema", "queue", "lock", "image"}
	w := bufio.NewWriter(f)
	for i := range n {
		thing, other := things[i%len(things)], things[i/len(things)%len(things)]
		call := fmt.Sprintf("%s%d --%s%d", thing, i%997, other, i)
		says := fmt.Sprintf("%s %s%d was refused", other, thing, i)
		fmt.Fprintf(w, `{"id":%q,"type":"pitfall","pattern":"%s: %s","details":"issue: %s failed: %s; resolution: Use %s --plain","evidence":["Error: %s"],"observations":1,"confidence":0.5,"first_seen":"2026-01-20T10:31:59.612Z","last_seen":"2026-01-20T10:31:59.612Z","status":"observing","quality_ok":false,"unfit":"it was mended in the course of the work","sessions":["s%011d"],"shapes":["s%09d * -fail *%s%d %s"],"fingerprints":["fp1:f%019d"],"mistake":"%s failed: %s","fix":"Use %s --plain","tags":["severity:error","topic:packaging"],"origin":"error-fix","marks":["error-fix","fix-confirmed"]}`+"\n",
			logID(i), thing, says, call, says, call, says, i, i, thing, i, says, i, call, says, call)
	}
	return name, w.Flush()
}
