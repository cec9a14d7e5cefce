package transcript

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
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

// The set of hashes is what a map would be.
func TestHashesAreASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h hashes
		want := map[uint64]bool{}
		for _, key := range rapid.SliceOf(rapid.OneOf(rapid.Uint64Range(1, 300), rapid.Uint64Range(1<<63, 1<<63+1000))).Draw(t, "keys") {
			if h.has(key) != want[key] {
				t.Fatalf("%d: has %v", key, !want[key])
			}
			if h.add(key) == want[key] {
				t.Fatalf("%d: is new: %v", key, want[key])
			}
			want[key] = true
		}
		if h.n != len(want) {
			t.Fatalf("%d hashes, want %d", h.n, len(want))
		}
		for key := range want {
			if !h.has(key) {
				t.Fatalf("%d is lost", key)
			}
		}
	})
}
