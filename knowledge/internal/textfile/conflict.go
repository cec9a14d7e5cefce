package textfile

import "bytes"

// versions are the sides of a file that git left with conflict markers.
type versions struct {
	Base, Ours, Theirs []byte // base: nil unless the markers have one
}

// SplitConflicts undoes the conflict markers of a text: each side is the text
// with its parts of all conflicts. Markers that are not complete are text.
func SplitConflicts(data []byte) (versions, bool) {
	all := Conflicts(data)
	if len(all) == 0 {
		return versions{}, false
	}
	var v versions
	based := true
	for _, c := range all {
		based = based && len(c) == 4
	}
	at := 0
	for _, c := range all {
		same := data[at:c[0]]
		v.Ours, v.Base, v.Theirs = append(v.Ours, same...), append(v.Base, same...), append(v.Theirs, same...)
		part := func(i int) []byte {
			_, from := LineAt(data, c[i])
			return data[from:c[i+1]]
		}
		v.Ours = append(v.Ours, part(0)...)
		v.Theirs = append(v.Theirs, part(len(c)-2)...)
		if len(c) == 4 {
			v.Base = append(v.Base, part(1)...)
		}
		_, at = LineAt(data, c[len(c)-1])
	}
	v.Ours, v.Base, v.Theirs = append(v.Ours, data[at:]...), append(v.Base, data[at:]...), append(v.Theirs, data[at:]...)
	if !based {
		v.Base = nil
	}
	if bytes.Equal(v.Ours, data) {
		return versions{}, false
	}
	return v, true
}

// Conflicts lists the offsets of the marker lines of each complete conflict.
func Conflicts(data []byte) [][]int {
	var all [][]int
	var open []int
	size := 0 // of the markers of the open conflict: all have the same
	for at := 0; at < len(data); {
		line, next := LineAt(data, at)
		kind, n, label := marker(line)
		switch {
		case kind == '<' && label:
			open, size = []int{at}, n
		case n != size || len(open) == 0:
		case kind == '|', kind == '=' && !label:
			open = append(open, at)
		case kind == '>' && len(open) > 1:
			all, open = append(all, append(open, at)), nil
		}
		at = next
	}
	return all
}

// IsConflictMarker says whether git left the line around the sides of a conflict.
func IsConflictMarker(line []byte) bool {
	kind, _, _ := marker(line)
	return kind != 0
}

// marker is the character of a conflict marker and how often it stands there: seven
// times, and more where both sides moved the file. A label may follow.
func marker(line []byte) (kind byte, n int, label bool) {
	if len(line) == 0 || bytes.IndexByte([]byte("<|=>"), line[0]) < 0 {
		return 0, 0, false
	}
	rest := bytes.TrimLeft(line, string(line[:1]))
	n, label = len(line)-len(rest), len(rest) > 0
	if n < 7 || label && rest[0] != ' ' {
		return 0, 0, false
	}
	return line[0], n, label
}
