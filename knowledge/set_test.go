package knowledge

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSetsAreAsSortingGivesThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.StringMatching(`[a-e]?`), 0, 5)
		a, b := list.Draw(t, "a"), list.Draw(t, "b")
		wasA, wasB := slices.Clone(a), slices.Clone(b)
		all := sortedSet(slices.Concat(a, b))
		if got := union(a, b); !slices.Equal(got, all) || (got == nil) != (all == nil) {
			t.Errorf("union of %q and %q is %q, want %q", a, b, got, all)
		}
		var want []string
		for _, x := range all {
			if !slices.Contains(b, x) {
				want = append(want, x)
			}
		}
		if got := less(all, b); !slices.Equal(got, want) || (got == nil) != (want == nil) {
			t.Errorf("%q less %q is %q, want %q", all, b, got, want)
		}
		if !slices.Equal(a, wasA) || !slices.Equal(b, wasB) {
			t.Errorf("the lists changed: %q, %q", a, b)
		}
	})
}

func TestEvidenceIsInTheOrderOfItsHashes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quotes := rapid.SliceOfN(rapid.StringMatching(`[a-h]{1,2}`), 0, 15)
		a, b := quotes.Draw(t, "a"), quotes.Draw(t, "b")
		want := sortedSet(slices.Concat(a, b))
		slices.SortFunc(want, func(x, y string) int { return strings.Compare(EvidenceHash(x), EvidenceHash(y)) })
		want = want[:min(len(want), maxEvidence)]
		if got := kept(slices.Concat(a, b)); !slices.Equal(got, want) {
			t.Errorf("of %q and %q are kept %q, want %q", a, b, got, want)
		}
		if got := kept(slices.Concat(kept(a), kept(b))); !slices.Equal(got, want) {
			t.Errorf("of %q and %q are joined %q, want %q", a, b, got, want)
		}
	})
}
