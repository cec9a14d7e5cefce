package transcript

import "hash/maphash"

// Dedupe knows the events of other files. Resumed and forked sessions repeat
// history under a new session id but keep the ids of messages and calls, so the
// session is no part of the comparison. It remembers at least the last
// 100,000 events in some 5 MB, whatever the size of its input. The zero value
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
func (d *Dedupe) First(e Event) bool {
	if d.seen == nil {
		d.seed, d.seen = maphash.MakeSeed(), map[uint64]struct{}{}
	}
	key, ok := d.identity(e)
	if !ok {
		return true
	}
	if _, again := d.seen[key]; again {
		return false
	}
	if _, again := d.past[key]; again {
		return false
	}
	if len(d.seen) == dedupeEvents {
		d.past, d.seen = d.seen, make(map[uint64]struct{}, dedupeEvents)
	}
	d.seen[key] = struct{}{}
	return true
}

// Len returns how many events are remembered.
func (d *Dedupe) Len() int { return len(d.seen) + len(d.past) }

func (d *Dedupe) identity(e Event) (uint64, bool) {
	var h maphash.Hash
	h.SetSeed(d.seed)
	switch {
	case e.ToolUse != "" && e.Kind == ToolCall:
		h.WriteByte('c')
		h.WriteString(e.ToolUse)
	case e.ToolUse != "":
		h.WriteByte('r')
		h.WriteString(e.ToolUse)
	case e.ID != "":
		h.WriteString(string(e.Kind))
		h.WriteByte(0)
		h.WriteString(e.ID)
		h.WriteByte(0)
		h.WriteString(e.Text)
	default:
		return 0, false
	}
	return h.Sum64(), true
}
