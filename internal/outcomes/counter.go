package outcomes

import (
	"database/sql"
	"errors"
	"time"

	"github.com/lessons-cli/lessons/internal/database"
)

// live is how long after its last call a session may still go on.
const live = 24 * time.Hour

// claimFor is how long an analysis may take before its claim counts as abandoned.
const claimFor = 10 * time.Minute

// maxTries is how often one batch is analysed: a second time where the first was killed.
const maxTries = 2

// Counter is how many calls of a session there are, and how many of them were analysed.
type Counter struct {
	ToolCount, LastAnalysisCount int
}

// Since is how many calls were not analysed.
func (c Counter) Since() int { return c.ToolCount - c.LastAnalysisCount }

// count brings a session's counter up to date with its rows. What was pruned stays counted.
func count(tx *sql.Tx, session, now string) error {
	_, err := tx.Exec(`insert into session_tool_counter (session_id, tool_count, updated_at) select ?1, count(*), ?2 from tool_outcomes where session_id = ?1
		on conflict (session_id) do update set tool_count = max(tool_count, excluded.tool_count), updated_at = excluded.updated_at`, session, now)
	return err
}

// Snapshot is a session's counter; a session without one has zeros.
func (s *Store) Snapshot(session string) (Counter, error) {
	var c Counter
	err := s.DB.QueryRow(`select tool_count, last_analysis_count from session_tool_counter where session_id = ?`, session).Scan(&c.ToolCount, &c.LastAnalysisCount)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return c, err
}

// Claim takes the calls since the last analysis for this process: of those that saw the
// same counter one gets them. A claim that nobody finished in time may be taken once more.
func (s *Store) Claim(session string, seen Counter) (claimed bool, err error) {
	err = s.DB.Write(func(tx *sql.Tx) error {
		changed, err := tx.Exec(`update session_tool_counter set last_analysis_count = ?, claimed_from = last_analysis_count, claimed_until = ?, tries = 1
			where session_id = ? and last_analysis_count = ? and tool_count >= ?`,
			seen.ToolCount, Stamp(s.Now().Add(claimFor)), session, seen.LastAnalysisCount, seen.ToolCount)
		if err == nil {
			n, _ := changed.RowsAffected()
			claimed = n == 1 && seen.Since() > 0
		}
		return err
	})
	return claimed, err
}

// Finish says that a claimed batch was analysed.
func (s *Store) Finish(session string) error {
	return s.DB.Write(func(tx *sql.Tx) error {
		_, err := tx.Exec(`update session_tool_counter set claimed_from = null, claimed_until = null, tries = 0 where session_id = ?`, session)
		return err
	})
}

// Reclaim takes a batch whose analysis was killed. It returns the session, "" when there is none.
func (s *Store) Reclaim() (session string, err error) {
	err = s.DB.Write(func(tx *sql.Tx) error {
		now := s.Now()
		err := tx.QueryRow(`update session_tool_counter set claimed_until = ?, tries = tries + 1
			where session_id = (select session_id from session_tool_counter where claimed_until < ? and tries < ? order by session_id limit 1) returning session_id`,
			Stamp(now.Add(claimFor)), Stamp(now), maxTries).Scan(&session)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return session, err
}

// Due lists the sessions with at least so many calls that were not analysed.
func (s *Store) Due(threshold int) ([]string, error) {
	return database.Texts(s.DB, `select session_id from session_tool_counter where tool_count - last_analysis_count >= ? order by session_id`, threshold)
}

// Drop forgets a session's counter: the session ended, and all of it was analysed.
func (s *Store) Drop(session string) error {
	return s.DB.Write(func(tx *sql.Tx) error {
		if _, err := tx.Exec(`update tool_outcomes set analyzed = 1 where session_id = ?`, session); err != nil {
			return err
		}
		_, err := tx.Exec(`delete from session_tool_counter where session_id = ?`, session)
		return err
	})
}
