package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/stale"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type statusCommand struct {
	jsonOutput
}

// Run prints the counts, and the next thing to do.
func (c *statusCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	st, err := p.Status(ctx, s, agent.All)
	if err != nil {
		return err
	}
	if c.JSON {
		return inv.printJSON(st)
	}
	hooks := "off (lessons learn on)"
	if len(st.Hooks) > 0 {
		hooks = "on, in " + strings.Join(st.Hooks, " and ")
	}
	inv.printf("hooks         %s\n", hooks)
	inv.printf("last scan     %s\n", inv.when(st.LastScan))
	inv.printf("lessons       %d active, %s, %d archived\n", st.Lessons.Active, count(st.Lessons.Draft, "draft", "drafts"), st.Lessons.Archived)
	proposed := ""
	if st.Proposed > 0 {
		proposed = fmt.Sprintf(", %d proposed", st.Proposed)
	}
	inv.printf("decisions     %d active%s\n", st.Decisions, proposed)
	inv.printf("pitfalls      %d active\n", st.Pitfalls)
	inv.printf("observations  %d gathering evidence, %d ready to write, %d written, %d removed\n",
		st.Observations.Observing, st.Observations.Ready, st.Observations.Created, st.Observations.Deprecated)
	printStanding(inv, st.Standing)
	for _, s := range st.Skipped {
		inv.printf("skipped       %s\n", s.Said())
	}
	printAsks(inv, st)
	if len(st.Twice) > 0 {
		inv.printf("used twice    %s (lessons resolve)\n", strings.Join(st.Twice, ", "))
	}
	for _, f := range st.Similar {
		inv.printf("similar       %s\n", f.Said())
	}
	if st.Edited > 0 {
		inv.printf("edited        %d by people; they stay as they are\n", st.Edited)
	}
	if st.Unreviewed != "" {
		inv.printf("unreviewed    %s of others: they only inform (lessons trust)\n", st.Unreviewed)
	}
	if n := len(st.Published); n > 0 {
		more := ""
		if n > 1 {
			more = fmt.Sprintf(" (and %d more: lessons check)", n-1)
		}
		inv.printf("published     %s%s\n", st.Published[0].Said(), more)
	}
	printSome(inv, "stale", st.Stale, "lessons check", func(f stale.Finding) string { return cmp.Or(f.Anchor, f.Path) + ": " + f.Text() })
	if st.Unused > 0 {
		inv.printf("unused        %d: lessons review --only unused, or lessons archive --unused\n", st.Unused)
	}
	printDiscarded(inv, "lost", st.Lost, "lessons render")
	printDiscarded(inv, "removed", st.Removed, "lessons render ID")
	inv.printf("\nnext: %s\n", nextStep(st))
	return nil
}

// nextStep says what a person does next.
func nextStep(st project.Status) string {
	switch {
	case st.Observations.Ready > 0:
		return "lessons render writes what is ready"
	case st.Waiting > 0:
		return "lessons review goes through " + count(st.Waiting, "thing that waits", "things that wait") + " for you"
	case len(st.Hooks) == 0 && st.LastScan.IsZero():
		return "lessons init"
	case len(st.Hooks) == 0:
		return "lessons learn on, so that agents are told what is known and lessons learns from their sessions"
	}
	return "nothing to do; lessons learns when an agent's session ends"
}

// maxShown is how many of a kind status names.
const maxShown = 5

// printSome names the first of a kind, and the command that names the rest.
func printSome[V any](inv *invocation, word string, all []V, command string, say func(V) string) {
	for _, one := range all[:min(len(all), maxShown)] {
		inv.printf("%-13s %s\n", word, say(one))
	}
	if n := len(all) - maxShown; n > 0 {
		inv.printf("%-13s and %d more: %s\n", word, n, command)
	}
}

// printDiscarded names what was rendered and never committed, and how it comes back.
func printDiscarded(inv *invocation, word string, all []project.Discarded, command string) {
	printSome(inv, word, all, "lessons reconcile", func(d project.Discarded) string {
		return fmt.Sprintf("%s: %s (%s writes it again)", d.Path, d.Reason, strings.Replace(command, "ID", d.Observation, 1))
	})
}

// printAsks says how agents answer what hooks ask them, and whether that goes on.
func printAsks(inv *invocation, st project.Status) {
	a := st.Asks
	if a.Asked == 0 {
		return
	}
	inv.printf("asks          %d, %d answered by a block, %d by none", a.Asked, a.Block, a.None)
	if st.Asking == 0 {
		inv.printf("; nobody is asked any more (lessons config ask 2 asks again)")
	}
	inv.printf("\n")
}

// printStanding says of lessons that do not stop calls why, or that history
// contradicts them.
func printStanding(inv *invocation, all []project.Told) {
	for _, standing := range []tally.Standing{tally.Contradicted, tally.Withdrawn, tally.Shadow, tally.Waits} {
		of := lists.Filter(all, func(t project.Told) bool { return t.Standing == standing })
		printSome(inv, string(standing), of, "lessons list", func(t project.Told) string { return lessonName(t.Path) + ": " + t.Why })
	}
}
