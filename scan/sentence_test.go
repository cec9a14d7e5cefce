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

// A topic holds the words that are its own but for their case and the marks around.
func TestTopicHolds(t *testing.T) {
	word := rapid.StringOfN(rapid.SampledFrom([]rune("abAB.*-éKk\u212aȺ'")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(word, 0, 6).Draw(t, "words"), " ")
		about, w := topicOf(text), word.Draw(t, "word")
		if got, want := about.holds(w), about.words[bareWord(strings.ToLower(w), ".,:;!?`'\"()*")]; got != want {
			t.Fatalf("%q in %q: %v", w, text, got)
		}
	})
}
