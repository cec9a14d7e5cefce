package inject

import (
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
	slices.SortStableFunc(ranked, byRank)
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
	head := newHead(ranked, h)
	head.Filter, head.Slots, head.Postings = uint32(len(filter)), uint32(len(slots)/slotSize), uint32(len(postings))
	head.Size = uint64(headerSize + len(filter) + len(slots) + len(postings) + len(offsets) + len(records))
	out := make([]byte, headerSize)
	_, _ = binary.Encode(out, binary.LittleEndian, head) // it has numbers alone, and room
	binary.LittleEndian.PutUint32(out[12:], crc32.ChecksumIEEE(out[16:]))
	return slices.Concat(out, filter, slots, postings, offsets, records)
}

func newHead(ranked []Lesson, h Header) *fileHead {
	out := &fileHead{
		Format: Format, Fingerprint: h.Fingerprint, Stamp: h.Stamp, Count: uint32(len(ranked)), Scoring: uint32(h.Settings.Scoring),
		Budget: uint32(max(h.Settings.BudgetBytes, 0)), MaxLessons: uint32(max(h.Settings.MaxLessons, 0)),
		Compaction: uint32(max(h.Settings.CompactionThreshold, 0)), Asks: uint32(max(h.Settings.Asks, 0)),
	}
	copy(out.Magic[:], magic)
	if day, err := strconv.Atoi(strings.ReplaceAll(h.Until, "-", "")); err == nil && len(h.Until) == len("2006-01-02") {
		out.Until = uint32(day)
	}
	for p := range out.AtRank {
		for int(out.AtRank[p]) < len(ranked) && ranked[out.AtRank[p]].Priority >= p {
			out.AtRank[p]++
		}
	}
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
			if len(s.Sub) > 0 && !isGlob(s.Sub[0]) {
				add(keySub, s.Program+" "+baseOf(s.Sub[0]))
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
