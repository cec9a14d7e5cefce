package observe

import (
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/knowledge"
)

func TestCountConfidence(t *testing.T) {
	for _, c := range []struct {
		typ   knowledge.Type
		want  []float64 // for a count of 0, 1, 2, …
		first int       // the count that reaches the promotion threshold
	}{
		{knowledge.Workflow, []float64{0, 0.33, 0.66, 0.95, 0.95}, 2}, // 2 of 3: 0.66 is enough for 0.60
		{knowledge.Procedural, []float64{0, 0.25, 0.50, 0.75, 0.95, 0.95}, 3},
		{knowledge.Decision, []float64{0, 0.50, 0.95, 0.95}, 2},
		{knowledge.Pitfall, []float64{0, 0.50, 0.95, 0.95}, 2},
	} {
		first := -1
		for count, want := range c.want {
			got := CountConfidence(c.typ, count, DefaultThresholds())
			if got != want {
				t.Errorf("%s, count %d: %v, want %v", c.typ, count, got, want)
			}
			if first < 0 && got >= DefaultThresholds().Of(c.typ).Promote {
				first = count
			}
		}
		if first != c.first {
			t.Errorf("%s reaches its threshold at %d, want %d", c.typ, first, c.first)
		}
	}
	if got := CountConfidence(knowledge.Pitfall, 1<<62, DefaultThresholds()); got != 0.95 {
		t.Errorf("a huge count gives %v", got)
	}
	if got := CountConfidence(knowledge.Pitfall, 3, Thresholds{Pitfall: Threshold{Required: 10}}); got != 0.30 {
		t.Errorf("3 of 10 gives %v", got)
	}
	if got := CountConfidence(knowledge.Pitfall, 1, Thresholds{}); got != 0.50 {
		t.Errorf("a missing threshold gives %v, want the default's 0.5", got)
	}
}

func TestPromoteBoundaries(t *testing.T) {
	const aDay = 24 * time.Hour
	for _, c := range []struct {
		name    string
		typ     knowledge.Type
		count   int
		spread  time.Duration
		quality bool
		want    Status
		review  bool
	}{
		{"workflow at two of three", knowledge.Workflow, 2, 3 * aDay, true, Ready, false},
		{"workflow once", knowledge.Workflow, 1, 9 * aDay, true, Observing, false},
		{"workflow a second short of three days", knowledge.Workflow, 3, 3*aDay - time.Second, true, Observing, false},
		{"workflow without quality", knowledge.Workflow, 3, 3 * aDay, false, Observing, false},
		{"workflow at twice the count, on one day", knowledge.Workflow, 6, 0, true, Observing, true},
		{"workflow just below twice the count", knowledge.Workflow, 5, 0, true, Observing, false},
		{"procedural at three of four", knowledge.Procedural, 3, 5 * aDay, true, Ready, false},
		{"procedural at two of four", knowledge.Procedural, 2, 5 * aDay, true, Observing, false},
		{"procedural a day short", knowledge.Procedural, 4, 4 * aDay, true, Observing, false},
		{"decision twice on one day", knowledge.Decision, 2, 0, true, Ready, false},
		{"decision once", knowledge.Decision, 1, 0, true, Observing, false},
		{"decision without a because", knowledge.Decision, 3, 0, false, Observing, false},
		{"decision without a because, four times", knowledge.Decision, 4, 0, false, Observing, true},
		{"pitfall twice on one day", knowledge.Pitfall, 2, 0, true, Ready, false},
		{"pitfall once", knowledge.Pitfall, 1, 30 * aDay, true, Observing, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := &Observation{
				Type: c.typ, Observations: c.count, QualityOK: c.quality, Status: Observing,
				FirstSeen: kit.Day(0), LastSeen: kit.Day(0).Add(c.spread),
			}
			for range 2 {
				Promote(o, DefaultThresholds())
				if o.Status != c.want || o.NeedsReview != c.review {
					t.Errorf("%s, review %v; want %s, %v", o.Status, o.NeedsReview, c.want, c.review)
				}
			}
		})
	}
}

