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
	for at := 0; at < len(data); {
		line, next := LineAt(data, at)
		switch {
		case bytes.HasPrefix(line, []byte("<<<<<<< ")):
			open = []int{at}
		case len(open) > 0 && (bytes.HasPrefix(line, []byte("||||||| ")) || string(line) == "=======" || string(line) == "|||||||"):
			open = append(open, at)
		case len(open) > 1 && (bytes.HasPrefix(line, []byte(">>>>>>> ")) || string(line) == ">>>>>>>"):
			all, open = append(all, append(open, at)), nil
		}
		at = next
	}
	return all
}

// IsConflictMarker says whether git left the line around the sides of a conflict.
func IsConflictMarker(line []byte) bool {
	for _, mark := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if rest, ok := bytes.CutPrefix(line, []byte(mark)); ok && (len(rest) == 0 || rest[0] == ' ') {
			return true
		}
	}
	return false
}
