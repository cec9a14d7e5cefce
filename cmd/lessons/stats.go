package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type statsCommand struct {
	jsonOutput
	ID string `arg:"" optional:"" help:"A lesson; default: all."`
}

// Run says what lessons did.
func (c *statsCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	all, problems, err := p.Stats(ctx, s)
	if err != nil {
		return err
	}
	inv.warn(problems)
	if c.ID != "" {
		at, err := inv.locate(ctx, p, s, c.ID)
		if err != nil {
			return err
		}
		all.Lessons = slices.DeleteFunc(all.Lessons, func(l project.LessonStats) bool { return l.Path != at.item.Path })
	}
	if c.JSON {
		return inv.printJSON(all)
	}
	if len(all.Lessons) > 0 {
		printStats(inv, p.Root, all.Lessons)
	}
	if c.ID != "" {
		return nil
	}
	if len(all.Lessons) > 0 {
		inv.printf("\n")
	}
	inv.printf("%s, %s in the call log\n", count(len(all.Lessons), "lesson", "lessons"), count(all.Sessions, "session", "sessions"))
	inv.printf("stops heeded: %s\n", rateText(all.Heeded))
	inv.lines(deliveredText(all.Told))
	n := all.Priorities
	inv.printf("active lessons: %d critical, %d high, %d medium, %d low\n", n[lesson.Critical], n[lesson.High], n[lesson.Medium], n[lesson.Low])
	if all.Warning != "" {
		inv.printf("warning: %s\n", all.Warning)
	}
	return nil
}

func printStats(inv *invocation, root string, all []project.LessonStats) {
	t := plain.Table{Columns: []plain.Column{{Name: "LESSON", Shrinks: true}, {Name: "STATUS"}, {Name: "LEVEL"}}}
	for _, l := range all {
		row := plain.Row{Cells: []string{l.Title, l.Status, string(l.Level)}, Link: fileURL(root, l.Path)}
		if l.Heeded.Of > 0 {
			row.Notes = append(row.Notes, "stops heeded: "+rateText(l.Heeded))
		}
		row.Notes = append(row.Notes, deliveredText(l.Told)...)
		if l.Failing.Of > 0 {
			row.Notes = append(row.Notes, "such calls failed: "+rateText(l.Failing))
		}
		if l.Helpful+l.Not > 0 {
			row.Notes = append(row.Notes, fmt.Sprintf("ratings: %d helpful, %d not", l.Helpful, l.Not))
		}
		t.Rows = append(t.Rows, row)
	}
	inv.sys.stdout.Table(t)
}

// deliveredText says what came of deliveries, and what the holdout shows.
func deliveredText(d project.Delivered) []string {
	var lines []string
	if d.Told > 0 {
		lines = append(lines, fmt.Sprintf("shown %s, %d bytes; then heeded: %s; repeated: %s", count(d.Told, "time", "times"), d.Bytes, rateText(d.Heeded), rateText(d.Repeated)))
	}
	if d.Irrelevant {
		lines = append(lines, "irrelevant: less than a tenth of its deliveries were heeded or repeated")
	}
	if h := d.Holdout; h != nil {
		prevents := "not enough evidence"
		if h.Enough() {
			prevents = fmt.Sprintf("%.0f points (95 %%: %.0f to %.0f)", 100*h.Prevented, 100*h.Low, 100*h.High)
		}
		lines = append(lines, fmt.Sprintf("mistakes prevented, by the holdout: %s; sessions with the mistake: %.0f %% of %d told, %.0f %% of %d withheld",
			prevents, 100*h.Told.Share, h.Told.Of, 100*h.Withheld.Share, h.Withheld.Of))
	}
	return lines
}

// rateText is a rate for people.
func rateText(r project.Rate) string {
	if !r.Enough() {
		return fmt.Sprintf("not enough evidence (%s)", count(r.Of, "call", "calls"))
	}
	return fmt.Sprintf("%.0f %% of %d (95 %%: %.0f to %.0f)", 100*r.Share, r.Of, 100*r.Low, 100*r.High)
}

type feedbackCommand struct {
	jsonOutput
	ID   string `arg:"" help:"A lesson."`
	Word string `arg:"" help:"helpful, or not." enum:"helpful,not"`
}

// Run keeps a person's word on a lesson.
func (c *feedbackCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	at, err := inv.locate(ctx, p, s, c.ID)
	if err != nil {
		return err
	}
	if at.item.Kind != string(knowledge.KindLesson) {
		return usageError{fmt.Errorf("%s is no lesson: feedback is about lessons", c.ID)}
	}
	yes, no, err := p.GiveFeedback(at.item.ID, c.Word == "helpful")
	if err != nil {
		return err
	}
	if c.JSON {
		return inv.printJSON(map[string]int{"helpful": yes, "notHelpful": no})
	}
	inv.printf("noted: %d helpful, %d not\n", yes, no)
	if no > yes {
		inv.printf("to put it away: lessons archive %s\n", at.item.ID)
	}
	return nil
}
