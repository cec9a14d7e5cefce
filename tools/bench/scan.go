package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode"
)

// What a scan may cost.
const (
	minScanRatio    = 2.0 // times as fast as Python's json.loads, on one processor
	minDenseRatio   = 1.0 // the same, of command-dense sessions
	minTwoCores     = 1.5 // times as fast on two
	maxScanMB       = 64.0
	maxUnchanged    = 3.0 // times what find takes
	unchangedFiles  = 600
	findingsPerMB   = 40
	corpusScanSize  = 1000 // MB
	defaultScanSize = 64   // MB, where no corpus is given
)

// parseLines is the yardstick: nothing but parsing.
const parseLines = `import json, sys
for name in sys.stdin.read().split("\n"):
    if name:
        with open(name, "rb") as f:
            for line in f:
                try:
                    json.loads(line)
                except ValueError:
                    pass
`

// usage is what one process took.
type usage struct {
	wall, cpu time.Duration
	peak      float64 // MB resident
}

// run starts a process, with so many processors for a program in Go. It goes
// through a small process of its own, because a new program's peak of memory
// begins with that of the one that starts it.
func (p *place) run(dir string, processors int, input string, args ...string) (usage, error) {
	self, err := os.Executable()
	if err != nil {
		return usage{}, err
	}
	cmd := exec.Command(self, append([]string{"-measure"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(p.env(), fmt.Sprintf("GOMAXPROCS=%d", processors))
	cmd.Stdin = strings.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%v: %w: %s", args, err, stderr.Bytes())
	}
	u := usage{}
	_, err = fmt.Sscan(stdout.String(), &u.wall, &u.cpu, &u.peak)
	return u, err
}

// measureProcess runs a program and prints what it took.
func measureProcess(args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return err
	}
	wall, s := time.Since(start), cmd.ProcessState
	_, err := fmt.Println(int64(wall), int64(s.UserTime()+s.SystemTime()), peakMB(s))
	return err
}

// best is the least of several runs, each quantity for itself but for memory,
// of which it is the most.
func best(runs []usage) usage {
	b := usage{wall: math.MaxInt64, cpu: math.MaxInt64}
	for _, r := range runs {
		b = usage{min(b.wall, r.wall), min(b.cpu, r.cpu), max(b.peak, r.peak)}
	}
	return b
}

// benchScan scans recorded sessions that are repeated to the size asked for: as
// many files, and beside that command-dense sessions, one file, one long line, and a
// session full of findings. One processor is GOMAXPROCS=1 and is measured in processor time,
// which other programs on the machine disturb least.
func benchScan(p *place) ([]row, error) {
	source, size := []string{"scan/transcript/testdata", "testdata/demo/sessions"}, p.megabytes
	if p.corpus != "" {
		source = []string{filepath.Join(p.corpus, "transcripts")}
	}
	recorded, err := readSessions(source...)
	if err != nil {
		return nil, err
	}
	files := filepath.Join(p.scratch, "sessions")
	names, err := recorded.repeat(files, size<<20)
	if err != nil {
		return nil, err
	}
	rows, err := scanMany(p, "full scan", files, names, minScanRatio)
	if err != nil {
		return nil, err
	}
	files = filepath.Join(p.scratch, "dense")
	if names, err = writeDense(files, p.scratch); err != nil {
		return nil, err
	}
	dense, err := scanMany(p, fmt.Sprintf("scan of %d command lines", denseCommands), files, names, minDenseRatio)
	if err != nil {
		return nil, err
	}
	rows = append(rows, dense...)
	for _, shape := range []struct {
		what  string
		write func(name string) error
	}{
		{fmt.Sprintf("one file of %d MB", size), func(name string) error { return recorded.join(name, size<<20) }},
		{fmt.Sprintf("a line of %d MB", size/5), func(name string) error { return longLine(name, p.scratch, size<<20/5) }},
		{fmt.Sprintf("%d failures that were mended", size*findingsPerMB), func(name string) error { return manyFindings(name, p.scratch, size*findingsPerMB) }},
	} {
		more, err := scanOne(p, shape.what, shape.write)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more)
	}
	return rows, nil
}

