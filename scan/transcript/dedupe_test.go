package transcript

import (
	"fmt"
	"testing"
)

// size is how many events are remembered.
func (d *Dedupe) size() int { return len(d.seen) + len(d.past) }

func TestDedupeIsBounded(t *testing.T) {
	var d Dedupe
	event := func(i int) Event { return Event{Kind: User, ID: fmt.Sprint(i), Text: "x"} }
	const n = 3 * dedupeEvents
	for i := range n {
		if !d.First(event(i)) {
			t.Fatalf("event %d is taken for a copy", i)
		}
	}
	if d.size() > 2*dedupeEvents {
		t.Errorf("%d events are remembered", d.size())
	}
	for i := n - dedupeEvents; i < n; i++ {
		if d.First(event(i)) {
			t.Fatalf("the copy of event %d is taken for new", i)
		}
	}
	if !d.First(Event{Kind: Assistant, ID: "1", Text: "x"}) || !d.First(Event{Kind: User, Text: "x"}) || !d.First(Event{Kind: User, Text: "x"}) {
		t.Error("another kind, or an event without an id, is taken for a copy")
	}
}
