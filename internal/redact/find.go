package redact

import "slices"

// Secrets returns the byte offsets at which secrets begin in a text, ascending: those of a
// known form, wherever they stand. A password in an example has none.
func Secrets(s string) []int {
	t := newScanner(s)
	t.walk(knownForms(), false)
	t.scanDecoded(knownForms(), false)
	var at []int
	for _, p := range t.spans {
		if p.with == mark {
			at = append(at, p.from)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}
