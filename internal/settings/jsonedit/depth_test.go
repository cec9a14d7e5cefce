package jsonedit

import (
	"strings"
	"testing"
)

// Package json refuses what nests deeper than it follows itself, so that the
// scanner never meets it.
func TestNestingIsBounded(t *testing.T) {
	for n, fine := range map[int]bool{9_000: true, 11_000: false, 1_000_000: false} {
		for _, pair := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
			_, err := Parse([]byte(strings.Repeat(pair[0], n) + "1" + strings.Repeat(pair[1], n)))
			if (err == nil) != fine {
				t.Errorf("%d times %s: %v", n, pair[0], err)
			}
		}
	}
}
