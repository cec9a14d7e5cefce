package verdict

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

func verdict(how, commit string, n, at int) Event {
	return Event{Event: EventVerdict, ID: "obs_1", Type: "lesson", How: how, Commit: commit, N: n, At: kit.Day(at)}
}

func undone(name string) Event {
	return Event{Event: EventUndone, ID: "obs_1", Type: "lesson", Verdict: name, At: kit.Day(9)}
}

func TestOpenVerdicts(t *testing.T) {
	staged := verdict(HowStaged, "", 3, 1)
	committed := verdict(HowCommitted, "c1", 2, 2)
	completed := committed
	completed.N = 3
	second := verdict(HowCommitted, "c2", 2, 3)
	for _, c := range []struct {
		name   string
		events []Event
		want   []Event
	}{
		{"none", nil, nil},
		{"one", []Event{committed}, []Event{committed}},
		{"seen opens nothing", []Event{{Event: EventSeen, ID: "obs_1", Type: "lesson"}}, nil},
		{"twice the same", []Event{committed, committed}, []Event{committed}},
		{"staged, then committed", []Event{staged, committed}, []Event{completed}},
		{"undone by commit", []Event{committed, second, undone("c1")}, []Event{second}},
		{"undone by time", []Event{staged, undone(staged.At.Format(time.RFC3339Nano))}, nil},
		{"all undone", []Event{committed, second, undone("")}, nil},
		{"undone of another", []Event{committed, undone("c9")}, []Event{committed}},
		{"undone and reached again", []Event{committed, undone("c1"), committed}, []Event{committed}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Open(c.events)[knowledge.Key{Observation: "obs_1", Kind: knowledge.KindLesson}]
			if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("open (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLedgerLinesReadBack(t *testing.T) {
	e := verdict(HowCommitted, "c1", 2, 1)
	e.WorkTree, e.By, e.ContentKey = "wt", "Ann <a@example.org>", "L-1"
	data := append(e.Line(), undone("c1").Line()...)
	events, problems := ReadLedger("ledger", data)
	if diff := cmp.Diff([]Event{e, undone("c1")}, events); diff != "" || len(problems) > 0 {
		t.Errorf("%v\n%s", problems, diff)
	}
	if strings.Count(string(data), "\n") != 2 || strings.Contains(string(data), `\u003c`) {
		t.Errorf("lines: %s", data)
	}
}

func TestLedgerBadLinesHideNothing(t *testing.T) {
	good := string(undone("c1").Line())
	events, problems := ReadLedger("ledger.jsonl", []byte("torn{\n"+good+`{"event":"later","observationId":"x","type":"lesson"}`+"\n"+`{"event":"seen"}`+"\n\n\xff\n"+good+`{"event"`))
	if len(events) != 2 {
		t.Errorf("%d events, want 2", len(events))
	}
	var lines []int
	for _, p := range problems {
		lines = append(lines, p.Line)
	}
	if diff := cmp.Diff([]int{1, 3, 4, 6, 8}, lines); diff != "" {
		t.Errorf("lines of problems (-want +got):\n%s", diff)
	}
}

func TestBlocked(t *testing.T) {
	o := &observe.Observation{ID: "obs_1", Aliases: []string{"obs_0"}, Type: knowledge.Pitfall, Pattern: "A title", Observations: 3}
	tomb := func(id, key, typ string, n int) *manifest.Manifest {
		return &manifest.Manifest{Tombstones: []manifest.Tombstone{{Row: manifest.Row{ObservationID: id, ContentKey: key, Type: typ, N: n}}}}
	}
	other := verdict(HowCommitted, "c1", 2, 1)
	other.ID = "obs_9"
	byKey := other
	byKey.ContentKey = observe.ContentKey(o)
	for _, c := range []struct {
		name   string
		m      *manifest.Manifest
		ledger []Event
		want   bool
	}{
		{"nothing", nil, nil, false},
		{"tombstone", tomb("obs_1", "", "lesson", 2), nil, true},
		{"tombstone of an alias", tomb("obs_0", "", "lesson", 2), nil, true},
		{"tombstone of another", tomb("obs_9", "", "lesson", 2), nil, false},
		{"tombstone with its key", tomb("obs_9", observe.ContentKey(o), "lesson", 2), nil, true},
		{"twice the evidence", tomb("obs_1", "", "lesson", 1), nil, false},
		{"evidence unknown", tomb("obs_1", "", "lesson", 0), nil, true},
		{"open verdict", nil, []Event{verdict(HowStaged, "", 2, 1)}, true},
		{"verdict undone", nil, []Event{verdict(HowCommitted, "c1", 2, 1), undone("c1")}, false},
		{"verdict of another", nil, []Event{other}, false},
		{"verdict with its key", nil, []Event{byKey}, true},
		{"the largest n counts", tomb("obs_1", "", "lesson", 1), []Event{verdict(HowCommitted, "c1", 2, 1)}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Rejected(o, c.m, c.ledger) == Blocked; got != c.want {
				t.Errorf("Blocked = %v, want %v", got, c.want)
			}
		})
	}
	if Rejected(o, tomb("obs_1", "", "lesson", 2), nil, knowledge.KindPF) == Blocked {
		t.Error("a deleted lesson blocks the pitfall")
	}
	if Rejected(o, tomb("obs_1", "", "lesson", 2), nil, knowledge.KindLesson) != Blocked {
		t.Error("a deleted lesson does not block the lesson")
	}
	if Rejected(o, tomb("obs_1", "", "lesson", 1), nil) != Returned || Rejected(o, nil, nil) == Returned || Rejected(o, tomb("obs_1", "", "lesson", 2), nil) == Returned {
		t.Error("Returned is not: rejected once, and twice the evidence since")
	}
}

func TestShownAndDecayCompoundsPerRun(t *testing.T) {
	o := &observe.Observation{ID: "obs_1", Type: knowledge.Pitfall, Observations: 2, Status: observe.Created, Confidence: 0.95}
	lesson, pf := knowledge.Key{Observation: "obs_1", Kind: knowledge.KindLesson}, knowledge.Key{Observation: "obs_1", Kind: knowledge.KindPF}
	for _, c := range []struct {
		name       string
		view       View
		confidence float64
		status     observe.Status
	}{
		{"nothing known here", View{}, 0.95, observe.Created},
		{"stands", View{Live: map[knowledge.Key]bool{lesson: true}}, 0.95, observe.Created},
		{"one of two gone", View{Gone: map[knowledge.Key]bool{pf: true}, Live: map[knowledge.Key]bool{lesson: true}}, 0.95, observe.Created},
		{"all gone", View{Gone: map[knowledge.Key]bool{pf: true, lesson: true}}, 0.285, observe.Deprecated},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 3 { // showing it again must not decay it further
				confidence, status := Shown(o, c.view, observe.DefaultThresholds())
				if diff := confidence - c.confidence; status != c.status || diff > 1e-9 || diff < -1e-9 {
					t.Errorf("shown %v %s, want %v %s", confidence, status, c.confidence, c.status)
				}
			}
			if o.Confidence != 0.95 || o.Status != observe.Created {
				t.Errorf("the observation was changed: %+v", o)
			}
		})
	}
}

func FuzzParseLedger(f *testing.F) {
	f.Add(verdict(HowCommitted, "c1", 2, 1).Line())
	f.Add([]byte("{\"event\":\"seen\"}\r\ntorn{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		events, _ := ReadLedger("ledger", data)
		Open(events)
		var lines []byte
		for _, e := range events {
			lines = append(lines, e.Line()...)
		}
		again, problems := ReadLedger("ledger", lines)
		if diff := cmp.Diff(events, again); diff != "" || len(problems) > 0 {
			t.Fatalf("we cannot read what we wrote: %v\n%s", problems, diff)
		}
	})
}
