package render_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/render"
)

// candidatesOfASession are drafts and proposals of one session, the best last.
func candidatesOfASession() []*observe.Observation {
	var all []*observe.Observation
	for i := range 4 {
		o := draft()
		o.ID, o.Pattern, o.Trigger.Commands = fmt.Sprintf("obs_draft%05d", i), fmt.Sprintf("draft %d of a mistake", i), []string{fmt.Sprintf("tool%d --flag", i)}
		o.LastSeen = at(5 + i)
		all = append(all, o)
	}
	for i := range 2 {
		o := decision()
		o.ID, o.Pattern = fmt.Sprintf("obs_decide%04d", i), fmt.Sprintf("decision %d of many", i)
		all = append(all, seenIn(o, 1, 2, 2+i))
	}
	for i := range 3 {
		o := instruction()
		o.ID, o.Pattern = fmt.Sprintf("obs_instr%05d", i), fmt.Sprintf("rule %d to follow", i)
		o.Fix = o.Pattern
		all = append(all, seenIn(o, 1, 1, 1+i))
	}
	return all
}

func TestASessionsEndWritesTheBestDraftsAndTheRestWaits(t *testing.T) {
	r := newRepository(t, entry.LayoutFiles, append(candidatesOfASession(), pitfall(), seenIn(toolLesson("gh", 1), 2, 1, 3))...)
	first := r.run(render.Options{MostDrafts: 5})
	if len(first.Rendered) != 7 {
		t.Fatalf("two that need nobody and five drafts, not %d:\n%s", len(first.Rendered), strings.Join(first.Rendered, "\n"))
	}
	for _, title := range []string{"rule 0", "rule 1", "rule 2", "draft 3", "draft 2"} {
		slug := strings.ReplaceAll(title, " ", "-")
		if !slices.ContainsFunc(first.Rendered, func(path string) bool { return strings.Contains(path, slug) }) {
			t.Errorf("%s is not among the first", title)
		}
	}
	missing := r.waiting()
	if len(missing) != 4 {
		t.Errorf("%d wait: %v", len(missing), missing)
	}
	for id, why := range missing {
		if !strings.HasPrefix(why, "it is ready") || r.observation(id).Status != observe.Observing {
			t.Errorf("%s: %s, %s", id, why, r.observation(id).Status)
		}
	}
	if second := r.run(render.Options{MostDrafts: 5}); len(second.Rendered) != 4 {
		t.Errorf("then %q", second.Rendered)
	}
	if third := r.run(render.Options{MostDrafts: 5}); len(third.Changes) > 0 {
		t.Errorf("then\n%s", third.Diff())
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	gone := seenIn(decision(), 1, 3, 3)
	for i, c := range []struct {
		set  func(*observe.Observation)
		want string
	}{
		{func(o *observe.Observation) { o.QualityOK, o.Unfit = false, "it names nothing" }, "it names nothing"},
		{func(o *observe.Observation) { o.QualityOK = false }, "nobody vouches for its words"},
		{func(o *observe.Observation) { o.Details = "decision: x" }, "no reason is given"},
		{func(o *observe.Observation) { o.Type, o.Trigger = "pitfall", nil }, "seen in 1 of 2 sessions"},
		{func(o *observe.Observation) { o.Type = "procedural" }, "seen in 1 of 3 sessions"},
		{func(o *observe.Observation) {
			*o = *seenIn(o, 9, 1, 3)
			o.Type, o.Status = "procedural", observe.Observing
		}, "seen within 2 of 5 days"},
		{func(o *observe.Observation) {}, "it is ready: lessons render writes it, or the end of a session"},
		{func(o *observe.Observation) { o.Observations, o.Sessions = 0, nil }, ""},
		{func(o *observe.Observation) { o.Status = observe.Created }, ""},
	} {
		o := gone.Clone()
		c.set(o)
		missing := newRepository(t, entry.LayoutFiles, o).waiting()
		if missing[o.ID] != c.want {
			t.Errorf("case %d: %q, want %q", i, missing[o.ID], c.want)
		}
	}
}
