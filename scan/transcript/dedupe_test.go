package transcript

import (
	"fmt"
	"testing"
)

func TestDedupeIsBounded(t *testing.T) {
	var d Dedupe
	event := func(i int) Event { return Event{Kind: User, ID: fmt.Sprint(i), Text: "x"} }
	const n = 3 * dedupeEvents
	for i := range n {
		if !d.First(event(i)) {
			t.Fatalf("event %d is taken for a copy", i)
		}
	}
	if d.Len() > 2*dedupeEvents {
		t.Errorf("%d events are remembered", d.Len())
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
