package said

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

var thresholds = config.Default().Thresholds

func decided(session, title, because string) observe.Signal {
	return observe.Signal{
		Session: session, At: time.Unix(1, 0), Type: knowledge.Decision, Origin: observe.OriginDecision, QualityOK: because != "",
		Title: redact.Stored(title), Details: redact.Stored(observe.FormatDetails("decision", title, "rationale", because)),
	}
}

// A decision that another session says again, or goes by, is accepted; what one session
// says twice is not.
func TestConfirm(t *testing.T) {
	again := []string{"kafka", "redis", "session"}
	for name, c := range map[string]struct {
		because  string
		messages []Message
		want     int
	}{
		"another session":    {"support has to end a session at once", []Message{{"b", 1, again, 60}}, 2},
		"two others":         {"support has to end a session at once", []Message{{"b", 1, again, 60}, {"b", 9, again, 60}, {"c", 1, again, 60}}, 3},
		"what many speak of": {"support has to end a session at once", []Message{{"b", 1, again, 60}, {"c", 1, again, 60}, {"d", 1, again, 60}, {"e", 1, again, 60}}, 1},
		"the same session":   {"support has to end a session at once", []Message{{"a", 5, again, 60}}, 1},
		"something else":     {"support has to end a session at once", []Message{{"b", 1, []string{"button", "colour"}, 60}}, 1},
		"without a reason":   {"", []Message{{"b", 1, again, 60}}, 1},
	} {
		log := &observe.Log{}
		o := log.Add(decided("a", "Keep sessions in Redis", c.because), thresholds)
		Confirm(log, c.messages, thresholds)
		Confirm(log, c.messages, thresholds) // it changes nothing more
		if got := log.Get(o.ID); got.Observations != c.want || (got.Status == observe.Ready) != (c.want > 1) {
			t.Errorf("%s: %d sessions, %s", name, got.Observations, got.Status)
		}
	}
}

// A standing instruction counts another session where a person says it as a rule again, and
// not where one asks for what it is about.
func TestConfirmInstructions(t *testing.T) {
	rule := observe.Signal{
		Session: "a", At: time.Unix(1, 0), Type: knowledge.Pitfall, Origin: observe.OriginUserCorrection, QualityOK: true,
		Kind: lesson.Requirement, Marks: []observe.Mark{observe.MarkStated},
		Title: redact.Stored("Never amend commits that are pushed"), Fix: redact.Stored("Never amend commits that are pushed"),
	}
	for states, want := range map[int]int{60: 2, 5: 1} {
		log := &observe.Log{}
		o := log.Add(rule, thresholds)
		Confirm(log, []Message{{"b", 1, []string{"amend", "commit", "push"}, states}}, thresholds)
		if got := log.Get(o.ID).Observations; got != want {
			t.Errorf("a message that is a rule by %d %%: %d sessions, want %d", states, got, want)
		}
	}
}

// What says a decision again is no decision of its own, unless a file has it.
func TestConfirmKeepsOneDecision(t *testing.T) {
	for path, want := range map[string]int{"": 1, "decisions.md": 2} {
		log := &observe.Log{}
		first := log.Add(decided("a", "Keep sessions in Redis", "support has to end a session at once"), thresholds)
		s := decided("b", "Redis it is and no Kafka", "sessions get lost there")
		s.At = time.Unix(2, 0)
		second := log.Add(s, thresholds)
		second.ArtifactPath = path
		log.Put(second)
		log.Put(&observe.Observation{ID: "obs_typed", Type: knowledge.Decision, Observations: 1}) // of no session
		want++
		Confirm(log, []Message{{"b", 1, []string{"kafka", "redis", "session"}, 60}}, thresholds)
		if log.Len() != want || log.Get(first.ID).Observations != 2 || log.Get(second.ID) == nil {
			t.Errorf("with the path %q %d observations are left, the first one of %d sessions", path, log.Len(), log.Get(first.ID).Observations)
		}
	}
}

func TestMergeIsASetInAnyOrder(t *testing.T) {
	all := []Message{{"a", 1, []string{"redis", "session"}, 60}, {"a", 4, []string{"redis", "session"}, 60}, {"b", 1, []string{"-zap", "slog"}, 60}}
	want := Encode(Merge(all, nil))
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		n := r.IntN(len(all))
		if got := Encode(Merge(Merge(all[:n], all), all[n:])); string(got) != string(want) {
			t.Fatalf("%s\nwant %s", got, want)
		}
	}
	if got := Parse(append([]byte("{\n\n"), want...)); !slices.EqualFunc(got, Merge(all, nil), func(a, b Message) bool { return compare(a, b) == 0 }) {
		t.Errorf("read back: %v", got)
	}
}
