package transcript

import (
	"crypto/sha256"
	"encoding/binary"
)

// Dedupe knows the events of other files. Resumed and forked sessions repeat
// history under a new session id but keep the ids of messages and calls, so the
// session is no part of the comparison. It grows by some 16 bytes an event. The
// zero value knows nothing. It is not safe for use by several goroutines.
type Dedupe struct {
	seen map[uint64]struct{}
}

// First says whether an event was not seen before, and remembers it. Calls and
// their results are known by the tool-use id, other events by the message's id
// and their text. An event without an id is always new.
func (d *Dedupe) First(e Event) bool {
	key, ok := identity(e)
	if !ok {
		return true
	}
	if _, again := d.seen[key]; again {
		return false
	}
	if d.seen == nil {
		d.seen = map[uint64]struct{}{}
	}
	d.seen[key] = struct{}{}
	return true
}

// Len returns how many events are remembered.
func (d *Dedupe) Len() int { return len(d.seen) }

func identity(e Event) (uint64, bool) {
	var parts []string
	switch {
	case e.ToolUse != "" && e.Kind == ToolCall:
		parts = []string{"call", e.ToolUse}
	case e.ToolUse != "":
		parts = []string{"result", e.ToolUse}
	case e.ID != "":
		parts = []string{string(e.Kind), e.ID, e.Text}
	default:
		return 0, false
	}
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return binary.BigEndian.Uint64(h.Sum(nil)), true
}
