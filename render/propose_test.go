package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/state"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/render"
)

// takenOnce is a decision of one session.
func takenOnce() *observe.Observation { return seenIn(decision(), 1, 3, 3) }

// proposed renders a decision of one session and returns where its entry is.
func proposed(t *testing.T, layout entry.Layout) (repository, string) {
	t.Helper()
	r := newRepository(t, layout, takenOnce())
	p := r.render()
	if len(p.Rendered) != 1 {
		t.Fatalf("rendered %q, skipped %+v", p.Rendered, p.Skipped)
	}
	path, _, _ := strings.Cut(p.Rendered[0], "#")
	return r, path
}

func (r repository) decision() (entry.Entry, manifest.Row) {
	r.t.Helper()
	s := r.load()
	row, ok := s.Manifest.Row(knowledge.Key{Observation: takenOnce().ID, Kind: knowledge.KindADR})
	if len(s.Decisions) != 1 || !ok {
		r.t.Fatalf("%d decisions, row %v", len(s.Decisions), ok)
	}
	return s.Decisions[0], row
}

// run renders with options and stores the result.
func (r repository) run(o render.Options) render.Plan {
	r.t.Helper()
	p := r.plan(o)
	if err := apply(r.store(), p); err != nil {
		r.t.Fatal(err)
	}
	return p
}

func everyPath(string) bool { return true }

func TestADecisionIsProposedAfterOneSessionAndAcceptedAfterTwo(t *testing.T) {
	for _, layout := range []entry.Layout{entry.LayoutBook, entry.LayoutFiles} {
		t.Run(string(layout), func(t *testing.T) {
			r, path := proposed(t, layout)
			e, row := r.decision()
			if o := r.observation(takenOnce().ID); o.Status != observe.Observing || e.Status() != "Proposed" || row.Status != "Proposed" {
				t.Errorf("observation %s, entry %s, row %s", o.Status, e.Status(), row.Status)
			}
			if index := entry.Index(entry.IndexInput{Layout: layout, Decisions: provenance.Parted(r.load().Decisions, nil)}); index != "(none)\n" {
				t.Errorf("in the index:\n%s", index)
			}
			if p := r.render(); len(p.Changes) > 0 {
				t.Errorf("rendered again:\n%s", p.Diff())
			}
			r.see(seenIn(decision(), 2, 3, 8))
			p := r.render()
			e, row = r.decision()
			if e.Status() != "Accepted" || !strings.HasPrefix(e.Field("Seen"), "2 sessions") || e.Number != 1 || e.Path != path || row.Status != "" {
				t.Errorf("after two sessions, rendered %q:\n%s\n%+v", p.Rendered, e.Text, row)
			}
			if !knowledge.SameHash(row.ContentHash, e.Text) || r.observation(takenOnce().ID).Status != observe.Created {
				t.Errorf("row %+v", row)
			}
			if p := r.render(); len(p.Changes) > 0 {
				t.Errorf("accepted again:\n%s", p.Diff())
			}
		})
	}
}

func TestATrackedProposalIsAcceptedWithoutAWrite(t *testing.T) {
	r, _ := proposed(t, entry.LayoutFiles)
	r.see(seenIn(decision(), 2, 3, 8))
	if p := r.run(render.Options{Tracked: everyPath, Hook: true}); len(p.Changes) > 0 {
		t.Errorf("a file that git tracks changed:\n%s", p.Diff())
	}
	e, row := r.decision()
	if got := state.OfEntry(e, &row, r.observation(takenOnce().ID), observe.DefaultThresholds()); got != "Accepted" {
		t.Errorf("it is read as %s", got)
	}
	r.run(render.Options{Tracked: everyPath})
	if e, _ := r.decision(); e.Status() != "Accepted" {
		t.Errorf("a person's render left it %s", e.Status())
	}
}

func TestWhatAPersonDidToAProposalHolds(t *testing.T) {
	for _, layout := range []entry.Layout{entry.LayoutBook, entry.LayoutFiles} {
		for edit, want := range map[string][2]string{ // the status after two sessions: at a session's end, by a person's render
			"Proposed -> Accepted":            {"Accepted", "Accepted"},
			"Proposed -> Rejected":            {"Rejected", "Rejected"},
			"Proposed -> Proposed (by me)":    {"Proposed (by me)", "Proposed (by me)"},
			"int64 cents -> big.Int of cents": {"Proposed", "Accepted"},
		} {
			t.Run(string(layout)+"/"+edit, func(t *testing.T) {
				r, path := proposed(t, layout)
				_, before := r.decision()
				old, words, _ := strings.Cut(edit, " -> ")
				r.edit(path, old, words)
				r.see(seenIn(decision(), 2, 3, 8))
				for i, o := range []render.Options{{Hook: true}, {}} {
					r.run(o)
					e, row := r.decision()
					if e.Status() != want[i] || !strings.Contains(r.read(path), words) {
						t.Errorf("hook %v: %s\n%s", o.Hook, e.Status(), e.Text)
					}
					if row.ContentHash != before.ContentHash {
						t.Errorf("the edited text became the rendered one")
					}
				}
			})
		}
	}
}

