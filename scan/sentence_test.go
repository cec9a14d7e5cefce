package scan

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A sentence ends with the first full stop, exclamation or question mark that a blank
// or nothing follows.
func TestSentenceEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringOfN(rapid.SampledFrom([]rune("ab .!?é")), 0, 20, -1).Draw(t, "line")
		want := len(line)
		for i := range line {
			if strings.IndexByte(".!?", line[i]) >= 0 && (i+1 == len(line) || line[i+1] == ' ') {
				want = i + 1
				break
			}
		}
		if got := sentenceEnd(line); got != want {
			t.Fatalf("%q ends at %d, want %d", line, got, want)
		}
	})
}
