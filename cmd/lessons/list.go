package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/plain"
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
	Observations bool   `help:"Also list observations that are not files yet."`
	Waiting      bool   `help:"Only list what waits, and why: observations, drafts and proposals."`
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
	printItems(inv, p.Root, shown)
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

// printItems prints an item a line, and below it what keeps it from being told, what history
// says of it, and what is missing.
func printItems(inv *invocation, root string, items []itemTold) {
	t := plain.Table{Columns: []plain.Column{{Name: "NAME", Shrinks: true}, {Name: "KIND"}, {Name: "STATUS"}, {Name: "TITLE", Shrinks: true}}}
	for _, i := range items {
		t.Rows = append(t.Rows, plain.Row{Cells: []string{i.Name(), i.Kind, stateOf(i), i.Title}, Link: fileURL(root, i.Path), Notes: notesOn(i)})
	}
	inv.sys.stdout.Table(t)
}

// stateOf is an item's status, and how sure it is.
func stateOf(i itemTold) string {
	if i.Confidence > 0 && i.Kind != string(knowledge.KindADR) {
		return fmt.Sprintf("%s %.2f", i.Status, i.Confidence)
	}
	return i.Status
}

// notesOn is what there is to say of an item besides.
func notesOn(i itemTold) (notes []string) {
	var about []string
	if i.NeedsReview {
		about = append(about, "needs review")
	}
	if i.Scope == lesson.ScopeUser {
		about = append(about, "for all repositories")
	}
	if i.Lapsed != "" {
		about = append(about, i.Lapsed)
	} else if i.Stale != "" {
		about = append(about, "may be stale: "+i.Stale)
	}
	if i.ShadowedBy != "" {
		about = append(about, "shadowed by "+lessonName(i.ShadowedBy))
	}
	if i.Unfit != "" {
		about = append(about, i.Unfit)
	}
	if len(about) > 0 {
		notes = append(notes, strings.Join(about, ", "))
	}
	if i.History != nil {
		notes = append(notes, i.History.String())
	}
	if i.Missing != "" {
		notes = append(notes, "missing: "+i.Missing)
	}
	return notes
}

// fileURL is where a terminal's link to a file leads; path is absolute, or begins at root.
func fileURL(root, path string) string {
	if path == "" {
		return ""
	}
	to := filepath.ToSlash(absolute(root, filepath.FromSlash(path)))
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(to, "/")}).String()
}

func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
