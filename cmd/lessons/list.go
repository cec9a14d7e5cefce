package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type listCommand struct {
	jsonOutput
	Observations bool   `help:"Also what was only observed so far."`
	Waiting      bool   `help:"Only what waits, and what it waits for: observations, drafts and proposals."`
	Kind         string `enum:",adr,pf,lesson,skill,command,observation" default:"" help:"Only adr, pf, lesson, skill, command or observation."`
	Status       string `help:"Only with this status, such as draft, active or ready." placeholder:"STATUS"`
	Sort         string `enum:"kind,confidence,title" default:"kind" help:"Order: kind, confidence or title."`
}

// Run prints what there is, one item a line.
func (c *listCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	user, problems := p.UserItems(ctx, s)
	inv.warn(problems)
	items := catalog.Artifacts(s)
	if c.observed() {
		items = catalog.Items(s, p.View(ctx, s))
	}
	all := slices.Concat(items, user)
	if !knownStatus(c.Status, all) {
		return usageError{withHint(fmt.Errorf("nothing has the status %q", c.Status), "statuses: %s", strings.Join(statuses, ", "))}
	}
	items = c.pick(all)
	accounts, trouble, err := p.Accounts(ctx, s)
	if err != nil {
		return err
	}
	inv.warn(trouble)
	lapsed, gone := p.LapsedHere(ctx, s), p.StaleHere(ctx, s)
	var shown []itemTold
	for _, i := range items {
		shown = append(shown, told(i, accounts, lapsed, gone))
	}
	if c.Waiting {
		missing, err := p.Waiting(ctx, s)
		if err != nil {
			return err
		}
		shown = waiting(shown, s, missing)
	}
	if c.JSON {
		return printLines(inv, shown)
	}
	if c.Waiting && len(shown) == 0 {
		inv.printf("nothing waits\n")
		return nil
	}
	if len(items) == 0 && (c.Status != "" || c.Kind != "") {
		inv.printf("nothing of that kind; lessons list shows everything\n")
		return nil
	}
	if len(items) == 0 {
		inv.printf("nothing here yet; after a session run lessons scan, or write one down: lessons add\n")
		return nil
	}
	printItems(inv, shown)
	return nil
}

// statuses are those that lessons gives; people may give entries others.
var statuses = []string{
	lesson.Draft, lesson.Active, lesson.Archived, entry.StatusProposed, entry.StatusAccepted, "Deprecated", "Superseded", "Retired",
	string(observe.Observing), string(observe.Ready), string(observe.Created),
}

// knownStatus says whether a status is one, or something has it.
func knownStatus(status string, items []catalog.Item) bool {
	has := func(other string) bool { return hasStatus(other, status) }
	return status == "" || slices.ContainsFunc(statuses, has) || slices.ContainsFunc(items, func(i catalog.Item) bool { return has(i.Status) })
}

// hasStatus says whether a status is the one that is asked for: "Superseded by ADR-002"
// is Superseded.
func hasStatus(status, asked string) bool {
	first, _, _ := strings.Cut(status, " ")
	return strings.EqualFold(status, asked) || strings.EqualFold(first, asked)
}

// waiting are the items that wait, with what is missing: files first, which wait for a
// person or a second session.
func waiting(all []itemTold, s *store.Snapshot, missing map[string]string) []itemTold {
	var files, observed []itemTold
	for _, i := range all {
		switch {
		case i.Status == lesson.Draft || i.Kind == string(knowledge.KindADR) && entry.IsProposed(i.Status):
			i.Missing = cmp.Or(missing[i.ID], "a second session, or a person: lessons promote "+i.Name())
			files = append(files, i)
		case i.Kind == catalog.KindObservation && missing[i.ID] != "":
			i.Missing, i.Unfit = missing[i.ID], ""
			if o := s.Log.Get(i.ID); o != nil && o.Instructs() {
				i.Type = "statement"
			}
			observed = append(observed, i)
		}
	}
	return append(files, observed...)
}

// observed says whether what was only observed is asked for.
func (c *listCommand) observed() bool {
	return c.Observations || c.Waiting || c.Kind == catalog.KindObservation
}

func (c *listCommand) pick(items []catalog.Item) []catalog.Item {
	items = slices.DeleteFunc(items, func(i catalog.Item) bool {
		return (c.Kind != "" && i.Kind != c.Kind) || (c.Status != "" && !hasStatus(i.Status, c.Status))
	})
	switch c.Sort {
	case "confidence":
		slices.SortStableFunc(items, func(a, b catalog.Item) int { return int(1000*b.Confidence) - int(1000*a.Confidence) })
	case "title":
		slices.SortStableFunc(items, func(a, b catalog.Item) int { return strings.Compare(a.Title, b.Title) })
	}
	return items
}

// printItems prints an item a line, and below it what history says of it and what is
// missing. Where the title does not fit beside the rest, it has a line of its own.
func printItems(inv *invocation, items []itemTold) {
	names, states := map[string]int{}, map[string]int{} // widths: of each kind, for names of lessons are long
	for _, i := range items {
		names[i.Kind] = max(names[i.Kind], utf8.RuneCountInString(i.Name()))
		states[i.Kind] = max(states[i.Kind], utf8.RuneCountInString(stateOf(i)))
	}
	inv.sys.stdout.Heading("%s\n", "NAME  KIND  STATUS  TITLE")
	for _, i := range items {
		title := shorten(i.Title, 70)
		if i.Unfit != "" {
			title += " (" + i.Unfit + ")"
		}
		row := fmt.Sprintf("%-*s  %-*s  %-*s", names[i.Kind], i.Name(), len(i.Kind), i.Kind, states[i.Kind], stateOf(i))
		if inv.sys.stdout.Fits(row + "  " + title) {
			inv.printf("%s  %s\n", row, title)
		} else {
			inv.printf("%s\n    %s\n", strings.TrimRight(row, " "), title)
		}
		if a := i.History; a != nil {
			inv.printf("    %s\n", a)
		}
		if i.Missing != "" {
			inv.printf("    missing: %s\n", i.Missing)
		}
	}
}

// stateOf is an item's status, and what keeps it from being told.
func stateOf(i itemTold) string {
	status := i.Status
	if i.NeedsReview {
		status += ", needs review"
	}
	if i.Confidence > 0 && i.Kind != string(knowledge.KindADR) {
		status += fmt.Sprintf(" %.2f", i.Confidence)
	}
	if i.Scope == lesson.ScopeUser {
		status += ", for all repositories"
	}
	if i.Lapsed != "" {
		status += ", " + i.Lapsed
	} else if i.Stale != "" {
		status += ", may be stale: " + i.Stale
	}
	if i.ShadowedBy != "" {
		status += ", shadowed by " + lessonName(i.ShadowedBy)
	}
	return status
}

func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
