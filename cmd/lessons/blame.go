package main

import (
	"context"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/history"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type blameCommand struct {
	jsonOutput
	ID string `arg:"" help:"ADR-001, PF-002, a lesson's file name, a path, or an observation's id; also a number that it had."`
}

// Run follows the item through history.
func (c *blameCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	t, err := traced(ctx, p, s, c.ID)
	if err != nil {
		return err
	}
	if c.JSON {
		return inv.printJSON(t)
	}
	inv.printf("%s  %s\n", t.ID, t.Title)
	where := t.Path
	if t.Gone {
		where += "  (gone)"
	}
	fact := func(name, text string) {
		if text != "" {
			inv.printf("  %-10s %s\n", name, text)
		}
	}
	fact("where", where)
	fact("status", t.Status)
	fact("formerly", strings.Join(t.Formerly, ", "))
	fact("observed", strings.TrimRight(strings.Join([]string{t.Observation, t.Seen}, "  "), " "))
	for _, q := range t.Quotes {
		fact("said", `"`+q+`"`)
	}
	if o := t.Evidence; o != nil {
		fact("here", sessions(max(len(o.Sessions), o.Observations))+", "+o.FirstSeen.Format(time.DateOnly)+" to "+o.LastSeen.Format(time.DateOnly))
	}
	for i, e := range t.Events {
		name := "then"
		if i == 0 {
			name = "first"
		}
		fact(name, inv.eventLine(e))
	}
	if v := t.Verdict; v != nil {
		fact("verdict", strings.Join(strings.Fields("removed "+v.At+" "+v.By+" "+shortID(v.Commit)), " "))
	}
	for _, f := range t.Stale {
		fact("stale", f.Text())
	}
	fact("now", t.Local)
	return nil
}

func traced(ctx context.Context, p *project.Project, s *store.Snapshot, id string) (*project.Trace, error) {
	t, err := p.Trace(ctx, s, id)
	return t, withHint(err, "lessons list shows the names")
}

// eventLine tells one commit's work in a line.
func (inv *invocation) eventLine(e history.Event) string {
	what, who := eventWords(e)
	return shortID(e.Commit) + "  " + inv.day(e.Time) + "  " + what + "  " + who
}

// eventWords say what one commit did, and who committed it.
func eventWords(e history.Event) (what, who string) {
	what = strings.Join(lists.Map(e.Changes, func(c history.Change) string { return string(c) }), ", ")
	if e.Detail != "" {
		what += " (" + e.Detail + ")"
	}
	name, _, _ := strings.Cut(e.Author, " <")
	return what, name + ": " + shorten(oneLine(e.Subject), 60)
}

func shortID(commit string) string { return commit[:min(10, len(commit))] }
