package knowledge

import "testing"

func TestDeletedArtifactComesBackOnTheNextObservation(t *testing.T) {
	var l Log
	l.Add(signal(1), DefaultThresholds())
	o := l.Add(signal(2), DefaultThresholds())
	o.Status, o.ArtifactPath = Created, ".lessons/x.md"
	l.Put(o)

	// The artifact is deleted and committed; the log is not told.
	m := &Manifest{}
	m.PutRow(Row{ObservationID: o.ID, Type: string(KindLesson), Path: o.ArtifactPath, N: o.Observations, ContentKey: ContentKey(o)})
	m.Bury(Tombstone{Row: Row{ObservationID: o.ID, Type: string(KindLesson)}, How: HowCommitted})
	view := View{Gone: map[Key]bool{{o.ID, KindLesson}: true}}

	again := l.Add(signal(3), DefaultThresholds())
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
	theirs := elsewhere.Add(signal(9), DefaultThresholds())
	if theirs.ID == o.ID || Rejected(theirs, m, nil) != Blocked {
		t.Errorf("the independent observation %s is not blocked by the key", theirs.ID)
	}
}
