package outcomes

import (
	"time"

	"github.com/lessons-cli/lessons/internal/database"
)

// Query says which outcomes are asked for; empty fields leave the choice open.
type Query struct {
	Session, Tool string
	Outcome       Result
	Since         time.Time
	N             int // at most so many; 0: all
}

// where is the query's condition, with its arguments.
func (q Query) where() (string, []any) {
	since := ""
	if !q.Since.IsZero() {
		since = Stamp(q.Since)
	}
	return ` where (?1 = '' or session_id = ?1) and (?2 = '' or tool_name = ?2) and (?3 = '' or outcome = ?3) and created_at >= ?4`,
		[]any{q.Session, q.Tool, q.Outcome, since}
}

// List returns outcomes, the newest first; equal moments are in the order of their ids.
func (s *Store) List(q Query) ([]Outcome, error) {
	if q.N <= 0 {
		q.N = -1
	}
	where, args := q.where()
	list := []Outcome{}
	err := database.Each(s.DB, `select id, session_id, coalesce(project_id, ''), tool_name, outcome, coalesce(outcome_type, ''), coalesce(message, ''), coalesce(tool_input_hash, ''),
			coalesce(input_summary, ''), coalesce(output_summary, ''), coalesce(duration_ms, 0), coalesce(preceding_tool_id, ''), analyzed, created_at,
			coalesce(tool_use_id, ''), coalesce(agent_id, ''), coalesce(problem, '')
		from tool_outcomes`+where+` order by created_at desc, id desc limit ?5`, func(row func(...any) error) error {
		var o Outcome
		err := row(&o.ID, &o.SessionID, &o.ProjectID, &o.ToolName, &o.Outcome, &o.OutcomeType, &o.Message, &o.ToolInputHash, &o.InputSummary, &o.OutputSummary,
			&o.DurationMs, &o.PrecedingToolID, &o.Analyzed, &o.CreatedAt, &o.ToolUseID, &o.AgentID, &o.Problem)
		list = append(list, o)
		return err
	}, append(args, q.N)...)
	return list, err
}

// Last is a session's newest outcome, if it has one.
func (s *Store) Last(session string) (Outcome, bool, error) {
	list, err := s.List(Query{Session: session, N: 1})
	if err != nil || len(list) == 0 {
		return Outcome{}, false, err
	}
	return list[0], true, nil
}

// ToolStats is how the calls of one tool ended.
type ToolStats struct {
	Tool      string `json:"tool"`
	Calls     int    `json:"calls"`
	Success   int    `json:"success"`
	Failure   int    `json:"failure"`
	Partial   int    `json:"partial"`
	Sessions  int    `json:"sessions"`
	AverageMs int64  `json:"averageMs"`
}

// Stats counts how calls ended, the tools with most calls first.
func (s *Store) Stats(q Query) ([]ToolStats, error) {
	where, args := q.where()
	list := []ToolStats{}
	err := database.Each(s.DB, `select tool_name, count(*), sum(outcome = 'success'), sum(outcome = 'failure'), sum(outcome = 'partial'), count(distinct session_id), coalesce(cast(avg(duration_ms) as integer), 0)
		from tool_outcomes`+where+` group by tool_name order by count(*) desc, tool_name`, func(row func(...any) error) error {
		var t ToolStats
		err := row(&t.Tool, &t.Calls, &t.Success, &t.Failure, &t.Partial, &t.Sessions, &t.AverageMs)
		list = append(list, t)
		return err
	}, args...)
	return list, err
}
