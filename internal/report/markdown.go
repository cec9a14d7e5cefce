package report

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Markdown is the report as the summary of a workflow's run.
func Markdown(r Report) plain.Block {
	sum := r.Totals()
	b := plain.Sprintf("## What agents learned in %s\n\n", plain.Code(r.Project))
	b += plain.Sprintf("%s in %s. Mistakes met: %d, repeated: %d, prevented: %d. Active: %s, %s, %s.\n",
		words(r.Calls, "calls"), words(r.Sessions, "sessions"), sum.Met, sum.Repeated, sum.Prevented,
		words(r.Active, "lessons"), words(r.Decisions, "decisions"), words(r.Pitfalls, "pitfalls"))
	b += "\n### What costs most\n\n"
	if len(r.Problems) == 0 {
		b += "No mistake came back.\n"
	} else {
		b += "| problem | failed | sessions | cost | covered by |\n| --- | ---: | ---: | ---: | --- |\n"
	}
	for _, p := range r.Problems[:min(len(r.Problems), maxShort)] {
		by := plain.Block("–")
		if p.Lesson != "" {
			by = cell(p.Lesson)
		}
		b += plain.Sprintf("| %s | %d | %d | %s | %s |\n", cell(p.Name), p.Failed, p.Sessions, minutes(p.Minutes), by)
	}
	b += more(len(r.Problems)) + "\n### What lessons did\n\n"
	if len(r.Effects) == 0 {
		b += "No call has met a lesson yet.\n"
	} else {
		b += "| lesson | now | stopped | heeded | repeated | worked |\n| --- | --- | ---: | ---: | ---: | ---: |\n"
	}
	for _, e := range r.Effects[:min(len(r.Effects), maxShort)] {
		b += plain.Sprintf("| %s | %s | %d | %d | %d | %d |\n", cell(e.Title), e.Standing, e.Fired, e.Heeded, e.Repeated(), e.Succeeded)
	}
	b += more(len(r.Effects)) + "\n### What waits\n\n"
	if len(r.Waiting) == 0 {
		return b + "Nothing.\n"
	}
	for _, w := range r.Waits() {
		b += plain.Sprintf("- %s: %d\n", w.Why, w.Count)
	}
	return b + "\n`lessons review` walks through it.\n"
}

// maxShort is how many rows a table of a summary has.
const maxShort = 15

func more(n int) plain.Block {
	if n <= maxShort {
		return ""
	}
	return plain.Sprintf("\nand %d more\n", n-maxShort)
}

// cell is a text of others in a table, where a bar would end the cell.
func cell(text string) plain.Block {
	return plain.Block(strings.ReplaceAll(string(plain.Code(prose.Shorten(text, 100))), "|", `\|`))
}
