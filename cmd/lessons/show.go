package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/score"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type showCommand struct {
	jsonOutput
	ID string `arg:"" help:"ADR-001, PF-002, a lesson's file name, an observation's id, or a path."`
}

// Run prints the item's text and where it came from.
func (c *showCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	at, err := inv.locate(ctx, p, s, c.ID)
	if err != nil {
		return err
	}
	p, s = at.p, at.s
	item := at.item
	o := s.Log.Get(item.Observation)
	var cited *project.Cited
	if item.Kind == string(knowledge.KindADR) || item.Kind == string(knowledge.KindPF) {
		used, err := p.Usage()
		if err != nil {
			return err
		}
		here := used.Of(item.ID)
		cited = &here
	}
	accounts, problems, err := p.Accounts(ctx, s)
	if err != nil {
		return err
	}
	inv.warn(problems)
	shown := told(item, accounts, p.LapsedHere(ctx, s), p.StaleHere(ctx, s))
	if c.JSON {
		return inv.printJSON(struct {
			itemTold
			Text     string               `json:"text,omitempty"`
			Cited    *project.Cited       `json:"cited,omitempty"`
			Evidence *observe.Observation `json:"evidence,omitempty"`
		}{shown, item.Text(), cited, o})
	}
	if item.Kind != catalog.KindObservation {
		inv.printf("%s:%d\n\n%s\n", at.shown(), item.Line, plain.Block(strings.TrimSpace(item.Text())))
	}
	if shown.Lapsed != "" {
		inv.printf("\nno agent is told of it now: %s\n", shown.Lapsed)
	}
	if shown.Stale != "" {
		inv.printf("\nmay be stale: %s; correct the text, or edit it to confirm it\n", shown.Stale)
	}
	if a := shown.History; a != nil {
		inv.printf("\n")
		printHistory(inv, *a, "")
	}
	if cited != nil && cited.Times > 0 {
		inv.printf("\ncited by agents %s in %s\n", times(cited.Times), sessions(cited.Sessions))
	}
	if o == nil {
		if item.Observation != "" {
			inv.printf("\nlearned as %s; its evidence is not in this clone\n", item.Observation)
		}
		return nil
	}
	if item.Kind != catalog.KindObservation {
		inv.printf("\n")
	}
	printObservation(inv, o, item, s)
	return nil
}

// printObservation tells where an item came from; of an observation that is no
// file yet, also what it says.
func printObservation(inv *invocation, o *observe.Observation, item catalog.Item, s *store.Snapshot) {
	inv.printf("%s  %s  %s\n", o.ID, o.Type, item.Status)
	inv.printf("  seen     %s, %s to %s\n", sessions(max(len(o.Sessions), o.Observations)), o.FirstSeen.Format(time.DateOnly), o.LastSeen.Format(time.DateOnly))
	if item.Kind == catalog.KindObservation {
		for _, f := range []struct{ name, text string }{
			{"pattern", o.Pattern}, {"details", o.Details}, {"mistake", o.Mistake}, {"fix", o.Fix}, {"unfit", o.Lacks()}, {"tags", strings.Join(o.Tags, ", ")},
		} {
			if f.text != "" {
				inv.printf("  %-8s %s\n", f.name, plain.Block(strings.ReplaceAll(f.text, "\n", "\n           ")))
			}
		}
	}
	for _, p := range o.Others {
		inv.printf("  also     %s\n", strings.Trim(p.Mistake+" -> "+p.Fix, "-> "))
	}
	if p, ok := o.Phrasing(); ok {
		printPhrasing(inv, p)
	}
	for _, e := range o.Evidence {
		inv.printf("  said     %q\n", e)
	}
	for _, line := range o.Examples.Match {
		inv.printf("  fires on %s\n", line)
	}
	for _, line := range o.Examples.Miss {
		inv.printf("  not on   %s\n", line)
	}
	if o.Trigger == nil {
		return
	}
	points := score.Of(o, s.Config.Weights)
	inv.printf("  lesson confidence %.2f, priority %d, because:\n", points.Confidence, points.Priority)
	for _, why := range points.Why {
		inv.printf("    %s\n", why)
	}
}

// printPhrasing tells what a model made of the words.
func printPhrasing(inv *invocation, p observe.Phrasing) {
	if !p.QualityOK {
		inv.printf("  rejected %s (%s)\n", p.Rejected, p.Model)
		return
	}
	inv.printf("  phrased  %s (%s)\n", p.Title, p.Model)
	for _, text := range []string{p.Mistake, p.Fix, p.Why} {
		if text != "" {
			inv.printf("           %s\n", text)
		}
	}
	if p.Trigger != nil {
		inv.printf("           on %s\n", strings.Join(p.Trigger.Commands, ", "))
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func sessions(n int) string { return count(n, "session", "sessions") }

func find(items []catalog.Item, name string) (catalog.Item, error) {
	item, err := catalog.Find(items, name)
	return item, withHint(err, hintNames)
}
