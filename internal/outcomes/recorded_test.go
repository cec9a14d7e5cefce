package outcomes

import (
	"fmt"
	"testing"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// hooked are the records of a session's calls from one to another; every third failed.
func hooked(from, to int) []inject.Trace {
	var all []inject.Trace
	for n := from; n <= to; n++ {
		c := call(n, calls.OK)
		one := inject.Trace{At: c.At, Act: inject.ActRun, Tool: "Bash", Outcome: inject.OK, Session: "hooked", Call: c.ID, Runs: []inject.Run{{Name: "make test"}}}
		if n%3 == 0 {
			one.Outcome, one.In, one.Out = inject.Failed, "make test PART=2", "Exit code 2\nmake: *** No rule to make target 'test'."
		}
		all = append(all, one)
	}
	return all
}

// record has the store take over what hooks recorded, and returns how many failures were explained.
func record(t *testing.T, s *Store, traces []inject.Trace) (explained int) {
	t.Helper()
	err := s.Record(traces, &redact.Redactor{}, func(t inject.Trace) *calls.Failure {
		explained++
		return &calls.Failure{Problem: "p1:target", Class: "missing-target", Line: "No rule to make target 'test'."}
	})
	if err != nil {
		t.Fatal(err)
	}
	return explained
}

// failures is the error log, a line a row.
func failures(t *testing.T, s *Store) (lines []string) {
	t.Helper()
	rows, err := s.DB.Query(`select session_id, error_type, error_message, error_signature, occurrence_count from error_log order by session_id, error_signature`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var session, kind, message, signature string
		var n int
		if err := rows.Scan(&session, &kind, &message, &signature, &n); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprint(session, " ", kind, ": ", message, " (", signature, ") ", n))
	}
	return lines
}

// What hooks recorded has words, stands in the error log, and counts for the next analysis.
func TestRecordedCallsFeedTheErrorLogAndTheCounter(t *testing.T) {
	s := stored(t)
	if n := record(t, s, hooked(1, 9)); n != 3 {
		t.Errorf("%d failures explained, want 3", n)
	}
	failed := list(t, s, Query{Outcome: Failure})
	if len(failed) != 3 || failed[0].InputSummary != "make test PART=2" || failed[0].Message != "No rule to make target 'test'." ||
		failed[0].OutputSummary != "Exit code 2\nmake: *** No rule to make target 'test'." || failed[0].OutcomeType != "missing-target" {
		t.Errorf("failures %+v", failed)
	}
	want := []string{"hooked missing-target: No rule to make target 'test'. (p1:target) 3"}
	if got := failures(t, s); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("error log %q", got)
	}
	if c := snapshot(t, s, "hooked"); c.ToolCount != 9 {
		t.Errorf("counter %+v", c)
	}
	if n := record(t, s, hooked(1, 12)); n != 1 {
		t.Errorf("%d failures explained again, want the new one alone", n)
	}
	if c := snapshot(t, s, "hooked"); c.ToolCount != 12 {
		t.Errorf("counter %+v", c)
	}
}

// When the transcript is read, the log's rows alone stand, under the log's name of the session.
func TestTheLogTakesOverWhatHooksRecorded(t *testing.T) {
	s := stored(t)
	record(t, s, hooked(1, 9))
	ingest(t, s, calls.Session{Name: "logged", Calls: append(many(1, 8), call(9, calls.Failed))})
	if n := record(t, s, hooked(1, 9)); n != 0 {
		t.Errorf("%d failures explained that the log has", n)
	}
	if all := list(t, s, Query{}); len(all) != 9 || all[0].SessionID != "logged" {
		t.Errorf("%d rows, the newest %+v", len(all), all[0])
	}
	if got := failures(t, s); len(got) != 1 || got[0] != "logged usage: unknown flag (p1:x) 1" {
		t.Errorf("error log %q", got)
	}
	if h, l := snapshot(t, s, "hooked"), snapshot(t, s, "logged"); h.ToolCount != 0 || l.ToolCount != 9 {
		t.Errorf("counters %+v and %+v", h, l)
	}
}

// A session that ended is not counted anew.
func TestOldRecordsAreNotCounted(t *testing.T) {
	s := stored(t)
	old := hooked(1, 9)
	for i := range old {
		old[i].At -= 2 * live.Milliseconds()
	}
	record(t, s, old)
	if c := snapshot(t, s, "hooked"); c.ToolCount != 0 {
		t.Errorf("counter %+v", c)
	}
	if got := failures(t, s); len(got) != 1 {
		t.Errorf("error log %q", got)
	}
}