func TestPromoteLeavesWhatPeopleDecided(t *testing.T) {
	for _, status := range []Status{Created, Deprecated, "shelved"} {
		o := &Observation{Type: knowledge.Pitfall, Observations: 9, QualityOK: true, Status: status}
		if Promote(o, DefaultThresholds()); o.Status != status || o.NeedsReview {
			t.Errorf("%s became %s, review %v", status, o.Status, o.NeedsReview)
		}
	}
}

func TestPromoteByHand(t *testing.T) {
	o := &Observation{Type: knowledge.Procedural, Observations: 1, Status: Deprecated, DeprecatedAt: "2026-01-01T00:00:00Z", NeedsReview: true}
	PromoteByHand(o)
	Promote(o, DefaultThresholds())
	if o.Status != Ready || o.Recorded != "manual" || o.NeedsReview || o.DeprecatedAt != "" {
		t.Errorf("got %+v", o)
	}
	if o.Confidence != 0.25 {
		t.Errorf("confidence %v, want the count's 0.25", o.Confidence)
	}
	created := &Observation{Type: knowledge.Pitfall, Status: Created}
	if PromoteByHand(created); created.Status != Created {
		t.Errorf("a rendered observation became %s", created.Status)
	}
}

func TestStaleObservationNeedsReview(t *testing.T) {
	o := &Observation{Type: knowledge.Pitfall, Observations: 1, Status: Observing, MayBeStale: true}
	Promote(o, DefaultThresholds())
	if !o.NeedsReview {
		t.Error("a stale observation needs no review")
	}
}

func TestARemarkOfTheAgentCountsFromTheSecondSessionOn(t *testing.T) {
	note := func(session string) Signal {
		return Signal{
			Type: knowledge.Pitfall, Origin: OriginNote, Session: session, At: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC),
			Title: redact.Stored("Run make generate before go test ./api"), Fix: redact.Stored("Run make generate before go test ./api"), Unfit: NotedAlone,
		}
	}
	l := &Log{}
	if o := l.Add(note("one"), Thresholds{}); o.Worthy() || o.Lacks() != NotedAlone || o.Status != Observing {
		t.Errorf("one session: %s, lacks %q", o.Status, o.Lacks())
	}
	if o := l.Add(note("one"), Thresholds{}); o.Worthy() {
		t.Error("the same session twice counts twice")
	}
	if o := l.Add(note("two"), Thresholds{}); !o.Worthy() || o.Lacks() != "" || o.Status != Ready {
		t.Errorf("two sessions: %s, lacks %q", o.Status, o.Lacks())
	}
}

// One edit that mended a rule may have mended something else, where other sessions mended it
// in ways that are not known.
func TestMissingEditsOfARule(t *testing.T) {
	const check = "Check with `make lint` before you finish"
	for _, test := range []struct {
		fix    string
		others []string
		want   string

		compiler string // what a compiler's rule lacks
	}{
		{"Write `a` instead of `b`", nil, "", ""},
		{"Write `a` instead of `b`", []string{check}, "one edit that mends it is known, of two", ""},
		{check, []string{"Add `a`"}, "one edit that mends it is known, of two", ""},
		{check, []string{"Add `a`", "Delete `b`"}, "", "the edits that mended it have nothing in common"},
		{check, []string{"Write `a!` instead of `a`", "Write `b!` instead of `b`"}, "", ""},
	} {
		o := &Observation{Type: knowledge.Pitfall, QualityOK: true, Marks: []Mark{MarkRule}, Fix: test.fix, Observations: 9, Sessions: []string{"a"}}
		for _, fix := range test.others {
			o.Others = append(o.Others, Pair{Fix: fix})
		}
		got := lacksEdits(o)
		if got != test.want {
			t.Errorf("%q, %q: %q, want %q", test.fix, test.others, got, test.want)
		}
		if o.Marks = append(o.Marks, MarkCompiler); test.want == "" && lacksEdits(o) != test.compiler {
			t.Errorf("of a compiler: %q, %q: %q, want %q", test.fix, test.others, lacksEdits(o), test.compiler)
		}
	}
}