// scanMany measures a scan of many files in a folder, which it removes.
func scanMany(p *place, what, files string, names []string, minRatio float64) ([]row, error) {
	defer os.RemoveAll(files)
	dir, err := p.repository("scan")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	size := 0.0 // MB
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		size += float64(info.Size()) / (1 << 20)
	}
	list := strings.Join(names, "\n")
	const rounds = 5 // the best of them count: a busy machine only ever adds
	var parse, one, two []usage
	python, err := exec.LookPath("python3")
	for range rounds {
		if err == nil {
			u, err := p.run(dir, 1, list, python, "-c", parseLines)
			if err != nil {
				return nil, err
			}
			parse = append(parse, u)
		}
		for _, m := range []struct {
			processors int
			to         *[]usage
		}{{1, &one}, {2, &two}} {
			u, err := p.run(dir, m.processors, "", p.lessons, "scan", "--all", "--foreign", "--quiet", files)
			if err != nil {
				return nil, err
			}
			*m.to = append(*m.to, u)
		}
	}
	single, both := best(one), best(two)
	speed := func(t time.Duration) float64 { return size / t.Seconds() }
	rows := []row{{
		what:     fmt.Sprintf("%s, %.0f MB in %d files: memory, one processor and two", what, size, len(names)),
		measured: fmt.Sprintf("%.0f MB, %.0f MB", single.peak, both.peak),
		limit:    fmt.Sprintf("<= %.0f MB", maxScanMB), holds: max(single.peak, both.peak) <= maxScanMB,
	}}
	if len(parse) > 0 {
		yard := best(parse)
		ratio := yard.cpu.Seconds() / single.cpu.Seconds()
		rows = append(rows, row{
			what:     "the same, one processor (GOMAXPROCS=1), beside Python's json.loads a line",
			measured: fmt.Sprintf("%.2f x as fast (%.0f and %.0f MB/s)", ratio, speed(single.cpu), speed(yard.cpu)),
			limit:    fmt.Sprintf(">= %.0f x", minRatio), holds: ratio >= minRatio,
		})
	}
	if runtime.NumCPU() >= 2 {
		gain := single.wall.Seconds() / both.wall.Seconds()
		rows = append(rows, row{
			what:     "the same, two processors beside one",
			measured: fmt.Sprintf("%.2f x as fast (%.0f MB/s)", gain, speed(both.wall)),
			limit:    fmt.Sprintf(">= %.1f x", minTwoCores), holds: gain >= minTwoCores,
		})
	}
	return rows, nil
}

// scanOne measures the memory of a scan of one file.
func scanOne(p *place, what string, write func(name string) error) (row, error) {
	dir, err := p.repository("scan-one")
	if err != nil {
		return row{}, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(p.scratch, "one.jsonl")
	defer os.Remove(name)
	if err := write(name); err != nil {
		return row{}, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return row{}, err
	}
	u, err := p.run(dir, 2, "", p.lessons, "scan", "--all", "--foreign", "--quiet", name)
	if err != nil {
		return row{}, err
	}
	return row{
		what:     "scan of " + what + ": memory",
		measured: fmt.Sprintf("%.0f MB (%.0f MB/s)", u.peak, float64(info.Size())/1e6/u.wall.Seconds()),
		limit:    fmt.Sprintf("<= %.0f MB", maxScanMB), holds: u.peak <= maxScanMB,
	}, nil
}

// benchUnchanged measures a scan that finds nothing new, beside find.
func benchUnchanged(p *place) ([]row, error) {
	dir, err := p.repository("unchanged")
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	folder := strings.Map(func(r rune) rune { // as Claude Code names it
		if r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, real)
	sessions := filepath.Join(p.scratch, ".claude", "projects", folder)
	defer os.RemoveAll(filepath.Join(p.scratch, ".claude"))
	if err := os.MkdirAll(sessions, 0o755); err != nil {
		return nil, err
	}
	for i := range unchangedFiles {
		if err := manyFindings(filepath.Join(sessions, fmt.Sprintf("%04d.jsonl", i)), real, 1+i%3); err != nil {
			return nil, err
		}
	}
	scan := []string{p.lessons, "scan", "--quiet"}
	if err := p.do(dir, scan...); err != nil {
		return nil, err
	}
	state, err := os.ReadFile(filepath.Join(dir, ".git", "lessons", "scan-state.json"))
	if n := bytes.Count(state, []byte(".jsonl")); err != nil || n != unchangedFiles {
		return nil, fmt.Errorf("%d of %d sessions were scanned: %w", n, unchangedFiles, err)
	}
	find := []string{"find", sessions, "-printf", `%s %T@\n`}
	if err := p.do(dir, find...); err != nil {
		return nil, nil // another find
	}
	var least [2]usage
	for i, args := range [][]string{find, scan} {
		var runs []usage
		for range p.runs {
			u, err := p.run(dir, 1, "", args...)
			if err != nil {
				return nil, err
			}
			runs = append(runs, u)
		}
		least[i] = best(runs)
	}
	ratio := float64(least[1].cpu) / float64(least[0].cpu)
	return []row{{
		what:     fmt.Sprintf("scan of %d unchanged files, beside find printing their size and time, processor time", unchangedFiles),
		measured: fmt.Sprintf("%.1f x (%v, %v)", ratio, least[1].cpu, least[0].cpu),
		limit:    fmt.Sprintf("<= %.0f x", maxUnchanged), holds: ratio <= maxUnchanged,
	}}, nil
}
