package project_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/learn"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// agreeable is a model that phrases whatever it is asked about, each or in pairs.
type agreeable struct {
	asked int
	pairs bool
}

var episodeID = regexp.MustCompile(`"id":"(obs_\w+)".*?"evidence":\["(\w+)`)

func (a *agreeable) Ask(_ context.Context, prompt string) (string, error) {
	a.asked++
	var items []string
	all := episodeID.FindAllStringSubmatch(prompt, -1)
	for i, m := range all {
		if m[1] = strconv.Quote(m[1]); a.pairs && i%2 == 1 {
			continue
		} else if a.pairs && i+1 < len(all) {
			m[1] += "," + strconv.Quote(all[i+1][1])
		}
		items = append(items, fmt.Sprintf(`{"episodes":[%s],"nature":"shape","title":"Better said","quotes":[%q]}`, m[1], m[2]))
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
	for _, pairs := range []bool{false, true} {
		t.Run(map[bool]string{false: "each", true: "in pairs"}[pairs], func(t *testing.T) { killAtEveryPoint(t, log, pairs) })
	}
}

func killAtEveryPoint(t *testing.T, log *observe.Log, pairs bool) {
	start := fsxtest.NewMemory(map[string]string{"/repo/.git/lessons/learning-log.jsonl": string(log.Bytes()), "/repo/README.md": "x"})
	most := 0
	n := fsxtest.EveryPoint(t, fsxtest.Scenario{
		Start: start,
		Run: func(fsys fsx.FS) error {
			model := &agreeable{pairs: pairs}
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

// world is a repository with observations and sessions in the call log: each a list of
// commands, one that failed with what it said behind a "!".
func world(t *testing.T, log *observe.Log, sessions ...[]string) *fsxtest.Memory {
	t.Helper()
	files := map[string]string{"/repo/.git/lessons/learning-log.jsonl": string(log.Bytes()), "/repo/README.md": "x"}
	for i, commands := range sessions {
		name := fmt.Sprint("session", i)
		files["/repo/.git/lessons/calls/"+name+".jsonl"] = string(called(i, commands...))
	}
	return fsxtest.NewMemory(files)
}

func called(session int, commands ...string) []byte {
	var lines []byte
	for n, command := range commands {
		command, said, failed := strings.Cut(command, "!")
		c := calls.Call{ID: fmt.Sprintf("c%d-%d", session, n), Line: n + 1, At: noon.AddDate(0, 0, session).UnixMilli() + int64(n)*1000, Tool: "Bash", Input: command, Outcome: calls.OK}
		if failed {
			program, target, _ := strings.Cut(command, " ")
			c.Outcome, c.Failure = calls.Failed, &calls.Failure{Problem: "p1:" + said, Program: program, Target: target, Line: said, Class: "usage"}
		}
		lines = calls.AppendLine(lines, &c)
	}
	return lines
}

var noon = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

// scripted answers with what it is given, and may do something first.
type scripted struct {
	answer, prompt string
	first          func()
}

func (s *scripted) Ask(_ context.Context, prompt string) (string, error) {
	if s.prompt = prompt; s.first != nil {
		s.first()
	}
	return s.answer, nil
}

func finding(id, title string, sessions ...string) *observe.Observation {
	return &observe.Observation{
		ID: id, Type: knowledge.Pitfall, Pattern: title, Mistake: title, Fix: "Use pnpm", Origin: observe.OriginErrorFix, Evidence: []string{title}, Sessions: sessions,
		Observations: len(sessions), Status: observe.Observing, FirstSeen: noon, LastSeen: noon.AddDate(0, 0, 20),
	}
}

func logOf(all ...*observe.Observation) *observe.Log {
	log := &observe.Log{}
	for _, o := range all {
		log.Put(o)
	}
	return log
}

func stored(t *testing.T, m *fsxtest.Memory) []*observe.Observation {
	t.Helper()
	s, err := inMemory(m).Store.Load()
	if err != nil {
		t.Fatal(err)
	}
	return s.Log.Observations()
}

// A counterexample is never overridden: neither by asking, nor by an answer that comes
// when the counterexample is already there.
func TestAModelNeverPromotesPastACounterexample(t *testing.T) {
	armed := finding("obs_armedaaaaa", "npm fails", "session0", "session1", "session2")
	armed.Trigger = &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"npm ci"}}
	failing := [][]string{{"npm ci!no lockfile", "pnpm i"}, {"npm ci!no lockfile", "pnpm i"}, {"npm ci!no lockfile"}}
	worked := []string{"npm ci", "npm ci"}
	answer := `{"items":[{"episodes":["obs_armedaaaaa"],"nature":"named","title":"Use pnpm","quotes":["npm fails"]}]}`

	before := &scripted{answer: answer}
	m := world(t, logOf(armed), append(failing, worked)...)
	if v, err := learnOn(m, before); err != nil || strings.Contains(before.prompt, `"id":"obs_armedaaaaa"`) || stored(t, m)[0].Status != observe.Observing {
		t.Errorf("asked about what history contradicts: %+v, %v", v, err)
	}
	meanwhile := &scripted{answer: answer}
	m = world(t, logOf(armed), failing...)
	meanwhile.first = func() {
		if err := fsx.WriteFile(m, "/repo/.git/lessons/calls/other.jsonl", called(9, worked...)); err != nil {
			t.Fatal(err)
		}
	}
	_, err := learnOn(m, meanwhile)
	if o := stored(t, m)[0]; err != nil || o.Status != observe.Observing || len(o.Phrased) > 0 {
		t.Errorf("%v: %s, %+v", err, o.Status, o.Phrased)
	}
	never := &scripted{answer: answer}
	m = world(t, logOf(armed), failing...)
	_, err = learnOn(m, never)
	if o := stored(t, m)[0]; err != nil || o.Status != observe.Ready {
		t.Errorf("without a counterexample: %v, %s", err, o.Status)
	}
}

func TestAModelSaysWhatBelongsTogether(t *testing.T) {
	one, other := finding("obs_oneaaaaaaa", "npm is wrong here", "session0"), finding("obs_otheraaaaa", "we use pnpm", "session1")
	rendered := finding("obs_renderedaa", "npm is wrong, we use pnpm", "session2")
	rendered.Status = observe.Created
	for name, c := range map[string]struct {
		answer string
		want   string // ids with their sessions and states
	}{
		"two are one":      {`{"episodes":["obs_oneaaaaaaa","obs_otheraaaaa"],"nature":"shape","title":"We use pnpm","quotes":["npm is wrong","we use pnpm"]}`, "obs_oneaaaaaaa 2 ready, obs_renderedaa 1 created"},
		"both are known":   {`{"episodes":["obs_oneaaaaaaa","obs_otheraaaaa"],"known":"obs_renderedaa","quotes":["npm is wrong","we use pnpm"]}`, "obs_renderedaa 3 created"},
		"neither is worth": {`{"episodes":["obs_oneaaaaaaa","obs_otheraaaaa"],"none":"once"}`, "obs_oneaaaaaaa 1 observing, obs_otheraaaaa 1 observing, obs_renderedaa 1 created"},
	} {
		t.Run(name, func(t *testing.T) {
			m := world(t, logOf(one, other, rendered))
			model := &scripted{answer: `{"items":[` + c.answer + `]}`}
			if _, err := learnOn(m, model); err != nil || !strings.Contains(model.prompt, `{"id":"obs_renderedaa"`) {
				t.Fatalf("%v\n%s", err, model.prompt)
			}
			var got []string
			for _, o := range stored(t, m) {
				got = append(got, fmt.Sprintf("%s %d %s", o.ID, o.Observations, o.Status))
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%s, want %s", strings.Join(got, ", "), c.want)
			}
			again := &scripted{}
			if _, err := learnOn(m, again); err != nil || again.prompt != "" {
				t.Errorf("asked again: %v\n%s", err, again.prompt)
			}
		})
	}
}

// A problem that nothing mends becomes an observation when a model was asked about it; it
// may have the trigger that history allows.
func TestAModelIsAskedAboutUnsolvedProblems(t *testing.T) {
	sessions := [][]string{{"deploy staging!the gate is shut", "deploy --help", "git push"}, {"deploy staging!the gate is shut"}, {"git push", "lint all!found 3"}}
	id := regexp.MustCompile(`"id":"(obs_\w+)","type":"pitfall","title":"deploy staging: the gate is shut"`)
	look := &scripted{answer: "no JSON"}
	m := world(t, &observe.Log{}, sessions...)
	if _, err := learnOn(m, look); err == nil {
		t.Fatal("no error")
	}
	found := id.FindStringSubmatch(look.prompt)
	if found == nil || len(stored(t, m)) > 0 || strings.Contains(look.prompt, "lint all:") {
		t.Fatalf("%d observations\n%s", len(stored(t, m)), look.prompt)
	}
	for _, want := range []string{"tools=Bash; commands=deploy staging", "call: Bash: deploy staging", "failed: the gate is shut", "call: Bash: deploy --help"} {
		if !strings.Contains(look.prompt, want) {
			t.Errorf("no %q in\n%s", want, look.prompt)
		}
	}
	for name, c := range map[string]struct {
		answer string
		when   string
	}{
		"solved":    {`"nature":"shape","title":"Name no target","fix":"see deploy --help","trigger":"` + found[1] + `.t1","quotes":["the gate is shut"]`, "deploy staging"},
		"worthless": {`"none":"a test"`, ""},
	} {
		m := world(t, &observe.Log{}, sessions...)
		if _, err := learnOn(m, &scripted{answer: `{"items":[{"episodes":["` + found[1] + `"],` + c.answer + `}]}`}); err != nil {
			t.Fatal(err)
		}
		all := stored(t, m)
		if len(all) != 1 || all[0].Origin != observe.OriginLLM || len(all[0].Sessions) != 2 || all[0].Trigger != nil {
			t.Fatalf("%s: %+v", name, all)
		}
		if when := all[0].Delivery(); (when != nil) != (c.when != "") || when != nil && when.Commands[0] != c.when {
			t.Errorf("%s: on %+v", name, when)
		}
		again := &scripted{}
		if _, err := learnOn(m, again); err != nil || again.prompt != "" {
			t.Errorf("%s: asked again", name)
		}
	}
}
