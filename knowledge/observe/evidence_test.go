package observe

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
)

func TestEvidenceIsInTheOrderOfItsHashes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quotes := rapid.SliceOfN(rapid.StringMatching(`[a-h]{1,2}`), 0, 15)
		a, b := quotes.Draw(t, "a"), quotes.Draw(t, "b")
		want := ordered.Set(slices.Concat(a, b))
		slices.SortFunc(want, func(x, y string) int { return strings.Compare(knowledge.EvidenceHash(x), knowledge.EvidenceHash(y)) })
		want = want[:min(len(want), maxEvidence)]
		if got := kept(slices.Concat(a, b)); !slices.Equal(got, want) {
			t.Errorf("of %q and %q are kept %q, want %q", a, b, got, want)
		}
		if got := kept(slices.Concat(kept(a), kept(b))); !slices.Equal(got, want) {
			t.Errorf("of %q and %q are joined %q, want %q", a, b, got, want)
		}
	})
}
