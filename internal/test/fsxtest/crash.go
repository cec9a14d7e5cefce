package fsxtest

import (
	"bytes"
	"math/rand/v2"
	"slices"
)

// Crash is a loss of power at its worst: everything that was not synced is
// gone, and so are all locks. A file that was synced under a name that was not
// is gone too.
func (m *Memory) Crash() { m.crash(nil) }

// CrashSome is a loss of power of which chance decides what survives: of every
// unsynced file the new content, a part of it, blanked content or the old one;
// of every directory any of the entries that were not synced.
func (m *Memory) CrashSome(r *rand.Rand) { m.crash(r) }

func (m *Memory) crash(r *rand.Rand) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.locks = map[string]bool{}
	m.root.crash(r, map[*node]bool{})
}

func (n *node) crash(r *rand.Rand, done map[*node]bool) {
	if done[n] {
		return
	}
	done[n] = true
	switch {
	case n.isLink():
	case n.isDir():
		for _, step := range n.pending {
			if r == nil || r.IntN(2) == 0 {
				continue
			}
			for _, c := range step {
				if c.node == nil {
					delete(n.kept, c.name)
				} else {
					n.kept[c.name] = c.node
				}
			}
		}
		n.entries, n.pending = n.kept, nil
		n.syncEntries()
		for _, name := range sortedNames(n.entries) {
			n.entries[name].crash(r, done)
		}
	case !slices.Equal(n.data, n.durable):
		n.data = survivor(r, n.data, n.durable)
		n.durable = slices.Clone(n.data)
	}
}

// survivor is what remains of a file that was written and not synced. What was
// durable and only had something added to it is still there.
func survivor(r *rand.Rand, written, durable []byte) []byte {
	if r == nil {
		return slices.Clone(durable)
	}
	var safe []byte
	if bytes.HasPrefix(written, durable) {
		safe = durable
	}
	risky := written[len(safe):]
	switch r.IntN(4) {
	case 0:
		return slices.Clone(durable)
	case 1:
		return slices.Clone(written)
	case 2:
		return slices.Concat(safe, risky[:r.IntN(len(risky)+1)])
	default:
		return slices.Concat(safe, make([]byte, len(risky)))
	}
}

func sortedNames(entries map[string]*node) []string {
	names := make([]string, 0, len(entries))
	for name := range entries {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
