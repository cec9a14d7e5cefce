package scan

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Words are what [strings.Fields] parts, and half the Chinese and Japanese
// characters.
func TestWordCountIsThatOfFields(t *testing.T) {
	letters := rapid.StringOf(rapid.SampledFrom([]rune(" \t\n\v\f\ra-\u0085\u00a0\u3000é世한\ufffd")))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "any") + letters.Draw(t, "letters") + rapid.SampledFrom([]string{"", "\xa0", "\xe4 a"}).Draw(t, "broken")
		n, dense := len(strings.Fields(s)), 0
		for _, r := range s {
			if r >= 0x2e80 && (r < 0xa4d0 || r >= 0xf900) {
				dense++
			}
		}
		if got, want := wordCount(s), n+dense/2; got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	})
}
