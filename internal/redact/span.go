package redact

import (
	"cmp"
	"slices"
	"strings"
)

// span is a stretch of the text and what stands for it afterwards.
type span struct {
	from, to int
	with     string
}

// scanner looks at one text and collects what must go.
type scanner struct {
	s     string
	low   string // s with ASCII letters in lower case, same length
	spans []span
}

func newScanner(s string) *scanner { return &scanner{s: s, low: lowerASCII(s)} }

func lowerASCII(s string) string {
	i := 0
	for i < len(s) && (s[i] < 'A' || 'Z' < s[i]) {
		i++
	}
	if i == len(s) {
		return s
	}
	b := []byte(s)
	for ; i < len(b); i++ {
		if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// drop notes that s[from:to] is a secret.
func (t *scanner) drop(from, to int) { t.replace(from, to, mark) }

func (t *scanner) replace(from, to int, with string) {
	if from < to && t.s[from:to] != with {
		t.spans = append(t.spans, span{from, to, with})
	}
}

// tell names the secrets that were found.
func (t *scanner) tell(to func(secret string)) {
	for _, p := range t.spans {
		to(t.s[p.from:p.to])
	}
}

// apply returns the text with its spans replaced. Spans that overlap become
// one, so that no rule leaves a piece of what another one took; the mark of a
// secret wins.
func (t *scanner) apply() string {
	if len(t.spans) == 0 {
		return t.s
	}
	slices.SortFunc(t.spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to), cmp.Compare(a.with, b.with))
	})
	var out strings.Builder
	out.Grow(len(t.s))
	at := 0
	for i := 0; i < len(t.spans); {
		one := t.spans[i]
		for i++; i < len(t.spans) && t.spans[i].from < one.to; i++ {
			one.to = max(one.to, t.spans[i].to)
			if t.spans[i].with == mark {
				one.with = mark
			}
		}
		out.WriteString(t.s[at:one.from])
		out.WriteString(one.with)
		at = one.to
	}
	out.WriteString(t.s[at:])
	return out.String()
}
