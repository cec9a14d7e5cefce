package transcript

import (
	"hash/maphash"
	"math/bits"
)

// Dedupe knows the events of other files. Resumed and forked sessions repeat
// history under a new session id but keep the ids of messages and calls, so the
// session is no part of the comparison. It remembers at least the last
// 100,000 events in some 8 MB, whatever the size of its input. The zero value
// knows nothing. It is not safe for use by several goroutines.
type Dedupe struct {
	seed       maphash.Seed
	seen, past map[uint64]struct{} // past is the generation before, which is read only
}

// dedupeEvents is how many events are remembered before the oldest generation
// is forgotten.
const dedupeEvents = 100_000

// First says whether an event was not seen before, and remembers it. Calls and
// their results are known by the tool-use id, other events by the message's id
// and their text. An event without an id is always new.
//
// The comparison is by a hash of 64 bits whose seed is random, so that nobody
// can write a session in which two events look alike.
func (d *Dedupe) First(e Event) bool { return d.first(&e) }

func (d *Dedupe) first(e *Event) bool {
	if d.seen == nil {
		d.seed, d.seen = maphash.MakeSeed(), map[uint64]struct{}{}
	}
	key, ok := d.identity(e)
	if !ok {
		return true
	}
	if _, known := d.past[key]; known {
		return false
	}
	if _, known := d.seen[key]; known {
		return false
	}
	if d.seen[key] = struct{}{}; len(d.seen) == dedupeEvents {
		d.past, d.seen = d.seen, map[uint64]struct{}{}
	}
	return true
}

// identity returns the hash by which an event is known. Ids and texts differ in
// where they count, and so do calls, results and messages.
func (d *Dedupe) identity(e *Event) (hash uint64, ok bool) {
	switch {
	case e.ToolUse != "" && e.Kind == ToolCall:
		return maphash.String(d.seed, e.ToolUse), true
	case e.ToolUse != "":
		return maphash.String(d.seed, e.ToolUse) + 1, true
	case e.ID == "":
		return 0, false
	}
	hash = maphash.String(d.seed, e.Text)
	hash = bits.RotateLeft64(hash, 1) ^ maphash.String(d.seed, e.ID)
	return bits.RotateLeft64(hash, 1) ^ uint64(e.Kind), true
}
