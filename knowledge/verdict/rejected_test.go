package verdict

import (
	"fmt"
	"testing"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

func TestDeletedArtifactComesBackOnTheNextObservation(t *testing.T) {
	var l observe.Log
	l.Add(session(1), observe.DefaultThresholds())
	o := l.Add(session(2), observe.DefaultThresholds())
	o.Status, o.ArtifactPath = observe.Created, ".lessons/x.md"
	l.Put(o)

	// The artifact is deleted and committed; the log is not told.
	m := &manifest.Manifest{}
	m.PutRow(manifest.Row{ObservationID: o.ID, Type: string(knowledge.KindLesson), Path: o.ArtifactPath, N: o.Observations, ContentKey: observe.ContentKey(o)})
	m.Bury(manifest.Tombstone{Row: manifest.Row{ObservationID: o.ID, Type: string(knowledge.KindLesson)}, How: HowCommitted})
	view := View{Gone: map[knowledge.Key]bool{{Observation: o.ID, Kind: knowledge.KindLesson}: true}}

	again := l.Add(session(3), observe.DefaultThresholds())
	if again.Status == observe.Ready {
		t.Error("a new observation made a rendered one ready again")
	}
	if Rejected(again, m, nil) != Blocked {
		t.Error("a new observation erased the verdict")
	}
	confidence, status := Shown(again, view, observe.DefaultThresholds())
	if status != observe.Deprecated || confidence > 0.3 {
		t.Errorf("shown %v %s, want 0.3 of the count and deprecated", confidence, status)
	}
	// Another clone knows it from another session, perhaps under an id of an older form.
	var elsewhere observe.Log
	theirs := elsewhere.Add(session(9), observe.DefaultThresholds())
	if theirs.ID != o.ID {
		t.Errorf("another clone calls %s what is %s here", theirs.ID, o.ID)
	}
	if theirs.ID = "obs_a1b2c3"; Rejected(theirs, m, nil) != Blocked {
		t.Error("an observation with an older id is not blocked by the key")
	}
}

func TestTheLastRemovalIsNamed(t *testing.T) {
	var l observe.Log
	o := l.Add(session(1), observe.DefaultThresholds())
	m := &manifest.Manifest{}
	m.Bury(manifest.Tombstone{Row: manifest.Row{ObservationID: o.ID, Type: "lesson", N: 1}, By: "Ann <ann@example.org>", At: "2026-03-01T10:00:00Z", Commit: "1a2b3c4d5e6f"})
	if got := LastRemoval(o, m, nil, knowledge.KindLesson); got != "removed by Ann on 2026-03-01 (1a2b3c4d5e)" {
		t.Errorf("a tombstone's removal: %q", got)
	}
	ledger := []Event{{Event: EventVerdict, ID: o.ID, Type: "lesson", How: HowStaged, At: kit.Day(100), N: 1}}
	if got := LastRemoval(o, m, ledger, knowledge.KindLesson); got != "removed on "+kit.Day(100).Format("2006-01-02") {
		t.Errorf("a later one that is not committed: %q", got)
	}
	if got := LastRemoval(o, m, ledger, knowledge.KindADR); got != "" {
		t.Errorf("of another kind: %q", got)
	}
}

// session is a pitfall as the n-th session reports it.
func session(n int) observe.Signal {
	var r redact.Redactor
	return observe.Signal{
		Type: knowledge.Pitfall, Origin: observe.OriginErrorFix, Session: knowledge.SessionHash(fmt.Sprint("session", n)), At: kit.Day(n),
		Title: r.Text("gh pr diff has no --stat"), Fix: r.Text("gh pr diff --name-only"),
		Evidence:  []redact.Text{r.Text(fmt.Sprintf("unknown flag: --stat (%d)", n))},
		Trigger:   &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"gh pr diff --stat"}},
		QualityOK: true,
	}
}
