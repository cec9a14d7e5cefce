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
	// Another clone knows it under another id only.
	var elsewhere observe.Log
	theirs := elsewhere.Add(session(9), observe.DefaultThresholds())
	if theirs.ID == o.ID || Rejected(theirs, m, nil) != Blocked {
		t.Errorf("the independent observation %s is not blocked by the key", theirs.ID)
	}
}

// session is a pitfall as the n-th session reports it.
func session(n int) observe.Signal {
	var r redact.Redactor
	return observe.Signal{
		Type: knowledge.Pitfall, Origin: observe.OriginErrorFix, Session: observe.SessionHash(fmt.Sprint("session", n)), At: kit.Day(n),
		Title: r.Text("gh pr diff has no --stat"), Fix: r.Text("gh pr diff --name-only"),
		Evidence:  []redact.Text{r.Text(fmt.Sprintf("unknown flag: --stat (%d)", n))},
		Trigger:   &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"gh pr diff --stat"}},
		QualityOK: true,
	}
}
