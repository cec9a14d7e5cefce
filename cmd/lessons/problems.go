package main

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

type problemsCommand struct {
	jsonOutput
	Since string `help:"Only sessions from this day on (2026-05-01), or of the last days (30d)." placeholder:"DAY"`
	All   bool   `help:"Also tests and builds that failed in the course of work, and what passed by itself."`
	N     int    `short:"n" default:"10" help:"How many; 0: all."`
}

// Run lists the problems, the dearest first.
func (c *problemsCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	since, err := sinceDay(c.Since, inv.sys.now())
	if err != nil {
		return usageError{err}
	}
	found, trouble, err := p.Problems(ctx, since)
	if err != nil {
		return err
	}
	inv.warn(trouble)
	list := found.Telling()
	if c.All {
		list = found.All
	}
	more := 0
	if c.N > 0 && len(list) > c.N && !c.JSON {
		more, list = len(list)-c.N, list[:c.N]
	}
	if c.JSON {
		return inv.printJSON(problemFacts(found, list))
	}
	if found.Sessions == 0 {
		inv.printf("no calls are logged yet; run lessons scan\n")
		return nil
	}
	inv.printf("%s in %s\n", count(found.Calls, "call", "calls"), count(found.Sessions, "session", "sessions"))
	for i, one := range list {
		inv.printf("\n%s", describeProblem(i+1, one, found.Covers[one.ID]))
	}
	if more > 0 {
		inv.printf("\n%s: lessons problems -n 0\n", count(more, "more", "more"))
	}
	return nil
}

// describeProblem tells a problem in a few lines.
func describeProblem(n int, p *problem.Problem, by project.Cover) plain.Block {
	var b plain.Block
	b += plain.Sprintf("%2d. %s\n", n, shorten(p.Name(), 74))
	cost := fmt.Sprintf("failed %s in %s", count(len(p.Failures), "time", "times"), count(len(p.Sessions), "session", "sessions"))
	if m := p.Minutes(); m >= 1 {
		cost += fmt.Sprintf(", %.0f min in all until it was fixed", m)
	}
	b += plain.Sprintf("    %s (%s)\n", cost, p.Nature)
	if p.Rule != "" && p.What != "" {
		b += plain.Sprintf("    %s\n", shorten(p.What, 74))
	}
	if best, ok := p.Best(); ok {
		fixed := fmt.Sprintf("fixed %s: %s", count(best.Worked, "time", "times"), cmp.Or(p.Advice(), manner(best)))
		for _, line := range wrapped(fixed, 74, maxMendLines) {
			b += plain.Sprintf("    %s\n", line)
		}
	} else {
		b += plain.Sprintf("    %s\n", p.Why)
	}
	switch {
	case by.Entry != "":
		b += plain.Sprintf("    covered by %s\n", by.Entry)
	case by.Lesson != nil:
		b += plain.Sprintf("    covered by %s", strings.TrimSuffix(path.Base(by.Lesson.Path), ".md"))
		if by.Stopped > 0 {
			b += plain.Sprintf(", which stopped %s", count(by.Stopped, "call", "calls"))
		}
		b += "\n"
	}
	return b
}

// maxMendLines is in how many lines a mend is told.
const maxMendLines = 3

// wrapped breaks a text between words into at most so many lines of at most width
// characters, but for longer words, and shortens the last.
func wrapped(text string, width, most int) []string {
	var lines []string
	for len(lines) < most-1 && utf8.RuneCountInString(text) > width {
		line := string([]rune(text)[:width+1])
		cut := strings.LastIndexByte(line, ' ')
		if cut <= 0 {
			break
		}
		lines, text = append(lines, text[:cut]), text[cut+1:]
	}
	return append(lines, shorten(text, width))
}

var manners = map[calls.How]string{
	calls.ByEdit:      "by edits",
	calls.ByArguments: "with other arguments",
	calls.ByTarget:    "with another input",
	calls.ByRun:       "after something else ran",
	calls.BySetting:   "in another folder or environment",
}

// manner says how a problem was mended, where no advice follows from it.
func manner(m problem.Mend) string { return cmp.Or(manners[m.How], "by another command or tool") }

// sinceDay reads a day, or a number of days before now.
func sinceDay(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	days := 0
	if _, err := fmt.Sscanf(s, "%dd", &days); err == nil && s == fmt.Sprintf("%dd", days) {
		return now.AddDate(0, 0, -days), nil
	}
	day, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("--since %s: no day; write it as 2026-05-01, or 30d for the last thirty days", s)
	}
	return day, nil
}

type mendFacts struct {
	How      string `json:"how"`
	Kind     string `json:"kind"`
	Worked   int    `json:"worked"`
	Sessions int    `json:"sessions"`
	Refuted  int    `json:"refuted"`
}

type oneProblem struct {
	ID       string      `json:"id"`
	Nature   string      `json:"nature"`
	Tool     string      `json:"tool"`
	Program  string      `json:"program,omitempty"`
	Target   string      `json:"target,omitempty"`
	What     string      `json:"what"`
	Rule     string      `json:"rule,omitempty"`
	Failed   int         `json:"failed"`
	Sessions int         `json:"sessions"`
	Minutes  float64     `json:"minutes"`
	Tokens   int         `json:"tokens"`
	Mends    []mendFacts `json:"mends"`
	Lesson   string      `json:"lesson"`
	Stopped  int         `json:"stopped"`
	Why      string      `json:"why"`
}

func problemFacts(found project.Problems, list []*problem.Problem) any {
	facts := struct {
		Sessions int          `json:"sessions"`
		Calls    int          `json:"calls"`
		Problems []oneProblem `json:"problems"`
	}{found.Sessions, found.Calls, []oneProblem{}}
	for _, p := range list {
		one := oneProblem{
			ID: p.ID, Nature: string(p.Nature), Tool: p.Tool, Program: p.Program, Target: p.Target, What: p.What, Rule: p.Rule,
			Failed: len(p.Failures), Sessions: len(p.Sessions), Minutes: p.Minutes(), Tokens: p.Tokens, Mends: []mendFacts{}, Why: p.Why,
		}
		for _, m := range p.Mends {
			one.Mends = append(one.Mends, mendFacts{m.Fix, string(m.How), m.Worked, len(m.Sessions), m.Refuted})
		}
		if by := found.Covers[p.ID]; by.Lesson != nil {
			one.Lesson, one.Stopped = by.Lesson.ID, by.Stopped
		}
		facts.Problems = append(facts.Problems, one)
	}
	return facts
}
