package project_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/outcomes"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/test/gittest"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// logged is a repository whose call log has sessions in which make test works after make
// generate and else fails.
func logged(t *testing.T, now time.Time) *project.Project {
	t.Helper()
	repo := gittest.New(t)
	p := openProject(t, repo.Path("."), func() time.Time { return now })
	dir := filepath.Join(p.Store.Places.Shared, "calls")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for n := range 30 {
		var lines []byte
		for i, input := range []string{"make generate", "make test", "git status", "git status"} {
			c := calls.Call{ID: fmt.Sprint(i), Line: i, At: now.Add(time.Duration(i-100) * time.Second).UnixMilli(), Tool: "Bash", Input: input, Outcome: calls.OK}
			if n%2 == 1 && i == 0 {
				c.Tool = "Edit"
			}
			if n%2 == 1 && i == 1 {
				c.Outcome = calls.Failed
			}
			lines = calls.AppendLine(lines, &c)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("session%05d.jsonl", n)), lines, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// patterns are the observations that come of patterns.
func patterns(t *testing.T, p *project.Project) []*observe.Observation {
	t.Helper()
	s, err := p.Store.Load()
	if err != nil {
		t.Fatal(err)
	}
	var found []*observe.Observation
	for o := range s.Log.All() {
		if strings.HasPrefix(string(o.Origin), "pattern:") {
			found = append(found, o)
		}
	}
	return found
}

func TestSessionEndAnalysesAndKeepsWhatHoldsAsObservations(t *testing.T) {
	p := logged(t, later())
	p.AfterScan("session00000")
	found := patterns(t, p)
	if len(found) != 1 {
		t.Fatalf("got %d patterns", len(found))
	}
	o := found[0]
	if o.Origin != observe.OriginBestPractice || len(o.Sessions) != 15 || o.Status != observe.Observing || o.Type != knowledge.Procedural || !strings.Contains(o.Details, "outcome-analyzer") {
		t.Errorf("got %+v", o)
	}
	before := fmt.Sprintf("%+v", *o)
	p.AfterScan("session00001")
	if again := patterns(t, p); len(again) != 1 || fmt.Sprintf("%+v", *again[0]) != before {
		t.Errorf("the second analysis made %+v", again)
	}
}

// A session that made enough calls is analysed before it ends.
func TestAnalysisOfABatch(t *testing.T) {
	p := logged(t, later())
	tell := func(n int) {
		for range n {
			if _, err := p.RecordOutcome(t.Context(), project.ToolOutcome{Session: "now", Tool: "Read", Outcome: outcomes.Success, Input: "a"}); err != nil {
				t.Fatal(err)
			}
		}
		p.AfterScan("")
	}
	tell(19)
	if found := patterns(t, p); len(found) != 0 {
		t.Fatalf("analysed below the threshold: %+v", found)
	}
	tell(1)
	if found := patterns(t, p); len(found) != 1 {
		t.Fatalf("got %d patterns at the threshold", len(found))
	}
	s, err := p.Outcomes()
	if err != nil {
		t.Fatal(err)
	}
	defer s.DB.Close()
	if c, _ := s.Snapshot(knowledge.SessionHash("now")); c.Since() != 0 || c.ToolCount != 20 {
		t.Errorf("got %+v", c)
	}
}

// Without a database, with a damaged one, and where none can be made, the same is learned.
func TestTheDatabaseChangesNothingThatIsLearned(t *testing.T) {
	now := later()
	learned := func(harm func(p *project.Project)) string {
		p := logged(t, now)
		p.AfterScan("")
		harm(p)
		p.AfterScan("session00000")
		return fmt.Sprintf("%+v", *patterns(t, p)[0])
	}
	want := learned(func(*project.Project) {})
	for _, harm := range []func(p *project.Project){
		func(p *project.Project) { _ = os.Remove(p.DatabasePath()) },
		func(p *project.Project) { _ = os.WriteFile(p.DatabasePath(), []byte("no database"), 0o644) },
		func(p *project.Project) { _, _ = os.Remove(p.DatabasePath()), os.Mkdir(p.DatabasePath(), 0o755) },
	} {
		if got := learned(harm); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}
