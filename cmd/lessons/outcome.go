package main

import (
	"context"
	"strconv"
	"time"

	"github.com/lessons-cli/lessons/internal/outcomes"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
)

type outcomeCommand struct {
	List    outcomeListCommand    `cmd:"" default:"withargs" help:"List how tool calls ended, the newest first."`
	Stats   outcomeStatsCommand   `cmd:"" help:"Count how calls ended, tool by tool."`
	Analyze outcomeAnalyzeCommand `cmd:"" help:"Look for patterns in how calls ended, over all sessions."`
	Prune   outcomePruneCommand   `cmd:"" help:"Remove what is older or more than is kept."`
	Record  outcomeRecordCommand  `cmd:"" help:"Record a call of an agent that keeps no transcript."`
}

// outcomeQuery are the flags that choose outcomes.
type outcomeQuery struct {
	Session string `help:"Only this session, by the agent's id or by the hash that is stored." placeholder:"ID"`
	Tool    string `help:"Only this tool: Bash, Edit, Read, …" placeholder:"NAME"`
	Outcome string `help:"Only success, failure or partial." enum:",success,failure,partial" default:""`
	Since   string `help:"Only from this day on (2026-05-01), or of the last days (7d)." placeholder:"DAY"`
}

// outcomes opens the outcomes, for the commands that ask for them, and says what happened to
// the database.
func (inv *invocation) outcomes(p *project.Project) (*outcomes.Store, error) {
	s, err := p.Outcomes()
	if err != nil {
		return nil, err
	}
	inv.closing = append(inv.closing, func() { _ = s.DB.Close() })
	if s.DB.Note != "" {
		inv.sys.stderr.Printf("lessons: %s\n", s.DB.Note)
	}
	return s, nil
}

func (q outcomeQuery) query(inv *invocation, s *outcomes.Store) (outcomes.Query, error) {
	since, err := sinceDay(q.Since, inv.sys.now())
	if err != nil {
		return outcomes.Query{}, usageError{err}
	}
	out := outcomes.Query{Session: q.Session, Tool: q.Tool, Outcome: outcomes.Result(q.Outcome), Since: since}
	if _, stored, err := s.Last(q.Session); !stored && q.Session != "" && err == nil {
		out.Session = knowledge.SessionHash(q.Session)
	}
	return out, nil
}

const noOutcomes = "no outcomes are stored; run lessons scan"

type outcomeListCommand struct {
	jsonOutput
	outcomeQuery
	N int `short:"n" default:"20" help:"How many; 0: all."`
}

// Run lists outcomes.
func (c *outcomeListCommand) Run(inv *invocation, s *outcomes.Store) error {
	q, err := c.query(inv, s)
	if err != nil {
		return err
	}
	if q.N = c.N; c.N > 0 {
		q.N++ // which says whether there are more
	}
	list, err := s.List(q)
	if err != nil {
		return err
	}
	if c.N > 0 && len(list) > c.N {
		list = list[:c.N]
		if !c.JSON {
			defer inv.printf("more than these %d: lessons outcome -n 0 lists all\n", c.N)
		}
	}
	columns := []plain.Column{{Name: "WHEN"}, {Name: "OUTCOME"}, {Name: "TOOL"}, {Name: "TOOK", Number: true}, {Name: "CALL", Shrinks: true}}
	return printListed(inv, c.JSON, list, noOutcomes, columns, func(o outcomes.Outcome) plain.Row {
		row := plain.Row{Cells: []string{inv.whenWritten(o.CreatedAt), string(o.Outcome), o.ToolName, milliseconds(o.DurationMs), shorten(oneLine(o.InputSummary), 70)}}
		if o.Outcome != outcomes.Success {
			row.Notes = []string{o.OutcomeType + ": " + shorten(oneLine(o.Message), 90)}
		}
		return row
	})
}

// whenWritten says of a time as it is stored when it was.
func (inv *invocation) whenWritten(stored string) string {
	then, err := time.Parse(time.RFC3339, stored)
	if err != nil {
		return stored
	}
	return inv.when(then)
}

