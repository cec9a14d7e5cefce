package inject

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"sort"
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

// hash is that of a key.
func hash(kind keyKind, name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte{byte(kind)})
	_, _ = h.Write([]byte(name))
	return h.Sum64()
}

// lookup appends the ranks of the lessons under a key.
func (x *Index) lookup(ranks []uint32, kind keyKind, name string) []uint32 {
	h := hash(kind, name)
	all := len(x.keys) / keySize
	at := func(i int) []byte { return x.keys[i*keySize:] }
	first := sort.Search(all, func(i int) bool { return binary.LittleEndian.Uint64(at(i)) >= h })
	for i := first; i < all && binary.LittleEndian.Uint64(at(i)) == h; i++ {
		ranks = append(ranks, binary.LittleEndian.Uint32(at(i)[8:]))
	}
	return ranks
}

// has says whether there are lessons of a kind at all.
func (x *Index) has(kind keyKind) bool { return len(x.lookup(nil, kind, "")) > 0 }

// gather collects the candidates of several keys in the order of rank.
type gather struct {
	x     *Index
	ranks []uint32
}

func (g *gather) key(kind keyKind, name string) {
	g.ranks = g.x.lookup(g.ranks, kind, name)
}

func (g *gather) sorted() []uint32 {
	slices.Sort(g.ranks)
	return slices.Compact(g.ranks)
}
