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