// milliseconds is a duration in a few characters.
func milliseconds(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case ms == 0:
		return "-"
	case d < 10*time.Second:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

type outcomeStatsCommand struct {
	jsonOutput
	outcomeQuery
}

// Run counts outcomes.
func (c *outcomeStatsCommand) Run(inv *invocation, s *outcomes.Store) error {
	q, err := c.query(inv, s)
	if err != nil {
		return err
	}
	list, err := s.Stats(q)
	if err != nil {
		return err
	}
	if c.JSON {
		return inv.printJSON(struct {
			Tools []outcomes.ToolStats `json:"tools"`
		}{list})
	}
	columns := []plain.Column{{Name: "TOOL", Shrinks: true}}
	for _, name := range []string{"CALLS", "SUCCESS", "FAILURE", "PARTIAL", "SESSIONS", "AVERAGE"} {
		columns = append(columns, plain.Column{Name: name, Number: true})
	}
	return printListed(inv, false, list, noOutcomes, columns, func(s outcomes.ToolStats) plain.Row {
		return plain.Row{Cells: []string{
			s.Tool, strconv.Itoa(s.Calls), strconv.Itoa(s.Success), strconv.Itoa(s.Failure), strconv.Itoa(s.Partial), strconv.Itoa(s.Sessions), milliseconds(s.AverageMs),
		}}
	})
}

type outcomeAnalyzeCommand struct {
	jsonOutput
	DryRun bool `help:"Write nothing."`
}

// Run looks for patterns now: what the end of a session does by itself.
func (c *outcomeAnalyzeCommand) Run(inv *invocation, p *project.Project) error {
	found, err := p.Analyze(c.DryRun)
	if err != nil {
		return err
	}
	if c.JSON {
		return inv.printJSON(found)
	}
	inv.printf("%s in %s: %s tested, %s\n", count(found.Calls, "call", "calls"), count(found.Sessions, "session", "sessions"),
		count(found.Tested, "claim", "claims"), count(len(found.Patterns), "holds", "hold"))
	for _, one := range found.Patterns {
		inv.printf("\n%-13s %s\n    %s\n", one.Kind, one.Title(), one.Support())
	}
	if len(found.Patterns) == 0 {
		inv.printf("no command goes with how later calls ended; lessons problems lists what fails and what fixed it\n")
	} else if !c.DryRun {
		inv.printf("\nkept as observations: lessons list --waiting; lessons promote ID has one written down\n")
	}
	return nil
}

type outcomePruneCommand struct{ jsonOutput }

// Run prunes now what the end of a session prunes once a day.
func (c *outcomePruneCommand) Run(inv *invocation, s *outcomes.Store) error {
	n, err := s.Prune()
	if err != nil {
		return err
	}
	if c.JSON {
		return inv.printJSON(map[string]int64{"removed": n})
	}
	inv.printf("removed %s; those of the last %s are kept, %d at most\n", count(int(n), "outcome", "outcomes"), count(s.Keep.Days, "day", "days"), s.Keep.Rows)
	return nil
}

type outcomeRecordCommand struct {
	jsonOutput
	Session  string        `required:"" help:"The agent's id of the session." placeholder:"ID"`
	Tool     string        `required:"" help:"The tool: Bash, Edit, Read, …" placeholder:"NAME"`
	Outcome  string        `required:"" help:"success, failure or partial." enum:"success,failure,partial"`
	Type     string        `help:"Of a failure: what kind." placeholder:"KIND"`
	Input    string        `help:"What was called; secrets are taken out." placeholder:"TEXT"`
	Output   string        `help:"What came back; secrets are taken out." placeholder:"TEXT"`
	Duration time.Duration `help:"How long it took (1.5s)."`
}

// Run records an outcome in the call log.
func (c *outcomeRecordCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	id, err := p.RecordOutcome(ctx, project.ToolOutcome{
		Session: c.Session, Tool: c.Tool, Outcome: outcomes.Result(c.Outcome), Kind: c.Type, Input: c.Input, Output: c.Output, Took: c.Duration,
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return inv.printJSON(map[string]string{"id": id})
	}
	inv.printf("recorded %s\n", id)
	return nil
}
