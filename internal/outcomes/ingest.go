package outcomes

import (
	"database/sql"
	"fmt"
	"time"

	"github.com/lessons-cli/lessons/internal/database"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// File is one session's file of the call log.
type File struct {
	Name     string
	Size     int64
	Modified int64 // Unix nanoseconds
	Read     func() (calls.Session, error)
}

// Store is the database of outcomes.
type Store struct {
	DB      *database.DB
	Project string // id of the repository
	Now     func() time.Time
	Keep    Retention
}

// Retention is how much is kept.
type Retention struct {
	Days int
	Rows int // of one repository
}

// DefaultRetention is what is kept where nobody says otherwise.
var DefaultRetention = Retention{Days: 30, Rows: 10000}

// oldest is the moment from which on outcomes are kept.
func (s *Store) oldest() string { return Stamp(s.Now().AddDate(0, 0, -s.Keep.Days)) }

// Ingest takes over what files of the call log say since they were last read. A call is
// one row however often it is read, because its id says which one it is.
func (s *Store) Ingest(files []File) error {
	read := map[string][2]int64{}
	err := database.Each(s.DB, `select name, size, modified from read_files`, func(row func(...any) error) error {
		var name string
		var at [2]int64
		err := row(&name, &at[0], &at[1])
		read[name] = at
		return err
	})
	for _, f := range files {
		if err != nil {
			return err
		}
		if read[f.Name] == [2]int64{f.Size, f.Modified} {
			continue
		}
		session, unread := f.Read()
		if unread != nil {
			continue // the call log's own readers report it
		}
		err = s.DB.Write(func(tx *sql.Tx) error { return s.take(tx, f, session) })
	}
	return err
}

// insertRow takes the values of [Outcome.columns].
const insertRow = `insert into tool_outcomes (id, session_id, project_id, tool_name, outcome, outcome_type, message, tool_input_hash,
		input_summary, output_summary, duration_ms, preceding_tool_id, created_at, tool_use_id, agent_id, problem, recorded)
	values (?, ?, nullif(?, ''), ?, ?, nullif(?, ''), nullif(?, ''), nullif(?, ''), nullif(?, ''), nullif(?, ''), nullif(?, 0), nullif(?, ''), ?, nullif(?, ''), nullif(?, ''), nullif(?, ''), ?)`

func (o *Outcome) columns(recorded bool) []any {
	return []any{
		o.ID, o.SessionID, o.ProjectID, o.ToolName, o.Outcome, o.OutcomeType, o.Message, o.ToolInputHash,
		o.InputSummary, o.OutputSummary, o.DurationMs, o.PrecedingToolID, o.CreatedAt, o.ToolUseID, o.AgentID, o.Problem, recorded,
	}
}

// take replaces what is known of a session.
func (s *Store) take(tx *sql.Tx, f File, session calls.Session) error {
	oldest, latest := s.oldest(), ""
	insert, err := tx.Prepare(insertRow + ` on conflict (id) do update set outcome = excluded.outcome, outcome_type = excluded.outcome_type, message = excluded.message,
			input_summary = excluded.input_summary, tool_input_hash = excluded.tool_input_hash, output_summary = excluded.output_summary,
			duration_ms = excluded.duration_ms, preceding_tool_id = excluded.preceding_tool_id, created_at = excluded.created_at, problem = excluded.problem, recorded = 0`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, o := range Of(session, s.Project, time.Unix(0, f.Modified)) {
		if latest = o.CreatedAt; o.CreatedAt < oldest {
			continue
		}
		if _, err := insert.Exec(o.columns(false)...); err != nil {
			return fmt.Errorf("call %s of session %s: %w", o.ToolUseID, o.SessionID, err)
		}
	}
	if err := aggregate(tx, session.Name); err != nil {
		return err
	}
	if latest > Stamp(s.Now().Add(-live)) {
		if err := count(tx, session.Name, Stamp(s.Now())); err != nil {
			return err
		}
	}
	_, err = tx.Exec(`insert into read_files values (?, ?, ?) on conflict (name) do update set size = excluded.size, modified = excluded.modified`, f.Name, f.Size, f.Modified)
	return err
}

// aggregate makes the error log of a session: one row for each kind of failure. Rows that
// somebody else put there stay.
func aggregate(tx *sql.Tx, session string) error {
	if _, err := tx.Exec(`delete from error_log where session_id = ? and id like 'err_%'`, session); err != nil {
		return err
	}
	type kind struct {
		project, tool, what, message, signature, hash, first, last string
		n                                                          int
	}
	var kinds []kind
	err := database.Each(tx, `select coalesce(project_id, ''), tool_name, outcome_type, coalesce(message, ''), coalesce(problem, outcome_type || ':' || coalesce(message, '')) as signature,
			coalesce(min(tool_input_hash), ''), min(created_at), max(created_at), count(*)
		from tool_outcomes where session_id = ? and outcome = 'failure' group by signature order by signature`,
		func(row func(...any) error) error {
			var k kind
			err := row(&k.project, &k.tool, &k.what, &k.message, &k.signature, &k.hash, &k.first, &k.last, &k.n)
			kinds = append(kinds, k)
			return err
		}, session)
	for _, k := range kinds {
		if err != nil {
			return err
		}
		_, err = tx.Exec(`insert into error_log (id, session_id, project_id, tool_name, error_type, error_message, error_signature, tool_input_hash, occurrence_count, first_occurrence, last_occurrence, created_at)
			values (?, ?, nullif(?, ''), ?, ?, ?, ?, nullif(?, ''), ?, ?, ?, ?) on conflict do nothing`,
			knowledge.Digest("err_", 20, session, k.signature), session, k.project, k.tool, k.what, k.message, k.signature, k.hash, k.n, k.first, k.last, k.first)
	}
	return err
}

// Prune removes what is older, and more, than is kept, and counters that no session end
// dropped. It returns how many outcomes it removed.
func (s *Store) Prune() (removed int64, err error) {
	err = s.DB.Write(func(tx *sql.Tx) error {
		old, err := tx.Exec(`delete from tool_outcomes where created_at < ?`, s.oldest())
		if err != nil {
			return err
		}
		many, err := tx.Exec(`delete from tool_outcomes where id in (select id from tool_outcomes order by created_at desc, id desc limit -1 offset ?)`, s.Keep.Rows)
		if err != nil {
			return err
		}
		a, _ := old.RowsAffected()
		b, _ := many.RowsAffected()
		removed = a + b
		for _, rest := range []string{
			`delete from error_log where id like 'err_%' and last_occurrence < ?`,
			`delete from session_tool_counter where updated_at < ?`,
		} {
			if _, err := tx.Exec(rest, s.oldest()); err != nil {
				return err
			}
		}
		_, err = tx.Exec(`insert into done values ('prune', ?) on conflict (what) do update set at = excluded.at`, Stamp(s.Now()))
		return err
	})
	return removed, err
}

// PruneIsDue says whether a day passed since the last one.
func (s *Store) PruneIsDue() bool {
	var at string
	err := s.DB.QueryRow(`select at from done where what = 'prune'`).Scan(&at)
	return err != nil || at < Stamp(s.Now().AddDate(0, 0, -1))
}
