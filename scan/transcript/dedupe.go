package transcript

import (
	"hash/maphash"
	"math/bits"
)

// Dedupe knows the events of other files. Resumed and forked sessions repeat
// history under a new session id but keep the ids of messages and calls, so the
// session is no part of the comparison. It remembers at least the last
// 100,000 events in some 4 MB, whatever the size of its input. The zero value
// knows nothing. It is not safe for use by several goroutines.
type Dedupe struct {
	seeded     bool
	seed       maphash.Seed
	seen, past hashes // past is the generation before, which is read only
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
	if !d.seeded {
		d.seed, d.seeded = maphash.MakeSeed(), true
	}
	key, ok := d.identity(e)
	if !ok {
		return true
	}
	if d.past.has(key) || !d.seen.add(key) {
		return false
	}
	if d.seen.n == dedupeEvents {
		d.past, d.seen = d.seen, hashes{}
	}
	return true
}

// Forget forgets all events and keeps their memory, if it is little, for those of
// another file.
func (d *Dedupe) Forget() {
	d.past = hashes{}
	if d.seen.n = 0; len(d.seen.places) > 8<<10 {
		d.seen.places = nil
	}
	clear(d.seen.places)
}

// Len returns how many events are remembered.
func (d *Dedupe) Len() int { return d.seen.n + d.past.n }

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

// hashes is a set of hashes: a table of a power of two of places, of which at
// most three quarters are taken. A hash has the first free place from the one
// that its low bits name.
type hashes struct {
	places []uint64 // 0: free
	n      int
}

func (h *hashes) has(key uint64) bool {
	return h.n > 0 && h.places[h.find(key)] != 0
}

// add adds a hash and says whether it was not there.
func (h *hashes) add(key uint64) bool {
	if 4*h.n >= 3*len(h.places) {
		h.grow()
	}
	at := h.find(key)
	if h.places[at] != 0 {
		return false
	}
	h.places[at] = max(key, 1)
	h.n++
	return true
}

func (h *hashes) grow() {
	old := h.places
	h.places = make([]uint64, max(256, 2*len(old)))
	for _, k := range old {
		if k != 0 {
			h.places[h.find(k)] = k
		}
	}
}

// find returns the place that a hash has or would get.
func (h *hashes) find(key uint64) int {
	key = max(key, 1) // 0 marks what is free
	mask := uint64(len(h.places) - 1)
	i := key & mask
	for h.places[i] != 0 && h.places[i] != key {
		i = (i + 1) & mask
	}
	return int(i)
}
