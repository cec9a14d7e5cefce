package outcomes

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/database"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// The names of these tests are the lines of the acceptance lists of the design that the tables follow.

var day = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func stored(t *testing.T) *Store {
	t.Helper()
	db, err := database.Open(filepath.Join(t.TempDir(), "outcomes.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return &Store{DB: db, Project: "p", Now: func() time.Time { return day }, Keep: DefaultRetention}
}

// call is the nth call of a session, a second after the one before it.
func call(n int, outcome calls.Outcome) calls.Call {
	c := calls.Call{ID: fmt.Sprintf("c%03d", n), Line: n, At: day.Add(time.Duration(n-200) * time.Second).UnixMilli(), Tool: "Edit", Input: fmt.Sprintf("f%d.go", n), Outcome: outcome}
	if outcome == calls.Failed {
		c.Failure = &calls.Failure{Problem: "p1:x", Class: "usage", Line: "unknown flag"}
	}
	return c
}

func many(from, to int) []calls.Call {
	var all []calls.Call
	for n := from; n <= to; n++ {
		all = append(all, call(n, calls.OK))
	}
	return all
}

// ingest has the store read sessions, whose files are new each time.
func ingest(t *testing.T, s *Store, sessions ...calls.Session) {
	t.Helper()
	var files []File
	for _, one := range sessions {
		files = append(files, File{Name: one.Name + ".jsonl", Size: int64(len(one.Calls)), Modified: day.UnixNano(), Read: func() (calls.Session, error) { return one, nil }})
	}
	if err := s.Ingest(files); err != nil {
		t.Fatal(err)
	}
}

func list(t *testing.T, s *Store, q Query) []Outcome {
	t.Helper()
	all, err := s.List(q)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func ids(all []Outcome) (out []string) {
	for _, o := range all {
		out = append(out, o.ID)
	}
	return out
}

func snapshot(t *testing.T, s *Store, session string) Counter {
	t.Helper()
	c, err := s.Snapshot(session)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPrecedingToolIDIsSetViaTheLastOutcomeOfTheSession(t *testing.T) {
	s := stored(t)
	ingest(t, s, calls.Session{Name: "s1", Calls: many(1, 1)})
	last, ok, err := s.Last("s1")
	if err != nil || !ok || last.PrecedingToolID != "" || last.DurationMs != 0 {
		t.Fatalf("the first has %+v, %v", last, err)
	}
	ingest(t, s, calls.Session{Name: "s1", Calls: many(1, 2)})
	if second, _, _ := s.Last("s1"); second.PrecedingToolID != last.ID || second.DurationMs != 1000 {
		t.Errorf("the second has %+v", second)
	}
}

func TestRecentOutcomesAreTheNewestByTimeAndID(t *testing.T) {
	s := stored(t)
	ingest(t, s, calls.Session{Name: "s1", Calls: many(1, 5)})
	got := list(t, s, Query{Session: "s1", N: 3})
	if len(got) != 3 || got[0].InputSummary != "f5.go" || got[2].InputSummary != "f3.go" {
		t.Errorf("got %+v", got)
	}
}

func TestPeriodicBatchIsTheCountSinceTheLastAnalysis(t *testing.T) {
	s := stored(t)
	ingest(t, s, calls.Session{Name: "s1", Calls: many(1, 20)})
	if claimed, err := s.Claim("s1", snapshot(t, s, "s1")); !claimed || err != nil {
		t.Fatalf("claimed %v, %v", claimed, err)
	}
	ingest(t, s, calls.Session{Name: "s1", Calls: many(1, 35)})
	c := snapshot(t, s, "s1")
	if c.ToolCount != 35 || c.Since() != 15 {
		t.Fatalf("got %+v", c)
	}
	batch := list(t, s, Query{Session: "s1", N: c.Since()})
	if len(batch) != 15 || batch[14].InputSummary != "f21.go" {
		t.Errorf("the oldest of %d is %s", len(batch), batch[len(batch)-1].InputSummary)
	}
}

func TestTiesOfTheSameMillisecondAreDeterministic(t *testing.T) {
	s := stored(t)
	same := many(1, 10)
	for i := range same {
		same[i].At = day.UnixMilli() - 5000
	}
	ingest(t, s, calls.Session{Name: "s1", Calls: same})
	first := ids(list(t, s, Query{Session: "s1", N: 10}))
	if second := ids(list(t, s, Query{Session: "s1", N: 10})); !slices.Equal(first, second) || len(first) != 10 {
		t.Errorf("%v, then %v", first, second)
	}
	if !slices.IsSortedFunc(first, func(a, b string) int { return -compare(a, b) }) {
		t.Errorf("%v is not in the order of ids", first)
	}
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func TestAnalysisTriggersAtTheThresholdAndNotBelow(t *testing.T) {
	s := stored(t)
	ingest(t, s, calls.Session{Name: "below", Calls: many(1, 19)}, calls.Session{Name: "at", Calls: many(1, 20)})
	due, err := s.Due(20)
	if err != nil || !slices.Equal(due, []string{"at"}) {
		t.Errorf("got %v, %v", due, err)
	}
	if _, err := s.Claim("at", snapshot(t, s, "at")); err != nil {
		t.Fatal(err)
	}
	if due, _ := s.Due(20); len(due) != 0 || snapshot(t, s, "at").Since() != 0 {
		t.Errorf("after the analysis %v is due", due)
	}
}

func TestOfTwoThatSeeTheSameCounterOneClaims(t *testing.T) {
	s := stored(t)
	ingest(t, s, calls.Session{Name: "s1", Calls: many(1, 20)})
	seen := snapshot(t, s, "s1")
	first, _ := s.Claim("s1", seen)
	second, _ := s.Claim("s1", seen)
	if !first || second {
		t.Errorf("claimed %v and %v", first, second)
	}
}

func TestAKilledAnalysisIsTriedOnceMore(t *testing.T) {
	s := stored(t)
	ingest(t, s, calls.Session{Name: "s1", Calls: many(1, 20)})
	if _, err := s.Claim("s1", snapshot(t, s, "s1")); err != nil {
		t.Fatal(err)
	}
	if again, _ := s.Reclaim(); again != "" {
		t.Error("taken from one that still works")
	}
	s.Now = func() time.Time { return day.Add(time.Hour) }
	for i, want := range []string{"s1", "", ""} {
		if again, err := s.Reclaim(); again != want || err != nil {
			t.Errorf("try %d: %q, %v", i, again, err)
		}
		s.Now = func() time.Time { return day.Add(time.Duration(i+2) * time.Hour) }
	}
}

func TestAFinishedAnalysisIsNotTriedAgain(t *testing.T) {
	s := stored(t)
	ingest(t, s, calls.Session{Name: "s1", Calls: many(1, 20)})
	if _, err := s.Claim("s1", snapshot(t, s, "s1")); err != nil {
		t.Fatal(err)
	}
	if err := s.Finish("s1"); err != nil {
		t.Fatal(err)
	}
	s.Now = func() time.Time { return day.Add(time.Hour) }
	if again, _ := s.Reclaim(); again != "" {
		t.Error("tried again")
	}
}

func TestTheCounterIsDroppedAtSessionEnd(t *testing.T) {
	s := stored(t)
	ingest(t, s, calls.Session{Name: "s1", Calls: many(1, 20)})
	if err := s.Drop("s1"); err != nil {
		t.Fatal(err)
	}
	if c := snapshot(t, s, "s1"); c != (Counter{}) {
		t.Errorf("got %+v", c)
	}
	if o := list(t, s, Query{N: 1}); o[0].Analyzed != 1 {
		t.Errorf("got %+v", o)
	}
}

func TestSessionsAreIsolated(t *testing.T) {
	s := stored(t)
	ingest(t, s, calls.Session{Name: "a", Calls: many(1, 3)}, calls.Session{Name: "b", Calls: many(4, 8)})
	if a, b := snapshot(t, s, "a"), snapshot(t, s, "b"); a.ToolCount != 3 || b.ToolCount != 5 {
		t.Errorf("got %+v, %+v", a, b)
	}
	first := list(t, s, Query{Session: "b"})[4]
	if first.PrecedingToolID != "" {
		t.Errorf("the first of b follows %s", first.PrecedingToolID)
	}
}

func TestSchemaIsEventLevelWithoutAggregateColumns(t *testing.T) {
	s := stored(t)
	columns := map[string]bool{}
	err := database.Each(s.DB, `select name from pragma_table_info('tool_outcomes')`, func(row func(...any) error) error {
		var name string
		err := row(&name)
		columns[name] = true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"outcome": true, "input_summary": true, "output_summary": true, "duration_ms": true, "preceding_tool_id": true,
		"occurrence_count": false, "first_occurrence": false, "last_occurrence": false,
	} {
		if columns[name] != want {
			t.Errorf("column %s: %v", name, columns[name])
		}
	}
}

func TestErrorLogIsWritableAndItsQueriesAreUnchanged(t *testing.T) {
	s := stored(t)
	err := s.DB.Write(func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO error_log (id, session_id, tool_name, error_type, error_message, error_signature, first_occurrence, last_occurrence, created_at) VALUES ('test-123', 's1', 'TestTool', 'TestError', 'Test message', 'sig-123', datetime('now'), datetime('now'), datetime('now'))`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	session := calls.Session{Name: "s1", Calls: []calls.Call{call(1, calls.Failed), call(2, calls.OK), call(3, calls.Failed)}}
	ingest(t, s, session)
	session.Calls = append(session.Calls, call(4, calls.Failed))
	ingest(t, s, session)
	var rows, times int
	var first, last string
	if err := s.DB.QueryRow(`select count(*) from error_log`).Scan(&rows); err != nil {
		t.Fatal(err)
	}
	if err := s.DB.QueryRow(`select occurrence_count, first_occurrence, last_occurrence from error_log where error_signature = 'p1:x'`).Scan(&times, &first, &last); err != nil {
		t.Fatal(err)
	}
	if rows != 2 || times != 3 || first >= last {
		t.Errorf("%d rows; %d times from %s to %s", rows, times, first, last)
	}
}

func TestOutcomeTypes(t *testing.T) {
	warned := call(1, calls.OK)
	warned.Warned, warned.Out = true, "npm warn deprecated"
	stopped := call(1, calls.Stopped)
	stopped.Fired = []string{"L-1"}
	for _, c := range []struct {
		call    calls.Call
		outcome Result
		kind    string
	}{
		{call(1, calls.OK), Success, ""},
		{call(1, calls.Failed), Failure, "usage"},
		{warned, Partial, "warning"},
		{call(1, calls.Masked), Partial, "masked"},
		{call(1, calls.Unknown), Partial, "unknown"},
		{call(1, calls.Refused), Failure, "refused"},
		{call(1, calls.Interrupted), Failure, "interrupted"},
		{stopped, Failure, "stopped"},
	} {
		if got, kind := result(&c.call); got != c.outcome || kind != c.kind {
			t.Errorf("%s: %s %q", c.call.Outcome, got, kind)
		}
	}
}

func TestOtherToolsAreKeptByNameOnly(t *testing.T) {
	c := call(1, calls.OK)
	c.Tool, c.Input, c.Out = "mcp__mail__send", "to whom", "sent"
	o := Of(calls.Session{Name: "s", Calls: []calls.Call{c}}, "p", day)[0]
	if o.InputSummary+o.OutputSummary+o.ToolInputHash != "" || o.ToolName != c.Tool {
		t.Errorf("got %+v", o)
	}
}

func TestSummariesAreShort(t *testing.T) {
	c := call(1, calls.OK)
	long := []rune{}
	for range 1000 {
		long = append(long, 'é')
	}
	c.Input, c.Out = string(long), string(long)
	o := Of(calls.Session{Name: "s", Calls: []calls.Call{c}}, "p", day)[0]
	if len([]rune(o.InputSummary)) != 200 || len([]rune(o.OutputSummary)) != 500 {
		t.Errorf("got %d and %d", len([]rune(o.InputSummary)), len([]rune(o.OutputSummary)))
	}
}

func TestRetentionByDaysAndByRows(t *testing.T) {
	s := stored(t)
	old := many(1, 3)
	for i := range old {
		old[i].At -= (31 * 24 * time.Hour).Milliseconds()
	}
	ingest(t, s, calls.Session{Name: "old", Calls: old}, calls.Session{Name: "new", Calls: many(1, 30)})
	if n := len(list(t, s, Query{})); n != 30 {
		t.Errorf("%d rows: what is too old came in", n)
	}
	s.Keep.Rows = 10
	if !s.PruneIsDue() {
		t.Error("not due")
	}
	removed, err := s.Prune()
	if rest := list(t, s, Query{}); removed != 20 || err != nil || len(rest) != 10 || rest[0].InputSummary != "f30.go" || s.PruneIsDue() {
		t.Errorf("removed %d, %v; %d are left", removed, err, len(rest))
	}
	s.Now = func() time.Time { return day.AddDate(0, 0, 2) }
	if !s.PruneIsDue() {
		t.Error("not due the day after")
	}
}

func TestACallThatIsReadAgainIsOneRow(t *testing.T) {
	s := stored(t)
	session := calls.Session{Name: "s1", Calls: many(1, 5)}
	ingest(t, s, session)
	session.Calls = append(session.Calls, call(6, calls.OK))
	session.Calls[1].Outcome = calls.Interrupted
	ingest(t, s, session)
	all := list(t, s, Query{})
	if len(all) != 6 || all[4].OutcomeType != "interrupted" || snapshot(t, s, "s1").ToolCount != 6 {
		t.Errorf("got %+v", all)
	}
}

func TestStats(t *testing.T) {
	s := stored(t)
	ingest(t, s, calls.Session{Name: "a", Calls: []calls.Call{call(1, calls.OK), call(2, calls.Failed)}}, calls.Session{Name: "b", Calls: []calls.Call{call(3, calls.Masked)}})
	got, err := s.Stats(Query{})
	want := ToolStats{Tool: "Edit", Calls: 3, Success: 1, Failure: 1, Partial: 1, Sessions: 2, AverageMs: 1000}
	if err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, %v", got, err)
	}
}
