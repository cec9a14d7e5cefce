package flow

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/test/schema"
)

// cases are hand-offs, feature lists and summaries, with what is to be said of them.
type cases struct {
	Handoffs []struct {
		File, Why string
		OK        bool
		At        string
		Says      []string
	}
	Next []struct {
		File, Why, Action, Feature string
		Says                       []string
	}
	Summaries []struct {
		File, Agent, Why string
		Exceeds          bool
		Says             []string
	}
}

const casesDir = "testdata/cases"

func readCases(t *testing.T) (c cases) {
	t.Helper()
	if err := json.Unmarshal(read(t, "expected.json"), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(casesDir, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return data
}

// theWorld is the project beside the cases.
func theWorld(t *testing.T) World {
	features, faults := Features(ListPath, read(t, "project/"+ListPath))
	state, more := ReadState(StatePath, read(t, "project/"+StatePath))
	if len(faults)+len(more) > 0 {
		t.Fatal(faults, more)
	}
	return World{features, state, func(p string) bool {
		_, err := os.Stat(filepath.Join(casesDir, "project", p))
		return err == nil
	}}
}

// A bad hand-off has one fault, which names the field, what is wrong and what to do; and
// what the schema can say of it, it says too.
func TestHandoffCases(t *testing.T) {
	w := theWorld(t)
	structural := 0
	for _, c := range readCases(t).Handoffs {
		data := read(t, c.File)
		_, faults := CheckHandoff(c.File, data, w)
		if c.OK {
			if len(faults) > 0 || schema.Validate("handoff", data) != nil {
				t.Errorf("%s (%s): %v", c.File, c.Why, faults)
			}
			continue
		}
		if len(faults) != 1 {
			t.Errorf("%s (%s): %d faults: %v", c.File, c.Why, len(faults), faults)
			continue
		}
		f := faults[0]
		if f.At != c.At || f.Next == "" || f.File != c.File || !holdsAll(f.Text, c.Says) {
			t.Errorf("%s (%s): %+v, want at %s: %q", c.File, c.Why, f, c.At, c.Says)
		}
		var h Handoff
		if shape := parse("handoff", c.File, data, &h); len(shape) > 0 {
			structural++
			if schema.Validate("handoff", data) == nil {
				t.Errorf("%s (%s): its schema takes it", c.File, c.Why)
			}
		}
	}
	if structural < 20 {
		t.Errorf("only %d of the bad hand-offs are wrong in their shape", structural)
	}
}

func TestNextCases(t *testing.T) {
	for _, c := range readCases(t).Next {
		got := Next(Features(c.File, read(t, c.File)))
		if string(got.Step) != c.Action || got.Feature != c.Feature || !holdsAll(got.Says, c.Says) {
			t.Errorf("%s (%s): %+v, want %s %s %q", c.File, c.Why, got, c.Action, c.Feature, c.Says)
		}
	}
}

func TestSummaryCases(t *testing.T) {
	for _, c := range readCases(t).Summaries {
		got := Measure(c.Agent, string(read(t, c.File)))
		if got.Exceeds() != c.Exceeds || !holdsAll(got.String(), c.Says) {
			t.Errorf("%s (%s): %s", c.File, c.Why, got)
		}
		if got.Exceeds() && (len(got.Parts) == 0 || len(read(t, c.File)) < 1000*bytesPerToken) {
			t.Errorf("%s: the report names no part", c.File)
		}
	}
}

func holdsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// The rows of the table of automatic orchestration, each by its state and condition.
func TestAutoOrchestrationTable(t *testing.T) {
	feature := func(id string, status Status, tested bool, retry int, failure string) Feature {
		return Feature{ID: id, Status: status, Tested: tested, Retry: retry, LastFailure: failure}
	}
	next := feature("B", Pending, false, 0, "")
	for _, row := range []struct {
		state, condition string
		list             []Feature
		step             Step
		feature, agent   string
	}{
		{"session start", "no feature-list.json", nil, Initialise, "", Initializer},
		{"session start", "has pending features", []Feature{feature("A", Pending, false, 0, ""), next}, Code, "A", Coder},
		{"coding complete", "status: completed", []Feature{feature("A", Completed, false, 0, ""), next}, Test, "A", Tester},
		{"test passed", "tested: true", []Feature{feature("A", Completed, true, 0, ""), next}, Code, "B", Coder},
		{"test failed", "tested: false, retry < 2", []Feature{feature("A", InProgress, false, 1, "want 3"), next}, Retry, "A", Coder},
		{"test failed, set back to pending", "tested: false, retry < 2", []Feature{next, feature("A", Pending, false, 1, "want 3")}, Retry, "A", Coder},
		{"mended after a failure", "status: completed, retry 1", []Feature{feature("A", Completed, false, 1, "want 3"), next}, Test, "A", Tester},
		{"test failed 2x", "retry >= 2", []Feature{feature("A", InProgress, false, 2, "want 3"), next}, Block, "A", ""},
		{"test failed 2x", "retry >= 2, and completed", []Feature{feature("A", Completed, false, 2, "want 3"), next}, Block, "A", ""},
		{"blocked", "next feature", []Feature{feature("A", Blocked, false, 2, "want 3"), next}, Code, "B", Coder},
		{"all complete", "no pending features", []Feature{feature("A", Completed, true, 0, "")}, Done, "", ""},
	} {
		got := Next(row.list, nil)
		if got.Step != row.step || got.Feature != row.feature || got.Agent != row.agent {
			t.Errorf("%s, %s: %+v", row.state, row.condition, got)
		}
		if got.Step == Retry && !strings.Contains(got.Says, "want 3") {
			t.Errorf("%s: the failure's text is missing in %q", row.state, got.Says)
		}
	}
}

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// The same hand-off twice is a retry; the same key with other content is none.
func TestRecordedHandoffIsSafeToRetry(t *testing.T) {
	w := theWorld(t)
	data := read(t, "handoffs/good-01-coding-to-tester.json")
	h, _ := CheckHandoff("h", data, w)
	state, err := Recorded([]byte(`{"state":"coding","mine":1}`), h, noon)
	if err != nil || schema.Validate("session-state", state) != nil || !strings.Contains(string(state), `"mine": 1`) {
		t.Fatalf("%v %s", err, state)
	}
	w.State, _ = ReadState(StatePath, state)
	if w.State.State != "testing" || w.State.FeatureID != "RT-002" {
		t.Errorf("the state is %+v", w.State)
	}
	h, faults := CheckHandoff("h", append([]byte("\n "), data...), w)
	if !h.Again || len(faults) > 0 {
		t.Errorf("the same again: %v %v", h.Again, faults)
	}
	if state, err = Recorded(state, h, noon); err != nil || strings.Count(string(state), `"next_agent"`) != 1 {
		t.Errorf("a retry is noted once: %v %s", err, state)
	}
	h.Again = false
	for range maxHandoffs {
		state, err = Recorded(state, h, noon)
	}
	if n := strings.Count(string(state), `"next_agent"`); err != nil || n != maxHandoffs || schema.Validate("session-state", state) != nil {
		t.Errorf("%d hand-offs are kept, %v", n, err)
	}
	h, faults = CheckHandoff("h", []byte(strings.Replace(string(data), "900", "901", 1)), w)
	if h.Again || len(faults) != 1 || faults[0].At != "/idempotency_key" {
		t.Errorf("other content: %v %v", h.Again, faults)
	}
}

// A hand-off is safe to retry after others, too, and its key stays its own.
func TestEarlierHandoffsAreKnown(t *testing.T) {
	w := theWorld(t)
	first := read(t, "handoffs/good-01-coding-to-tester.json")
	var state []byte
	for _, name := range []string{"handoffs/good-01-coding-to-tester.json", "handoffs/good-03-retry-with-failure.json"} {
		h, faults := CheckHandoff(name, read(t, name), w)
		var err error
		if state, err = Recorded(state, h, noon); err != nil || len(faults) > 0 {
			t.Fatal(err, faults)
		}
	}
	var faults []Fault
	if w.State, faults = ReadState(StatePath, state); len(faults) > 0 || schema.Validate("session-state", state) != nil {
		t.Fatalf("%v %s", faults, state)
	}
	if h, faults := CheckHandoff("h", first, w); !h.Again || len(faults) > 0 {
		t.Errorf("the first one again: %v %v", h.Again, faults)
	}
	if h, faults := CheckHandoff("h", []byte(strings.Replace(string(first), "900", "901", 1)), w); h.Again || len(faults) != 1 || faults[0].At != "/idempotency_key" {
		t.Errorf("its key with other content: %v %v", h.Again, faults)
	}
}

func TestAHandoffWhoseTimeIsOverIsRolledBack(t *testing.T) {
	handoff := func(agent, rollback string) State {
		return State{Handoffs: []Noted{
			{Key: "A:0", Agent: Coder, Feature: "A", Rollback: "init", Timeout: 1, At: noon.Add(-time.Hour)}, // an earlier one
			{Key: "A:1", Agent: agent, Feature: "A", Rollback: rollback, Timeout: 900, At: noon},
		}}
	}
	feature := func(status Status, tested bool, retry int) []Feature {
		return []Feature{{ID: "A", Status: status, Tested: tested, Retry: retry}, {ID: "B", Status: Pending}}
	}
	late := noon.Add(901 * time.Second)
	untimed := handoff(Tester, "coding")
	untimed.Handoffs[1].At = time.Time{}
	for _, c := range []struct {
		why  string
		list []Feature
		s    State
		now  time.Time
		says string // empty: it is not overdue
	}{
		{"a tester that did not finish", feature(Completed, false, 0), handoff(Tester, "coding"), late, `go back to coding: set the status of A to "in_progress"`},
		{"a coder that did not finish", feature(InProgress, false, 0), handoff(Coder, "init"), late, `go back to init: set the status of A to "pending"`},
		{"a coder after a failure", feature(InProgress, false, 1), handoff(Coder, "coding"), late, "still runs. Then hand it over again"},
		{"tested where it is", feature(Completed, false, 0), handoff(Tester, "testing"), late, "still runs. Then hand it over again"},
		{"in time", feature(Completed, false, 0), handoff(Tester, "coding"), noon.Add(900 * time.Second), ""},
		{"the tester passed it", feature(Completed, true, 0), handoff(Tester, "coding"), late, ""},
		{"the tests failed", feature(InProgress, false, 1), handoff(Tester, "coding"), late, ""},
		{"the coder finished", feature(Completed, false, 0), handoff(Coder, "init"), late, ""},
		{"it failed twice", feature(InProgress, false, 2), handoff(Coder, "init"), late, ""},
		{"blocked", feature(Blocked, false, 2), handoff(Tester, "coding"), late, ""},
		{"rolled back", feature(InProgress, false, 0), handoff(Tester, "coding"), late, ""},
		{"another list", nil, handoff(Tester, "coding"), late, ""},
		{"noted by an earlier version", feature(Completed, false, 0), untimed, late, ""},
		{"none", feature(Completed, false, 0), State{}, late, ""},
	} {
		a, is := Overdue(c.list, c.s, c.now)
		if is != (c.says != "") || !strings.Contains(a.Says, c.says) || is && (a.Step != Rollback || a.Feature != "A") {
			t.Errorf("%s: %v %+v", c.why, is, a)
		}
		if again, _ := Overdue(c.list, c.s, c.now.Add(time.Hour)); is && again.Says != a.Says {
			t.Errorf("%s: an hour later it says %q", c.why, again.Says)
		}
	}
}

// The list and the state of the project fit their schemas.
func TestFlowFilesFitTheirSchemas(t *testing.T) {
	for name, path := range map[string]string{"feature-list": ListPath, "session-state": StatePath} {
		if err := schema.Validate(name, read(t, "project/"+path)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, bad := range []string{"next/14-unknown-status.json", "next/15-negative-retry.json"} {
		if schema.Validate("feature-list", read(t, bad)) == nil {
			t.Errorf("the schema takes %s", bad)
		}
	}
}