func TestAPersonsPromotionAcceptsAProposal(t *testing.T) {
	r, _ := proposed(t, entry.LayoutFiles)
	o := r.observation(takenOnce().ID)
	observe.PromoteByHand(o)
	r.see(o)
	r.run(render.Options{Only: []string{o.ID}, Tracked: everyPath})
	if e, _ := r.decision(); e.Status() != "Accepted" || r.observation(o.ID).Status != observe.Created {
		t.Errorf("%s, %s", e.Status(), r.observation(o.ID).Status)
	}
}

func TestADeletedProposalComesBackAsOneThatWaits(t *testing.T) {
	for _, layout := range []entry.Layout{entry.LayoutBook, entry.LayoutFiles} {
		r, _ := proposed(t, layout)
		r.bury(knowledge.Key{Observation: takenOnce().ID, Kind: knowledge.KindADR})
		if p := r.render(); len(p.Rendered) > 0 {
			t.Fatalf("back on the same evidence: %q", p.Rendered)
		}
		for n := 2; n < 5; n++ {
			r.see(seenIn(decision(), n, 3, 8))
			r.run(render.Options{})
			if e, _ := r.decision(); e.Status() != "Proposed" || !strings.HasPrefix(e.Field("Returned"), "removed by dev") || e.Number != 2 {
				t.Errorf("%d sessions:\n%s", n, e.Text)
			}
		}
	}
}

func TestProposalsHaveRoomBesideTheCeiling(t *testing.T) {
	all := decisions(100)
	r := newRepository(t, entry.LayoutFiles, append(all, takenOnce())...)
	r.render()
	entries := r.load().Decisions
	if len(entries) != 101 || entry.CountActive(entries) != 100 {
		t.Fatalf("%d decisions, %d in force", len(entries), entry.CountActive(entries))
	}
	r.see(seenIn(decision(), 2, 3, 8))
	r.run(render.Options{})
	if n := entry.CountActive(r.load().Decisions); n != 100 || !r.observation(takenOnce().ID).SoftCapExceeded {
		t.Errorf("%d in force", n)
	}
}

func TestAProposalWithoutARowIsRegisteredAgain(t *testing.T) {
	r, _ := proposed(t, entry.LayoutFiles)
	s := r.load()
	key := knowledge.Key{Observation: takenOnce().ID, Kind: knowledge.KindADR}
	s.Manifest.DropRow(key)
	if err := r.store().Apply(store.Transaction{Manifest: s.Manifest}); err != nil {
		t.Fatal(err)
	}
	r.see(seenIn(decision(), 2, 3, 8))
	r.render()
	if _, row := r.decision(); row.Status != "Proposed" {
		t.Errorf("row %+v", row)
	}
	r.run(render.Options{})
	if e, _ := r.decision(); e.Status() != "Accepted" {
		t.Errorf("it stays %s", e.Status())
	}
}

func TestWhichDecisionsAreProposed(t *testing.T) {
	for i, c := range []struct {
		set  func(*observe.Observation)
		want int
	}{
		{func(*observe.Observation) {}, 1},
		{func(o *observe.Observation) { o.Details = "decision: do it" }, 0},
		{func(o *observe.Observation) { o.QualityOK, o.Unfit = false, "it names nothing" }, 0},
		{func(o *observe.Observation) { o.Observations, o.Sessions, o.TakenBack = 0, nil, []string{"session000"} }, 0},
		{func(o *observe.Observation) { o.Status = observe.Deprecated }, 0},
		{func(o *observe.Observation) { o.Type = knowledge.Pitfall }, 0},
	} {
		o := takenOnce()
		c.set(o)
		r := newRepository(t, entry.LayoutFiles, o)
		if p := r.render(); len(p.Rendered) != c.want || len(p.Skipped) > 0 {
			t.Errorf("case %d: %q, %+v", i, p.Rendered, fmt.Sprint(p.Skipped))
		}
	}
}
