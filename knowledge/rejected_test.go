package knowledge

import (
	"fmt"
	"testing"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/internal/test/kit"
)

func TestDeletedArtifactComesBackOnTheNextObservation(t *testing.T) {
	var l Log
	l.Add(session(1), DefaultThresholds())
	o := l.Add(session(2), DefaultThresholds())
	o.Status, o.ArtifactPath = Created, ".lessons/x.md"
	l.Put(o)

	// The artifact is deleted and committed; the log is not told.
	m := &Manifest{}
	m.PutRow(Row{ObservationID: o.ID, Type: string(KindLesson), Path: o.ArtifactPath, N: o.Observations, ContentKey: ContentKey(o)})
	m.Bury(Tombstone{Row: Row{ObservationID: o.ID, Type: string(KindLesson)}, How: HowCommitted})
	view := View{Gone: map[Key]bool{{o.ID, KindLesson}: true}}

	again := l.Add(session(3), DefaultThresholds())
	if again.Status == Ready {
		t.Error("a new observation made a rendered one ready again")
	}
	if Rejected(again, m, nil) != Blocked {
		t.Error("a new observation erased the verdict")
	}
	confidence, status := Shown(again, view, DefaultThresholds())
	if status != Deprecated || confidence > 0.3 {
		t.Errorf("shown %v %s, want 0.3 of the count and deprecated", confidence, status)
	}
	// Another clone knows it under another id only.
	var elsewhere Log
	theirs := elsewhere.Add(session(9), DefaultThresholds())
	if theirs.ID == o.ID || Rejected(theirs, m, nil) != Blocked {
		t.Errorf("the independent observation %s is not blocked by the key", theirs.ID)
	}
}

// session is a pitfall as the n-th session reports it.
func session(n int) Signal {
	var r redact.Redactor
	return Signal{
		Type: Pitfall, Origin: OriginErrorFix, Session: SessionHash(fmt.Sprint("session", n)), At: kit.Day(n),
		Title: r.Text("gh pr diff has no --stat"), Fix: r.Text("gh pr diff --name-only"),
		Evidence:  []redact.Text{r.Text(fmt.Sprintf("unknown flag: --stat (%d)", n))},
		Trigger:   &Trigger{Tools: []string{"Bash"}, Commands: []string{"gh pr diff --stat"}},
		QualityOK: true,
	}
}
