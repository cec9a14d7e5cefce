package transcript

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// stringEnd is closingQuote as one would write it.
func stringEnd(b []byte, from int) int {
	for i := from; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// bracketEnd is closingBracket as one would write it.
func bracketEnd(b []byte, from int) int {
	depth := 0
	for i := from; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = stringEnd(b, i+1); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// pieces are what strings are made of, so that quotes, backslashes and long
// stretches without any come at all distances.
var pieces = []string{`"`, `\"`, `\\`, `\`, "a", "{", "}", "[", "]", `","`, `":"`, "\xff", "é", "\x00", "\n", "sevenby", strings.Repeat("x", 31), strings.Repeat("y", 32), strings.Repeat("z", 250), "!\xa2"}

func TestEndsAreFoundAsByteByByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), ""))
		from := rapid.IntRange(0, len(b)).Draw(t, "from")
		want := stringEnd(b, from)
		if got := closingQuote(b, from); got != want {
			t.Fatalf("%q from %d: closing quote at %d, want %d", b, from, got, want)
		}
		if got := keyEnd(b, from); got >= 0 && (got != want || strings.Contains(string(b[from:got]), `\`)) {
			t.Fatalf("%q from %d: key ends at %d, want %d", b, from, got, want)
		}
		if got, want := closingBracket(b, from), bracketEnd(b, from); got != want {
			t.Fatalf("%q from %d: bracket at %d, want %d", b, from, got, want)
		}
	})
}
