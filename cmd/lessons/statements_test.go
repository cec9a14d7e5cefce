package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
)

// TestStatements plays the cases of testdata/statements: what people say in plain
// words, and what becomes of it after a session and, for decisions, after a second
// one. With -v it prints them all. The bars stand in "pending" as the cases do.
func TestStatements(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	const dir = "testdata/statements"
	pending := pendingCases(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) != 60 {
		t.Fatalf("%d cases in %s, not 60 (%v)", len(files), dir, err)
	}
	cases := make([]statement, len(files))
	t.Run("cases", func(t *testing.T) {
		for i, file := range files {
			c := &cases[i]
			c.name = strings.TrimSuffix(filepath.Base(file), ".txt")
			waits := pending[c.name]
			delete(pending, c.name)
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				c.play(t, file)
				settle(t, dir, c.name, waits, slices.Concat(c.first, c.second))
			})
		}
	})
	t.Log("\n" + table(cases))
	for _, bar := range bars(cases) {
		waits := pending[bar.name]
		delete(pending, bar.name)
		t.Run(bar.name, func(t *testing.T) { settle(t, dir, bar.name, waits, bar.wrong) })
	}
	for name := range pending {
		t.Errorf("%s/pending names %s, which is no case", dir, name)
	}
}

// statement is a case and what came of it.
type statement struct {
	name          string
	decision      bool // it has a second session
	found         []piece
	observed      []string // what stands in the log after the first session
	status        string   // after the second session
	first, second []string // what is not as expected after each
}

func (c *statement) nothing() bool { return strings.HasPrefix(c.name, "no-") }

// play plays the case; its line "days N" begins what comes after the first session.
func (c *statement) play(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := prepare(t, true)
	for _, l := range readCase(string(text)) {
		if strings.HasPrefix(l.text, "days ") {
			c.decision, c.first, p.wrong = true, p.wrong, nil
			c.found, c.observed = p.pieces(), p.observed()
		}
		p.step(l)
	}
	if !c.decision {
		c.first, c.found, c.observed = p.wrong, p.pieces(), p.observed()
		return
	}
	c.second = p.wrong
	for _, w := range p.pieces() {
		c.status += w.kind + " " + w.status + " "
	}
}

// bar is what the cases must show together.
type bar struct {
	name  string
	wrong []string
}

func bars(cases []statement) []bar {
	var found, proposed, accepted, taken int
	for _, c := range cases {
		switch ok := len(c.first) == 0; {
		case c.nothing() && !ok:
			taken++
		case !c.nothing() && ok:
			found++
			if c.decision {
				proposed++
				if len(c.second) == 0 {
					accepted++
				}
			}
		}
	}
	unless := func(ok bool, format string, args ...any) []string {
		if ok {
			return nil
		}
		return []string{fmt.Sprintf(format, args...)}
	}
	return []bar{
		{"bar-after-one-session", unless(found >= 25, "%d of 30 are as they must be after one session, not 25", found)},
		{"bar-accepted", unless(accepted == proposed && accepted > 0, "%d of %d decisions that were proposed are accepted after a second session", accepted, proposed)},
		{"bar-nothing", unless(taken <= 1, "%d of 30 that are no statements became something, not 1 at most", taken)},
	}
}

// table says of each case what came of it: kind, status and words; last stands what
// is in the log alone.
func table(cases []statement) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	for _, c := range cases {
		mark := func(wrong []string) string {
			if len(wrong) == 0 {
				return "ok"
			}
			return "WRONG"
		}
		after := ""
		if c.decision {
			after = mark(c.second) + " " + c.status
		}
		words := "–"
		for i, f := range c.found {
			if i == 0 {
				words = ""
			}
			words += fmt.Sprintf("[%s %s] %s: %s ", f.kind, f.status, f.title, shorten(oneLine(f.text), 300))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.name, mark(c.first), after, words, strings.Join(c.observed, "; "))
	}
	w.Flush()
	return b.String()
}
