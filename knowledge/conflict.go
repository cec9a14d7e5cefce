package knowledge

import "bytes"

// versions are the sides of a file that git left with conflict markers.
type versions struct {
	base, ours, theirs []byte // base: nil unless the markers have one
}

// splitConflicts undoes the conflict markers of a text: each side is the text
// with its parts of all conflicts. Markers that are not complete are text.
func splitConflicts(data []byte) (versions, bool) {
	all := conflicts(data)
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
		v.ours, v.base, v.theirs = append(v.ours, same...), append(v.base, same...), append(v.theirs, same...)
		part := func(i int) []byte {
			_, from := lineAt(data, c[i])
			return data[from:c[i+1]]
		}
		v.ours = append(v.ours, part(0)...)
		v.theirs = append(v.theirs, part(len(c)-2)...)
		if len(c) == 4 {
			v.base = append(v.base, part(1)...)
		}
		_, at = lineAt(data, c[len(c)-1])
	}
	v.ours, v.base, v.theirs = append(v.ours, data[at:]...), append(v.base, data[at:]...), append(v.theirs, data[at:]...)
	if !based {
		v.base = nil
	}
	if bytes.Equal(v.ours, data) {
		return versions{}, false
	}
	return v, true
}

// conflicts lists the offsets of the marker lines of each complete conflict.
func conflicts(data []byte) [][]int {
	var all [][]int
	var open []int
	for at := 0; at < len(data); {
		line, next := lineAt(data, at)
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

// isConflictMarker says whether git left the line around the sides of a conflict.
func isConflictMarker(line []byte) bool {
	for _, mark := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if rest, ok := bytes.CutPrefix(line, []byte(mark)); ok && (len(rest) == 0 || rest[0] == ' ') {
			return true
		}
	}
	return false
}
