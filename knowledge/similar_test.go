package knowledge

import (
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestShinglesAreHashesOfThreeWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.StringMatching(`[a-z]{0,3}( {1,2}[a-cé]{1,2}){0,7} ?`).Draw(t, "shape")
		scope, text, _ := strings.Cut(shape, " ")
		words := strings.Fields(text)
		var want []uint64
		for i := 0; i == 0 || i+shingleWords <= len(words); i++ {
			h := fnv.New64a()
			_, _ = io.WriteString(h, scope+"\x00"+strings.Join(words[i:min(i+shingleWords, len(words))], " "))
			want = append(want, h.Sum64())
		}
		if got, want := shingles(shape), sortedSet(want); !slices.Equal(got, want) {
			t.Errorf("%q has the shingles %x, want %x", shape, got, want)
		}
	})
}

func TestShapesAreTheFirstWords(t *testing.T) {
	pieces := []string{" ", "\n", "a", "B", "É", "-f", "--Flag", "“", "”", "…", "'", "\"", "`", ".", ",", ":", ";", "!", "?", "(", ")", "[", "]", "\xff", "‘", "’", "<n>", "word"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 90).Draw(t, "pieces"), "")
		least := rapid.IntRange(0, 4).Draw(t, "least")
		var words, want []string
		for word := range strings.FieldsSeq(text) {
			word = strings.Trim(word, "\"'`“”‘’.,;:!?()[]…")
			if !strings.HasPrefix(word, "-") {
				word = strings.ToLower(word)
			}
			if word != "" {
				words = append(words, word)
			}
		}
		if len(words) >= least {
			want = []string{strings.TrimRight("scope "+strings.Join(words[:min(len(words), maxShapeWords)], " "), " ")}
		}
		if got := shape("scope", text, least); !slices.Equal(got, want) {
			t.Errorf("the shape of %q is %q, want %q", text, got, want)
		}
	})
}
