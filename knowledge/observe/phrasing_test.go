package observe

import (
	"testing"

	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

func phrasingOf(o *Observation, p Phrasing) Phrasing {
	p.Of = PhrasingKey(o)
	return p
}

func TestPhrasingHoldsForItsWordsAlone(t *testing.T) {
	o := &Observation{ID: "obs_1", Type: knowledge.Pitfall, Pattern: "p", Mistake: "m", Fix: "f"}
	o.AddPhrasing(phrasingOf(o, Phrasing{Title: "better", QualityOK: true}))
	if o.Title() != "better" || !o.Worthy() {
		t.Errorf("title %q, worthy %v", o.Title(), o.Worthy())
	}
	o.Evidence, o.Observations, o.Trigger = []string{"q"}, 5, &lesson.Trigger{Tools: []string{"Bash"}}
	if o.Title() != "better" {
		t.Error("more evidence lost the words")
	}
	o.Fix = "another"
	if o.Title() != "p" {
		t.Error("words of another fix hold")
	}
	if !o.Worthy() {
		t.Error("quality that was seen once is lost")
	}
}

func TestARefusalIsNeitherTitleNorQuality(t *testing.T) {
	o := &Observation{ID: "obs_1", Type: knowledge.Pitfall, Pattern: "p"}
	o.AddPhrasing(phrasingOf(o, Phrasing{Title: "better", Rejected: "trivial"}))
	if o.Title() != "p" || o.Worthy() {
		t.Errorf("title %q, worthy %v", o.Title(), o.Worthy())
	}
	if p, ok := o.Phrasing(); !ok || p.Rejected != "trivial" {
		t.Errorf("%+v, %v", p, ok)
	}
}

// Rulings 17: a decision without a reason waits for a person.
func TestAModelDoesNotSpeakForADecision(t *testing.T) {
	o := &Observation{ID: "obs_1", Type: knowledge.Decision, Pattern: "p", Observations: 9, FirstSeen: kit.Day(1), LastSeen: kit.Day(9)}
	o.AddPhrasing(phrasingOf(o, Phrasing{Title: "better", QualityOK: true}))
	if Promote(o, DefaultThresholds()); o.Status != Observing {
		t.Errorf("a model made it %s", o.Status)
	}
	o.Type = knowledge.Pitfall
	if Promote(o, DefaultThresholds()); o.Status != Ready {
		t.Errorf("a pitfall is %s", o.Status)
	}
}
