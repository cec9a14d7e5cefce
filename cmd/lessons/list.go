package main

import (
	"cmp"
	"context"
	"fmt"
	"iter"
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
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

type listCommand struct {
	jsonOutput
	Observations bool   `help:"Also list observations that are not files yet."`
	Waiting      bool   `help:"Only list what waits, and why: observations, drafts and proposals."`
	Kind         string `enum:",decision,pitfall,lesson,skill,command,observation,adr,pf" default:"" help:"Only decision (or adr), pitfall (or pf), lesson, skill, command or observation."`
	Status       string `help:"Only with this status, such as draft, active or ready." placeholder:"STATUS"`
	Sort         string `enum:"kind,confidence,title" default:"kind" help:"Order: kind, confidence or title."`
}

// Run prints what there is, one item a line.
func (c *listCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	user, problems := p.UserItems(ctx, s)
	inv.warn(problems)
	var view verdict.View
	if c.observed() {
		view = p.View(ctx, s)
	}
	var missing map[string]string
	if c.Waiting {
		var err error
		if missing, err = p.Waiting(ctx, s); err != nil {
			return err
		}
	}
	known := c.Status == "" || slices.ContainsFunc(statuses, func(status string) bool { return hasStatus(status, c.Status) })
	listing := catalog.List(s, view, catalog.Asked{
		Observed: c.observed(), More: user, Order: c.Sort, Files: c.Waiting,
		Wanted: func(i catalog.Item) bool {
			known = known || hasStatus(i.Status, c.Status)
			return c.wants(i) && (!c.Waiting || waits(i, missing))
		},
	})
	if !known {
		return usageError{withHint(fmt.Errorf("nothing has the status %q", c.Status), "statuses: %s", strings.Join(statuses, ", "))}
	}
	accounts, trouble, err := p.Accounts(ctx, s)
	if err != nil {
		return err
	}
	inv.warn(trouble)
	lapsed, gone := p.LapsedHere(ctx, s), p.StaleHere(ctx, s)
	shown := func(yield func(itemTold) bool) {
		for i := range listing.All() {
			t := told(i, accounts, lapsed, gone)
			if c.Waiting {
				t.waitsFor(missing[i.ID])
			}
			if !yield(t) {
				return
			}
		}
	}
	if c.JSON {
		return printEach(inv, iter.Seq[itemTold](shown))
	}
	switch {
	case listing.Len() > 0:
		printItems(inv, p.Root, shown)
	case c.Waiting:
		inv.printf("nothing waits\n")
	case c.Status != "" || c.Kind != "":
		inv.printf("nothing of that kind; lessons list shows everything\n")
	default:
		inv.printf("nothing here yet; after a session run lessons scan, or write one down: lessons add\n")
	}
	return nil
}

// statuses are those that lessons gives; people may give entries others.
var statuses = []string{
	lesson.Draft, lesson.Active, lesson.Archived, entry.StatusProposed, entry.StatusAccepted, "Deprecated", "Superseded", "Retired",
	string(observe.Observing), string(observe.Ready), string(observe.Created),
}

// hasStatus says whether a status is the one that is asked for: "Superseded by ADR-002"
// is Superseded.
func hasStatus(status, asked string) bool {
	first, _, _ := strings.Cut(status, " ")
	return strings.EqualFold(status, asked) || strings.EqualFold(first, asked)
}

// waits says whether an item waits: files for a person or a second session, observations
// for what they miss.
func waits(i catalog.Item, missing map[string]string) bool {
	if i.Kind == catalog.KindObservation {
		return missing[i.ID] != ""
	}
	return i.Status == lesson.Draft || i.Kind == string(knowledge.KindADR) && entry.IsProposed(i.Status)
}

// waitsFor says of an item that waits what it misses.
func (i *itemTold) waitsFor(missing string) {
	if i.Kind != catalog.KindObservation {
		i.Missing = cmp.Or(missing, "it needs a second session, or your word: lessons promote "+i.Name())
		return
	}
	i.Missing, i.Unfit = missing, ""
	if i.Instructs() {
		i.Type = "statement"
	}
}

// observed says whether what was only observed is asked for.
func (c *listCommand) observed() bool {
	return c.Observations || c.Waiting || c.Kind == catalog.KindObservation
}

// entryKinds are the kinds of entries, as add names them.
var entryKinds = map[string]string{"decision": string(knowledge.KindADR), "pitfall": string(knowledge.KindPF)}

func (c *listCommand) wants(i catalog.Item) bool {
	return (c.Kind == "" || i.Kind == cmp.Or(entryKinds[c.Kind], c.Kind)) && (c.Status == "" || hasStatus(i.Status, c.Status))
}

// printItems prints an item a line, and below it what keeps it from being told, what history
// says of it, and what is missing.
func printItems(inv *invocation, root string, items iter.Seq[itemTold]) {
	t := plain.Table{Columns: []plain.Column{{Name: "NAME", Shrinks: true}, {Name: "KIND"}, {Name: "STATUS"}, {Name: "TITLE", Shrinks: true}}}
	t.Each = func(yield func(plain.Row) bool) {
		for i := range items {
			if !yield(plain.Row{Cells: []string{i.Name(), i.Kind, stateOf(i), i.Title}, Link: fileURL(root, i.Path), Notes: notesOn(i)}) {
				return
			}
		}
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
		notes = append(notes, "waits: "+i.Missing)
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
