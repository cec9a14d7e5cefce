package inject

import (
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Encode makes an index of lessons. Their order does not matter; of two with
// the same id the first in rank is found by it.
func Encode(lessons []Lesson, h Header) []byte {
	ranked := slices.Clone(lessons)
	slices.SortStableFunc(ranked, func(a, b Lesson) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.ID, b.ID))
	})
	keys := map[uint64][]uint32{}
	var records []byte
	offsets := []byte{0, 0, 0, 0}
	for rank := range ranked {
		l := &ranked[rank]
		for _, k := range keysOf(l) {
			if list := keys[k]; len(list) == 0 || list[len(list)-1] != uint32(rank) {
				keys[k] = append(list, uint32(rank))
			}
		}
		records = append(records, record(l)...)
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(records)))
	}
	filter, slots, postings := tables(keys)
	out := header(ranked, h, len(filter), len(slots)/slotSize, len(postings))
	for _, section := range [][]byte{filter, slots, postings, offsets, records} {
		out = append(out, section...)
	}
	binary.LittleEndian.PutUint64(out[136:], uint64(len(out)))
	binary.LittleEndian.PutUint32(out[12:], crc32.ChecksumIEEE(out[16:headerSize]))
	return out
}

func header(ranked []Lesson, h Header, filter, slots, postings int) []byte {
	out := make([]byte, headerSize)
	put := func(at int, v int) { binary.LittleEndian.PutUint32(out[at:], uint32(max(v, 0))) }
	copy(out, magic)
	put(8, Format)
	copy(out[16:], h.Fingerprint[:])
	binary.LittleEndian.PutUint64(out[48:], h.Stamp)
	if day, err := strconv.Atoi(strings.ReplaceAll(h.Until, "-", "")); err == nil && len(h.Until) == len("2006-01-02") {
		put(56, day)
	}
	put(60, len(ranked))
	put(64, int(h.Settings.Scoring))
	put(68, h.Settings.BudgetBytes)
	put(72, h.Settings.MaxLessons)
	put(76, h.Settings.CompactionThreshold)
	for p := range 11 {
		n := 0
		for n < len(ranked) && ranked[n].Priority >= p {
			n++
		}
		put(80+4*p, n)
	}
	put(124, filter)
	put(128, slots)
	put(132, postings)
	return out
}

// tables lays out the filter, the slots and the postings of the keys.
func tables(keys map[uint64][]uint32) (filter, slots, postings []byte) {
	filterSize, slotCount := 64, 8
	for filterSize < 2*len(keys) {
		filterSize *= 2
	}
	for slotCount < 2*len(keys) {
		slotCount *= 2
	}
	filter, slots = make([]byte, filterSize), make([]byte, slotCount*slotSize)
	hashes := make([]uint64, 0, len(keys))
	for h := range keys {
		hashes = append(hashes, h)
	}
	slices.Sort(hashes)
	for _, h := range hashes {
		a, b := filterBits(h, filterSize)
		filter[a/8] |= 1 << (a % 8)
		filter[b/8] |= 1 << (b % 8)
		at := int(h>>7) & (slotCount - 1)
		for binary.LittleEndian.Uint64(slots[at*slotSize:]) != 0 {
			at = (at + 1) & (slotCount - 1)
		}
		ranks := keys[h]
		slot := slots[at*slotSize:]
		binary.LittleEndian.PutUint64(slot, h)
		binary.LittleEndian.PutUint32(slot[12:], uint32(len(ranks)))
		if len(ranks) == 1 {
			binary.LittleEndian.PutUint32(slot[8:], ranks[0])
			continue
		}
		binary.LittleEndian.PutUint32(slot[8:], uint32(len(postings)))
		for _, r := range ranks {
			postings = binary.LittleEndian.AppendUint32(postings, r)
		}
	}
	return filter, slots, postings
}

// keysOf returns the keys under which a lesson is found: those of its most
// telling hard slot, because all slots have to match, and those by which a
// prompt and a sub-agent's start find it. A key with an empty name marks that
// there are lessons of that kind at all.
func keysOf(l *Lesson) []uint64 {
	t := &l.Trigger
	keys := []uint64{hash(keyID, l.ID)}
	add := func(kind keyKind, name string) { keys = append(keys, hash(kind, name)) }
	for _, k := range t.Keywords {
		add(keyPrompt, firstWord(k))
	}
	for _, a := range t.Agents {
		add(keyAgent, a)
	}
	switch {
	case len(t.Commands) > 0:
		for _, s := range t.Commands {
			if len(s.Sub) > 0 {
				add(keySub, s.Program+" "+s.Sub[0])
			} else {
				add(keyProgram, s.Program)
			}
		}
	case len(t.Paths) > 0:
		for _, p := range t.Paths {
			keys = append(keys, pathKey(p))
		}
	case len(t.CommandPatterns) > 0:
		add(keyLine, "")
		for _, p := range t.CommandPatterns {
			keys = append(keys, patternKey(p, keyLine, keyAnyLine))
		}
	case len(t.Content) > 0:
		add(keyText, "")
		for _, p := range t.Content {
			keys = append(keys, patternKey(p, keyText, keyAnyText))
		}
	case len(t.Agents) > 0:
		for _, a := range t.Agents {
			add(keyAgents, a)
		}
	case len(t.Tools) > 0:
		if !t.Broad() {
			add(keyToolWord, "")
		}
		for _, k := range slices.Concat(t.Keywords, t.Context) {
			add(keyToolWord, firstWord(k))
		}
	}
	return keys
}

// pathKey returns the most telling key of a glob: its base name, its leading
// folders, its extension.
func pathKey(glob string) uint64 {
	dir, base := path.Split(glob)
	if base != "" && !hasMeta(base) {
		return hash(keyBase, base)
	}
	if dir = literalDir(dir); dir != "" {
		return hash(keyDir, dir)
	}
	if ext := literalExt(base); ext != "" {
		return hash(keyExt, ext)
	}
	return hash(keyAnyPath, "")
}

// literalDir returns the leading folders of a glob up to its first wildcard,
// at most maxPrefix of them, without a slash at the end.
func literalDir(dir string) string {
	parts := strings.Split(strings.TrimSuffix(dir, "/"), "/")
	n := 0
	for n < len(parts) && n < maxPrefix && !hasMeta(parts[n]) {
		n++
	}
	return strings.Join(parts[:n], "/")
}

// maxPrefix is how many leading folders of a path are looked up.
const maxPrefix = 8

// literalExt returns the extension that every match of a base-name glob has.
func literalExt(base string) string {
	if ext := path.Ext(base); ext != "." && ext != "" && !hasMeta(ext) && !strings.HasSuffix(base, "]") {
		return ext
	}
	return ""
}

func patternKey(p Pattern, word, anyWord keyKind) uint64 {
	if p.Word != "" {
		return hash(word, p.Word)
	}
	return hash(anyWord, "")
}
