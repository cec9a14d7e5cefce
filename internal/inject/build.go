package inject

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// Encode makes an index of lessons. Their order does not matter; of two with
// the same id the first in rank is found by it.
func Encode(lessons []Lesson, h Header) []byte {
	ranked := slices.Clone(lessons)
	slices.SortStableFunc(ranked, byRank)
	head := fileHead{Header: h, Count: len(ranked)}
	type key struct {
		hash uint64
		rank int
	}
	var keys []key
	var records []byte
	offsets := []byte{0, 0, 0, 0}
	for rank := range ranked {
		l := &ranked[rank]
		keys = append(keys, lists.Map(keysOf(l), func(k uint64) key { return key{k, rank} })...)
		records = append(records, record(l)...)
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(records)))
		for p := 0; p <= min(l.Priority, 10) && !l.Unreviewed; p++ {
			head.AtRank[p]++
		}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.hash, b.hash), a.rank-b.rank) })
	var table []byte
	for _, k := range slices.Compact(keys) {
		table = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(table, k.hash), uint32(k.rank))
	}
	head.Keys, head.Rest = len(table), len(table)+len(offsets)+len(records)
	text := encoded(head)
	out := append([]byte(magic), make([]byte, prefixSize-len(magic))...)
	binary.LittleEndian.PutUint32(out[8:], Format)
	binary.LittleEndian.PutUint32(out[12:], crc32.ChecksumIEEE(text))
	binary.LittleEndian.PutUint32(out[16:], uint32(len(text)))
	return slices.Concat(out, text, table, offsets, records)
}

// record is a lesson in its bytes: a checksum, then JSON.
func record(l *Lesson) []byte {
	text := encoded(l)
	return append(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(text)), text...)
}

func encoded(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return text
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
			if len(s.Sub) > 0 && !isGlob(s.Sub[0]) && placeholders[s.Sub[0]] == nil {
				add(keySub, s.Program+" "+baseOf(s.Sub[0]))
			} else {
				add(keyProgram, s.Program)
			}
		}
	case len(t.Paths) > 0:
		keys = append(keys, lists.Map(t.Paths, pathKey)...)
	case len(t.CommandPatterns) > 0:
		add(keyLine, "")
		keys = append(keys, lists.Map(t.CommandPatterns, func(p Pattern) uint64 { return patternKey(p, keyLine, keyAnyLine) })...)
	case len(t.Content) > 0:
		add(keyText, "")
		keys = append(keys, lists.Map(t.Content, func(p Pattern) uint64 { return patternKey(p, keyText, keyAnyText) })...)
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
