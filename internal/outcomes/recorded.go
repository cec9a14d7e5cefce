package outcomes

import (
	"database/sql"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/redact"
)

// Record takes over the calls that hooks recorded and the call log lacks: of a session that
// still runs, or whose transcript is gone or cannot be read. A call that the log has by now
// is the log's row alone.
func (s *Store) Record(traces []inject.Trace, r *redact.Redactor) error {
	rows := recorded(traces, s.Project, r)
	if len(rows) == 0 {
		return nil
	}
	oldest := s.oldest()
	return s.DB.Write(func(tx *sql.Tx) error {
		insert, err := tx.Prepare(insertRow + ` on conflict do nothing`)
		if err != nil {
			return err
		}
		defer insert.Close()
		for i := range rows {
			if rows[i].CreatedAt < oldest {
				continue
			}
			if _, err := insert.Exec(rows[i].columns(true)...); err != nil {
				return err
			}
		}
		_, err = tx.Exec(`delete from tool_outcomes where recorded = 1 and exists
			(select 1 from tool_outcomes as told where told.tool_use_id = tool_outcomes.tool_use_id and told.recorded = 0)`)
		return err
	})
}

// recorded are the outcomes of calls as hooks record them, each with the one before it in
// its session. A record says how a call ended, and what it was about without its words.
func recorded(traces []inject.Trace, project string, r *redact.Redactor) []Outcome {
	var all []Outcome
	last := map[string]int{}
	for i := range traces {
		t := &traces[i]
		if t.Call == "" || t.Lesson != "" {
			continue
		}
		o := Outcome{
			ID: IDOf(t.Session, t.Call), SessionID: t.Session, ProjectID: project, ToolName: t.Tool, DurationMs: t.Took,
			CreatedAt: Stamp(time.UnixMilli(t.At)), ToolUseID: t.Call, AgentID: t.Sub,
		}
		switch o.Outcome = Success; t.Outcome {
		case inject.Failed:
			o.Outcome, o.OutcomeType = Failure, "error"
		case inject.Unclear:
			o.Outcome, o.OutcomeType = Partial, "unknown"
		}
		if summarized[t.Tool] {
			o.InputSummary = cut(r.Text(about(t)).String(), maxInput)
		}
		if before, ok := last[t.Session]; ok {
			follow(&o, &all[before])
		}
		last[t.Session] = len(all)
		all = append(all, o)
	}
	return all
}

// about names the programs that a call ran, else its files.
func about(t *inject.Trace) string {
	words := t.Paths
	if len(t.Runs) > 0 {
		words = nil
		for _, run := range t.Runs {
			words = append(words, run.Name)
		}
	}
	return strings.Join(words, ", ")
}
