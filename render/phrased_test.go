package render_test

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// phrase adds a model's words to an observation.
func phrase(o *observe.Observation, p observe.Phrasing) *observe.Observation {
	p.Of, p.Model = observe.PhrasingKey(o), "test"
	o.AddPhrasing(p)
	return o
}

func better() observe.Phrasing {
	return observe.Phrasing{Title: "Give pytest no terminal", Mistake: "pytest waits for input", Fix: "run pytest with -q", Why: "an agent has no terminal", QualityOK: true}
}

// A draft that was written in the words that were found becomes active in the
// model's, unless somebody edited it.
func TestAPhrasedDraftBecomesActiveInItsNewWords(t *testing.T) {
	for _, edited := range []bool{false, true} {
		r := newRepository(t, entry.LayoutBook, draft())
		path := r.render().Rendered[0]
		if edited {
			r.edit(path, "waits for a terminal", "hangs (edited)")
		}
		r.see(phrase(r.observation(draft().ID), better()))
		if p := r.render(); len(p.Changes) > 0 {
			t.Errorf("words alone changed something:\n%s", p.Diff())
		}
		r.see(seenIn(r.observation(draft().ID), 2, 5, 8))
		p := r.render()
		if edited != (len(p.Changes) == 0) {
			t.Errorf("edited %v: %s", edited, p.Diff())
		}
		text := r.read(path)
		if !edited && !(strings.Contains(text, "# Give pytest no terminal\n") && strings.Contains(text, "**Fix**: run pytest with -q") && strings.Contains(text, "**Impact**: an agent has no terminal")) {
			t.Errorf("not in the model's words:\n%s", text)
		}
		if p := r.render(); len(p.Changes) > 0 {
			t.Errorf("the second render changes something:\n%s", p.Diff())
		}
	}
}

// What decides (trigger, kind, priority, confidence) is the same with and without
// a model's words.
func TestPhrasingDecidesNothing(t *testing.T) {
	plain, phrased := newRepository(t, entry.LayoutBook, someLesson()), newRepository(t, entry.LayoutBook, phrase(someLesson(), better()))
	plain.render()
	phrased.render()
	a, b := plain.load().Lessons[0], phrased.load().Lessons[0]
	if a.Title == b.Title {
		t.Fatal("the words are the same")
	}
	a.Title, a.Body, a.Path, a.BodyLine = b.Title, b.Body, b.Path, b.BodyLine
	if got, want := string(a.Format()), string(b.Format()); got != want {
		t.Errorf("phrased:\n%s\nfound:\n%s", got, want)
	}
}

func TestPhrasingsOfOtherWordsAndRefusalsAreNotWritten(t *testing.T) {
	old := phrase(someLesson(), better())
	old.Fix = "another fix that was found later"
	refused := phrase(someLesson(), observe.Phrasing{Title: "Give pytest no terminal", Rejected: "one project's own"})
	for _, o := range []*observe.Observation{old, refused} {
		r := newRepository(t, entry.LayoutBook, o)
		if path := r.render().Rendered[0]; strings.Contains(r.read(path), "Give pytest") {
			t.Errorf("written:\n%s", r.read(path))
		}
	}
}

// A model makes a decision a proposal and nothing more; what a person objected to becomes
// a draft where it reads as an instruction.
func TestWhatAModelMayMakeOfWhatPeopleSaid(t *testing.T) {
	doubted := takenOnce()
	doubted.QualityOK, doubted.Details = false, observe.FormatDetails("decision", doubted.Pattern)
	objection := &observe.Observation{
		ID: "obs_objection1", Type: knowledge.Pitfall, Pattern: "deployed on a Friday", Mistake: "deployed on a Friday", Fix: "never deploy on a Friday",
		Origin: observe.OriginUserCorrection, Marks: []observe.Mark{observe.MarkUserCorrection}, Evidence: []string{"No, never deploy on a Friday."},
	}
	objection = seenIn(objection, 1, 3, 3)
	for name, c := range map[string]struct {
		o      *observe.Observation
		words  observe.Phrasing
		status string // of what is written after one session and after many; empty: nothing
	}{
		"a decision without words":    {doubted, observe.Phrasing{}, ""},
		"a decision without a reason": {doubted, observe.Phrasing{Title: "Keep slog", QualityOK: true}, ""},
		"a decision with a reason":    {doubted, observe.Phrasing{Title: "Keep slog", Why: "because it is in the standard library", QualityOK: true}, "Proposed"},
		"a decision of no worth":      {doubted, observe.Phrasing{Why: "because", Rejected: "once"}, ""},
		"an objection":                {objection, observe.Phrasing{}, ""},
		"an objection of no worth":    {objection, observe.Phrasing{Nature: "instruction", Rejected: "once"}, ""},
		"an instruction":              {objection, observe.Phrasing{Title: "Never deploy on a Friday", Nature: "instruction", QualityOK: true}, "draft"},
	} {
		t.Run(name, func(t *testing.T) {
			o := c.o.Clone()
			if c.words.Title+c.words.Why+c.words.Rejected != "" {
				o = phrase(o, c.words)
			}
			r := newRepository(t, entry.LayoutFiles, o)
			r.render()
			all := r.load().Artifacts
			if len(all) != btoi(c.status != "") || len(all) > 0 && all[0].Status != c.status {
				t.Fatalf("%+v", all)
			}
			if c.status == "Proposed" {
				r.see(seenIn(r.observation(o.ID), 9, 3, 28))
				if r.render(); r.load().Artifacts[0].Status != "Proposed" {
					t.Error("a model's word accepted a decision")
				}
			}
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
