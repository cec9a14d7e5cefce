package inject

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// keyKind says what a key of the lookup table is.
type keyKind byte

const (
	keyID       keyKind = 'i'
	keyProgram  keyKind = 'p' // program
	keySub      keyKind = 's' // program and sub-command
	keyBase     keyKind = 'b' // base name of a path
	keyExt      keyKind = 'e' // extension of a path, with its dot
	keyDir      keyKind = 'd' // leading folders of a path
	keyAnyPath  keyKind = 'P' // lessons about paths with no better key
	keyLine     keyKind = 'l' // word that a command pattern needs
	keyAnyLine  keyKind = 'L' // lessons about commands with no better key
	keyText     keyKind = 'c' // word that a content pattern needs
	keyAnyText  keyKind = 'C' // lessons about content with no better key
	keyToolWord keyKind = 'k' // first word of a keyword, of lessons about a tool and keywords
	keyPrompt   keyKind = 'q' // first word of an action keyword, of every lesson
	keyAgent    keyKind = 'a' // sub-agent type
	keyAgents   keyKind = 'A' // sub-agent type, of lessons with no better key
)

// hash is FNV-1a over kind and name, mixed so that its low bits are good ones.
func hash(kind keyKind, name string) uint64 {
	h := uint64(14695981039346656037)
	h = (h ^ uint64(kind)) * 1099511628211
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	h ^= h >> 29
	return cmp.Or(h, 1) // 0 marks an empty slot
}

// filterBits returns the two bits of a key in the filter: a key whose bits are
// not both set is not in the table.
func filterBits(h uint64, size int) (a, b uint64) {
	mask := uint64(size)*8 - 1
	return h & mask, (h >> 32) & mask
}

func (x *Index) mayHave(h uint64) bool {
	a, b := filterBits(h, len(x.filter))
	return x.filter[a/8]&(1<<(a%8)) != 0 && x.filter[b/8]&(1<<(b%8)) != 0
}

// lookup returns the ranks of the lessons under a key.
func (x *Index) lookup(kind keyKind, name string) []uint32 {
	h := hash(kind, name)
	if !x.mayHave(h) {
		return nil
	}
	for probe := range x.slots {
		at := int(h>>7)&(x.slots-1) + probe
		if at >= x.slots {
			at -= x.slots
		}
		slot := x.at(x.sizes.slots+int64(at)*slotSize, slotSize)
		if slot == nil {
			return nil
		}
		switch binary.LittleEndian.Uint64(slot) {
		case 0:
			return nil
		case h:
			return x.postings(binary.LittleEndian.Uint32(slot[8:]), binary.LittleEndian.Uint32(slot[12:]))
		}
	}
	return nil
}

// postings reads n ranks. A single one stands in the slot itself.
func (x *Index) postings(at, n uint32) []uint32 {
	if n == 1 {
		return []uint32{at}
	}
	if int(n) > x.count {
		x.damaged("postings")
		return nil
	}
	b := x.at(x.sizes.postings+int64(at), int64(n)*4)
	if b == nil || x.sizes.postings+int64(at)+int64(n)*4 > x.sizes.offsets {
		x.damaged("postings")
		return nil
	}
	out := make([]uint32, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return out
}

// gather collects the candidates of several keys in the order of rank.
type gather struct {
	x     *Index
	ranks []uint32
}

func (g *gather) key(kind keyKind, name string) {
	g.ranks = append(g.ranks, g.x.lookup(kind, name)...)
}

func (g *gather) sorted() []uint32 {
	slices.Sort(g.ranks)
	return slices.Compact(g.ranks)
}
