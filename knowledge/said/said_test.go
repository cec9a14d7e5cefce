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
	"github.com/lessons-cli/lessons/knowledge/statement"
)

var thresholds = config.Default().Thresholds

// told is a message that has some form of a rule.
func told(session string, line, form int, words []string) Message {
	return Message{Session: session, Line: line, At: time.Unix(int64(10+line), 0), About: statement.About{Words: words, Form: form}}
}

func decided(session, title, because string) observe.Signal {
	return observe.Signal{
		Session: session, At: time.Unix(1, 0), Type: knowledge.Decision, Origin: observe.OriginDecision, QualityOK: because != "",
		Title: redact.Stored(title), Details: redact.Stored(observe.FormatDetails("decision", title, "rationale", because)),
	}
}

// A decision that another session says again, or goes by, is accepted; what one session
// says twice is not.
func TestConfirm(t *testing.T) {
	again, loose := []string{"kafka", "redis", "session"}, []string{"cursor", "list", "page", "session", "support", "token"}
	for name, c := range map[string]struct {
		because  string
		messages []Message
		want     int
	}{
		"another session":    {"support has to end a session at once", []Message{told("b", 1, 60, again)}, 2},
		"two others":         {"support has to end a session at once", []Message{told("b", 1, 60, again), told("b", 9, 60, again), told("c", 1, 60, again)}, 3},
		"what many speak of": {"support has to end a session at once", []Message{told("b", 1, 60, again), told("c", 1, 60, again), told("d", 1, 60, again), told("e", 1, 60, again)}, 1},
		"the same session":   {"support has to end a session at once", []Message{told("a", 5, 60, again)}, 1},
		"something else":     {"support has to end a session at once", []Message{told("b", 1, 60, []string{"button", "colour"})}, 1},
		"by its form alone":  {"support has to end a session at once", []Message{told("b", 1, 250, loose)}, 2},
		"before it":          {"support has to end a session at once", []Message{{Session: "b", Line: 1, About: statement.About{Words: loose, Form: 250}}}, 1},
		"without a reason":   {"", []Message{told("b", 1, 60, again)}, 1},
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
	for form, want := range map[int]int{100: 2, 5: 1} {
		log := &observe.Log{}
		o := log.Add(rule, thresholds)
		Confirm(log, []Message{told("b", 1, form, []string{"amend", "commit", "push"})}, thresholds)
		if got := log.Get(o.ID).Observations; got != want {
			t.Errorf("a message of the form %d: %d sessions, want %d", form, got, want)
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
		Confirm(log, []Message{told("b", 1, 60, []string{"kafka", "redis", "session"})}, thresholds)
		if log.Len() != want || log.Get(first.ID).Observations != 2 || log.Get(second.ID) == nil {
			t.Errorf("with the path %q %d observations are left, the first one of %d sessions", path, log.Len(), log.Get(first.ID).Observations)
		}
	}
}

func TestMergeIsASetInAnyOrder(t *testing.T) {
	all := []Message{told("a", 1, 60, []string{"redis", "session"}), told("a", 4, 60, []string{"redis", "session"}), told("b", 1, 60, []string{"-zap", "slog"})}
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
