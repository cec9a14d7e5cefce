package inject

import "testing"

// TestACallBesideTheOneThatIsStoppedDoesNotTellTheSameLesson: between the claim
// to stop and the claim to show, another hook may look.
func TestACallBesideTheOneThatIsStoppedDoesNotTellTheSameLesson(t *testing.T) {
	in := input(t, aLesson("A", "stop-once", 5))
	if won, err := in.Session.ClaimStop("A"); !won || err != nil {
		t.Fatal(won, err)
	}
	if d := Decide(in); d.Verdict != Pass || d.Context != "" {
		t.Errorf("told as well: %+v", d)
	}
	if won, err := in.Session.Claim("A", false); !won || err != nil {
		t.Errorf("the other one's claim is taken: %v %v", won, err)
	}
}
