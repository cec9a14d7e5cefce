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
