package render_test

import (
	"fmt"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/fsxtest"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/render"
)

// hundred are ready observations of all types.
func hundred() []*observe.Observation {
	var ready []*observe.Observation
	for i := range 100 {
		o := []func() *observe.Observation{workflow, procedural, decision, pitfall}[i%4]()
		o.ID, o.Pattern = fmt.Sprintf("obs_hundred%03d", i), fmt.Sprintf("%s %d", o.Pattern, i)
		o.Details = fmt.Sprintf("context: a; decision: b; rationale: c; area: part%d/; issue: breaks %d", i, i)
		ready = append(ready, o)
	}
	return ready
}

func TestAHundredObservationsTakeOneLockAndOneFsyncAFile(t *testing.T) {
	for _, layout := range []entry.Layout{entry.LayoutBook, entry.LayoutFiles} {
		r := newRepository(t, layout, hundred()...)
		counting := fsxtest.NewCounting(r.Memory)
		st := store.New(counting, places())
		s, err := st.Load()
		if err != nil {
			t.Fatal(err)
		}
		p, err := render.NewPlan(s, render.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Rendered) != 100 {
			t.Fatalf("%s: %d rendered", layout, len(p.Rendered))
		}
		if err := apply(st, p); err != nil {
			t.Fatal(err)
		}
		if c := counting.Counts(); len(c.Locked) != 1 || c.FileSyncs != c.FilesWritten {
			t.Errorf("%s: %+v", layout, c)
		}
	}
}

func BenchmarkPlanHundred(b *testing.B) {
	r := newRepository(b, entry.LayoutBook, hundred()...)
	s := r.load()
	for b.Loop() {
		if _, err := render.NewPlan(s, render.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPlanNothingInALongLog(b *testing.B) {
	r := newRepository(b, entry.LayoutBook)
	log := &observe.Log{}
	for i := range 20_000 {
		o := pitfall()
		o.ID, o.Pattern = fmt.Sprintf("obs_long%06d", i), fmt.Sprint("case ", i)
		log.Put(seenIn(o, 1, 1, 1))
	}
	s := r.load()
	s.Log, _ = observe.ParseLog("log", log.Bytes())
	for b.Loop() {
		if _, err := render.NewPlan(s, render.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
