package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan"
)

// tell says what a scan found: in five lines to a person, in one to a log.
func (c *scanCommand) tell(inv *invocation, r scan.Result) {
	attended := inv.sys.terminal && inv.sys.stdout.OnTerminal()
	switch {
	case r.Files == 0 && r.Foreign > 0 && r.Unchanged == 0:
		c.elsewhere(inv, r)
	case r.Files == 0:
		inv.printf("no new sessions of this repository\n")
		if r.Unchanged == 0 && len(c.Paths) == 0 {
			inv.printf("if the repository was moved: lessons scan --moved-from DIR\n")
		}
	default:
		c.findings(inv, r, attended)
		c.summary(inv, r, attended)
	}
}

// maxFindings is how many findings a person is shown at once.
const maxFindings = 10

// findings prints the findings where somebody wants to see them: all of a scan that writes
// nothing, and some at a terminal.
func (c *scanCommand) findings(inv *invocation, r scan.Result, attended bool) {
	shown := r.Candidates
	switch {
	case c.DryRun:
	case attended:
		shown = shown[:min(len(shown), maxFindings)]
	default:
		return
	}
	for _, k := range shown {
		inv.printf("%s  %s\n", k.Kind, shorten(oneLine(k.Mistake), 90))
		if k.Fix != "" {
			inv.printf("    fix: %s\n", shorten(oneLine(k.Fix), 90))
		}
		inv.printf("    %s:%d  confidence %.2f, priority %d  -> %s\n", k.File, k.Line, k.Confidence, k.Priority, k.Observation)
	}
	if more := len(r.Candidates) - len(shown); more > 0 {
		inv.printf("and %d more: lessons list --observations\n", more)
	}
	if len(shown) > 0 {
		inv.printf("\n")
	}
}

// summary says what was read, what was found, what waits, and what to do next.
func (c *scanCommand) summary(inv *invocation, r scan.Result, attended bool) {
	waits := map[observe.Status]int{}
	for h := range r.Log.Heads() {
		waits[h.Status]++
	}
	stored, next := "in "+count(len(r.Learned), "observation", "observations"), "lessons list --waiting"
	switch {
	case c.DryRun:
		stored, next = "not stored (dry run)", "lessons scan"
	case waits[observe.Ready] > 0:
		next = "lessons render"
	}
	if !attended {
		inv.printf("%s read, %s %s; next: %s\n", count(r.Files, "session", "sessions"), count(len(r.Candidates)+r.Withheld, "finding", "findings"), stored, next)
		return
	}
	inv.printf("read     %s\n", whatWasRead(r))
	inv.printf("found    %s\n", whatWasFound(r))
	inv.printf("stored   %s\n", stored)
	inv.printf("waits    %d ready to be written, %d for more evidence\n", waits[observe.Ready], waits[observe.Observing])
	inv.printf("next     %s\n", next)
}

func whatWasRead(r scan.Result) string {
	read := count(r.Files, "session", "sessions")
	if r.Unchanged > 0 {
		read += fmt.Sprintf(", %d without news", r.Unchanged)
	}
	if r.Foreign > 0 {
		read += fmt.Sprintf(", %d of other repositories left alone", r.Foreign)
	}
	return read
}

// whatWasFound counts findings by their kind, the most frequent first.
func whatWasFound(r scan.Result) string {
	kinds := map[scan.Kind]int{}
	for _, k := range r.Candidates {
		kinds[k.Kind]++
	}
	sorted := slices.SortedFunc(maps.Keys(kinds), func(a, b scan.Kind) int {
		return cmp.Or(cmp.Compare(kinds[b], kinds[a]), cmp.Compare(a, b))
	})
	words := lists.Map(sorted, func(k scan.Kind) string { return fmt.Sprintf("%d %s", kinds[k], k) })
	if r.Withheld > 0 {
		words = append(words, fmt.Sprintf("%d more", r.Withheld))
	}
	return cmp.Or(strings.Join(words, ", "), "nothing to learn")
}

// elsewhere says what to do when no session is of this repository.
func (c *scanCommand) elsewhere(inv *invocation, r scan.Result) {
	inv.printf("%s refused: none is of this repository\n", count(r.Foreign, "session was", "sessions were"))
	dirs := slices.SortedFunc(maps.Keys(r.Elsewhere), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Elsewhere[b], r.Elsewhere[a]), strings.Compare(a, b))
	})
	if len(dirs) == 0 {
		return
	}
	for _, dir := range dirs[:min(len(dirs), maxElsewhere)] {
		inv.printf("%6d  %s\n", r.Elsewhere[dir], dir)
	}
	if more := len(dirs) - maxElsewhere; more > 0 {
		inv.printf("        and %s more\n", count(more, "directory", "directories"))
	}
	inv.printf("\nthis repository lay there before:  lessons scan --moved-from %s\n", shellWord(dirs[0]))
	inv.printf("learn from them all the same:      lessons scan --foreign")
	for _, path := range c.Paths {
		inv.printf(" %s", shellWord(path))
	}
	inv.printf("\n")
}

// maxElsewhere is how many directories of other repositories are named.
const maxElsewhere = 5

// shellWord writes an argument so that a shell reads it as one word.
func shellWord(arg string) string {
	if strings.ContainsAny(arg, " \t'\"\\$`;&|<>()*?[]{}~#!") {
		return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
	}
	return arg
}
