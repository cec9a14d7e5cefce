package project_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/learn"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// agreeable is a model that phrases whatever it is asked about.
type agreeable struct{ asked int }

var episodeID = regexp.MustCompile(`"id":"(obs_\w+)".*?"evidence":\["(\w+)`)

func (a *agreeable) Ask(_ context.Context, prompt string) (string, error) {
	a.asked++
	var items []string
	for _, m := range episodeID.FindAllStringSubmatch(prompt, -1) {
		items = append(items, fmt.Sprintf(`{"episodes":[%q],"nature":"shape","title":"Better said","quotes":[%q]}`, m[1], m[2]))
	}
	return `{"items":[` + strings.Join(items, ",") + `]}`, nil
}

// inMemory is a repository on a file system of a test.
func inMemory(fsys fsx.FS) *project.Project {
	m := project.Machine{
		Home: "/home/dev", Env: func(string) string { return "" }, FS: fsys,
		Now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) },
	}
	places := store.Places{Root: "/repo", Local: "/repo/.git/lessons", Shared: "/repo/.git/lessons"}
	return &project.Project{Machine: m, Root: "/repo", Store: store.New(fsys, places)}
}

func learnOn(fsys fsx.FS, model learn.Asker) ([]learn.Verdict, error) {
	p := inMemory(fsys)
	unlock, err := p.LockLearning()
	if err != nil {
		return nil, err
	}
	defer unlock()
	plan, err := p.PlanLearning(true)
	if err != nil {
		return nil, err
	}
	return plan.Run(model, "m", nil).Do(context.Background())
}

// TestAKillAtAnyPointLosesAtMostOneBatch: the next run ends where an
// uninterrupted one ends, with the same runs counted and nothing phrased twice.
func TestAKillAtAnyPointLosesAtMostOneBatch(t *testing.T) {
	log := &observe.Log{}
	for i := range 14 { // two batches
		log.Put(&observe.Observation{
			ID: fmt.Sprintf("obs_%06d", i), Type: knowledge.Pitfall, Pattern: fmt.Sprint("case ", i), Mistake: "m", Status: observe.Observing,
			Evidence: []string{"words"}, Sessions: []string{"a"}, Observations: 1,
		})
	}
	start := fsxtest.NewMemory(map[string]string{"/repo/.git/lessons/learning-log.jsonl": string(log.Bytes()), "/repo/README.md": "x"})
	most := 0
	n := fsxtest.EveryPoint(t, fsxtest.Scenario{
		Start: start,
		Run: func(fsys fsx.FS) error {
			model := &agreeable{}
			_, err := learnOn(fsys, model)
			most = max(most, model.asked)
			return err
		},
		Check: func(_ fsxtest.Point, want, got map[string]string) error {
			const log, state = "/repo/.git/lessons/learning-log.jsonl", "/repo/.git/lessons/learn-state.json"
			if want[log] != got[log] {
				return errors.New(fsxtest.Diff(map[string]string{log: want[log]}, map[string]string{log: got[log]}))
			}
			var s learn.State
			if err := json.Unmarshal([]byte(got[state]), &s); err != nil {
				// A state whose last save was lost may be missing, when all was
				// phrased before: then nothing was begun afterwards.
				return fmt.Errorf("state %q: %w", got[state], err)
			}
			if s.Runs != 2 {
				return fmt.Errorf("%d runs are counted for two batches", s.Runs)
			}
			return nil
		},
	})
	if most != 2 {
		t.Errorf("a run asked %d times", most)
	}
	if n < 40 {
		t.Errorf("only %d points", n)
	}
	t.Logf("%d points", n)
}

func TestLearningJoinsAndIsIdempotent(t *testing.T) {
	manual := &observe.Observation{ID: "obs_manual", Type: knowledge.Pitfall, Pattern: "p", Origin: observe.OriginManual, Evidence: []string{"words"}, Sessions: []string{"a"}}
	found := &observe.Observation{ID: "obs_found", Type: knowledge.Pitfall, Pattern: "p two", Origin: observe.OriginErrorFix, Evidence: []string{"words"}, Sessions: []string{"a", "b"}, Observations: 2, Status: observe.Observing}
	log := &observe.Log{}
	log.Put(manual)
	log.Put(found)
	m := fsxtest.NewMemory(map[string]string{
		"/repo/.git/lessons/learning-log.jsonl": string(log.Bytes()), "/repo/README.md": "x",
		"/repo/.git/lessons/learn-state.json": `{"version":1,"away":{"obs_gone":{"version":"v","tries":3,"reason":"r"}}}`,
	})
	if v, err := learnOn(m, &agreeable{}); err != nil || len(v) != 1 || v[0].Outcome != learn.Phrased {
		t.Fatalf("%+v, %v", v, err)
	}
	s, err := inMemory(m).Store.Load()
	if err != nil {
		t.Fatal(err)
	}
	o := s.Log.Get("obs_found")
	if o.Title() != "Better said" || o.Pattern != "p two" || o.Origin != observe.OriginErrorFix || o.Observations != 2 || o.Trigger != nil {
		t.Errorf("%+v", o)
	}
	if o.QualityOK || o.Status != observe.Ready {
		t.Errorf("quality %v, status %s: a model's word makes it ready and stays its own", o.QualityOK, o.Status)
	}
	if s.Log.Get("obs_manual").Phrased != nil {
		t.Error("a person's words were phrased")
	}
	before := m.Tree()
	if strings.Contains(before["/repo/.git/lessons/learn-state.json"], "obs_gone") {
		t.Error("what is no more is remembered")
	}
	model := &agreeable{}
	if v, err := learnOn(m, model); err != nil || len(v) != 0 || model.asked != 0 {
		t.Errorf("a second run asked %d times: %v, %v", model.asked, v, err)
	}
	if diff := fsxtest.Diff(before, m.Tree()); diff != "" {
		t.Errorf("a second run changed:\n%s", diff)
	}
}

func TestTwoNeverLearnAtOnce(t *testing.T) {
	p := inMemory(fsxtest.NewMemory(map[string]string{"/repo/README.md": "x"}))
	unlock, err := p.LockLearning()
	if err != nil {
		t.Fatal(err)
	}
	busy := new(project.BusyError)
	if _, err := p.LockLearning(); !errors.As(err, &busy) || busy.PID == 0 || !strings.Contains(err.Error(), "process ") {
		t.Errorf("the second: %v", err)
	}
	unlock()
	unlock, err = p.LockLearning()
	if err != nil {
		t.Fatalf("after the first ended: %v", err)
	}
	unlock()
}

func TestAStateOfANewerVersionIsNotWritten(t *testing.T) {
	m := fsxtest.NewMemory(map[string]string{"/repo/.git/lessons/learn-state.json": `{"version":9}`, "/repo/README.md": "x"})
	if _, err := learnOn(m, &agreeable{}); err == nil || !strings.Contains(err.Error(), "learn-state.json") {
		t.Errorf("%v", err)
	}
	if got := m.Tree()["/repo/.git/lessons/learn-state.json"]; got != `{"version":9}` {
		t.Errorf("it is %s now", got)
	}
}
