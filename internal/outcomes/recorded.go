package outcomes

import (
	"cmp"
	"database/sql"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/database"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Explain says what the call log would keep of a failed call, of what its record tells of
// it; nil: nothing.
type Explain func(inject.Trace) *calls.Failure

// Record takes over the calls that hooks recorded and the call log lacks: of a session that
// still runs, or whose transcript is gone or cannot be read. A call that the log has by now
// is the log's row alone. Failures and counts of the sessions follow.
func (s *Store) Record(traces []inject.Trace, r *redact.Redactor, explain Explain) error {
	known, err := s.known()
	if err != nil {
		return err
	}
	rows := recorded(traces, s.Project, r, func(t inject.Trace) *calls.Failure {
		if known[t.Call] {
			return nil
		}
		return explain(t)
	})
	if len(rows) == 0 {
		return nil
	}
	oldest := s.oldest()
	return s.DB.Write(func(tx *sql.Tx) error {
		changed := map[string]bool{}
		insert, err := tx.Prepare(insertRow + ` on conflict do nothing`)
		if err != nil {
			return err
		}
		defer insert.Close()
		for i := range rows {
			if known[rows[i].ToolUseID] || rows[i].CreatedAt < oldest {
				continue
			}
			changed[rows[i].SessionID] = true
			if _, err := insert.Exec(rows[i].columns(true)...); err != nil {
				return err
			}
		}
		gone, err := superseded(tx)
		if err != nil {
			return err
		}
		maps.Copy(changed, gone)
		for _, session := range slices.Sorted(maps.Keys(changed)) {
			if err := s.summarize(tx, session); err != nil {
				return err
			}
		}
		return nil
	})
}

// known are the calls that have a row.
func (s *Store) known() (map[string]bool, error) {
	ids, err := database.Texts(s.DB, `select tool_use_id from tool_outcomes where tool_use_id is not null`)
	return lists.Set(ids), err
}

// superseded removes the recorded calls that the log has by now, and returns the sessions
// in which they stood.
func superseded(tx *sql.Tx) (map[string]bool, error) {
	const told = `recorded = 1 and exists (select 1 from tool_outcomes as told where told.tool_use_id = tool_outcomes.tool_use_id and told.recorded = 0)`
	sessions, err := database.Texts(tx, `select distinct session_id from tool_outcomes where `+told)
	if err == nil && len(sessions) > 0 {
		_, err = tx.Exec(`delete from tool_outcomes where ` + told)
	}
	return lists.Set(sessions), err
}

// summarize brings a session's failures and its counter up to date with its rows. Where
// none is left, the log knows the session by another name.
func (s *Store) summarize(tx *sql.Tx, session string) error {
	if err := aggregate(tx, session); err != nil {
		return err
	}
	var latest sql.NullString
	if err := tx.QueryRow(`select max(created_at) from tool_outcomes where session_id = ?`, session).Scan(&latest); err != nil {
		return err
	}
	switch {
	case !latest.Valid:
		_, err := tx.Exec(`delete from session_tool_counter where session_id = ?`, session)
		return err
	case latest.String > Stamp(s.Now().Add(-live)):
		return count(tx, session, Stamp(s.Now()))
	}
	return nil
}

// recorded are the outcomes of calls as hooks record them, each with the one before it in
// its session. Of a call that worked a record says what it was about without its words.
func recorded(traces []inject.Trace, project string, r *redact.Redactor, explain Explain) []Outcome {
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
			if f := explain(*t); f != nil {
				o.OutcomeType, o.Message, o.Problem = cmp.Or(f.Class, "error"), f.Line, f.Problem
			}
		case inject.Unclear:
			o.Outcome, o.OutcomeType = Partial, "unknown"
		}
		if summarized[t.Tool] {
			o.InputSummary, o.OutputSummary = prose.Shorten(r.Text(about(t)).String(), maxInput), prose.Shorten(r.Text(t.Out).String(), maxOutput)
		}
		if before, ok := last[t.Session]; ok {
			follow(&o, &all[before])
		}
		last[t.Session] = len(all)
		all = append(all, o)
	}
	return all
}

// about is the command where its words are known, else the programs that it ran, else the
// files of the call.
func about(t *inject.Trace) string {
	if t.In != "" {
		return t.In
	}
	words := t.Paths
	if len(t.Runs) > 0 {
		words = lists.Map(t.Runs, func(run inject.Run) string { return run.Name })
	}
	return strings.Join(words, ", ")
}
