package review

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/catalog"
)

// Whatever a person decides and takes back, no item is lost or doubled, and taking all back
// gives the queue as it was.
func TestSessionLosesNoItem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Session
		for i := range rapid.IntRange(0, 6).Draw(t, "items") {
			s.Waiting = append(s.Waiting, Item{Place: fmt.Sprint(i)})
		}
		places := func() []string { return lists.Map(s.Waiting, func(i Item) string { return i.Place }) }
		before, decided := places(), map[string]bool{}
		var order []Decision
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			switch i, ok := s.Item(); rapid.SampledFrom([]string{"accept", "edit", "next", "back", "undo"}).Draw(t, "does") {
			case "next":
				s.Move(1)
			case "back":
				s.Move(-1)
			case "undo":
				if s.Undone(); len(order) > 0 {
					delete(decided, order[len(order)-1].Item.Place)
					order = order[:len(order)-1]
				}
			case "accept":
				if ok {
					s.Decided(Decision{Item: i, Verb: Accept})
					decided[i.Place], order = true, append(order, Decision{Item: i, Verb: Accept})
				}
			case "edit":
				if ok {
					s.Decided(Decision{Item: i, Verb: Edit})
					order = append(order, Decision{Item: i, Verb: Edit})
				}
			}
			if want := lists.Filter(before, func(p string) bool { return !decided[p] }); !slices.Equal(places(), want) {
				t.Fatalf("waiting: %v, want %v", places(), want)
			}
			if _, ok := s.Item(); ok != (len(s.Waiting) > 0) {
				t.Fatalf("%d wait, and item %d is shown", len(s.Waiting), s.At)
			}
		}
		for s.Decisions() > 0 {
			s.Undone()
		}
		if !slices.Equal(places(), before) {
			t.Fatalf("all taken back: %v, want %v", places(), before)
		}
	})
}

func TestWordsGiveBothTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab \n")))
		from, to := text.Draw(t, "from"), text.Draw(t, "to")
		var a, b strings.Builder
		for _, p := range Words(from, to) {
			if !p.Coming {
				a.WriteString(p.Text)
			}
			if !p.Gone {
				b.WriteString(p.Text)
			}
		}
		if a.String() != from || b.String() != to {
			t.Fatalf("%q and %q, not %q and %q", a.String(), b.String(), from, to)
		}
	})
}

// What is no file yet has no place: each observation waits by itself.
func TestObservationsWaitApart(t *testing.T) {
	known := []catalog.Item{{ID: "obs_a", Kind: catalog.KindObservation}, {ID: "obs_b", Kind: catalog.KindObservation}, {ID: "obs_c", Kind: catalog.KindObservation}}
	queue := Queue(known, []Finding{{"obs_a", Reason{Why: Divergent}}, {"obs_b", Reason{Why: Undelivered}}})
	if len(queue) != 2 || queue[0].Place != "obs_a" || len(queue[0].Reasons) != 1 || queue[1].Place != "obs_b" || !queue[1].Can(Accept) || queue[1].Can(Delete) {
		t.Errorf("the queue: %+v", queue)
	}
}
