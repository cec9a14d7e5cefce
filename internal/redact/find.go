package redact

import "slices"

// Secrets returns the byte offsets at which secrets begin in a text, ascending:
// what [Redactor.Text] takes out, without personal data.
func Secrets(s string) []int {
	t := newScanner(s)
	t.scan()
	t.scanDecoded()
	var at []int
	for _, p := range t.spans {
		if p.with == mark {
			at = append(at, p.from)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}
