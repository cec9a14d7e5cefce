package observe

import "bytes"

// MergeLogFiles joins two logs. An observation that one side forgot, and that the
// other left as it was, stays forgotten.
func MergeLogFiles(base, ours, theirs []byte, t Thresholds) []byte {
	read := func(data []byte) *Log {
		l, _ := ParseLog("", data)
		l.resolve()
		return l
	}
	b, o, other := read(base), read(ours), read(theirs)
	merged := MergeLogs(o, other, t)
	merged.many = true
	for _, id := range b.liveIDs() {
		in, out := o.Get(id), other.Get(id)
		if (in == nil) != (out == nil) && sameObservation(b.Get(id), in, out) {
			merged.Remove(id)
		}
	}
	merged.place()
	return merged.Bytes()
}

// sameObservation says whether the one of two versions that is there says what
// the base says.
func sameObservation(base, a, b *Observation) bool {
	if a == nil {
		a = b
	}
	return bytes.Equal(encodeObservation(base, nil), encodeObservation(a, nil))
}
