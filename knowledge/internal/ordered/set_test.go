package ordered

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSetsAreAsSortingGivesThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.StringMatching(`[a-e]?`), 0, 5)
		a, b := list.Draw(t, "a"), list.Draw(t, "b")
		wasA, wasB := slices.Clone(a), slices.Clone(b)
		all := Set(slices.Concat(a, b))
		if got := Union(a, b); !slices.Equal(got, all) || (got == nil) != (all == nil) {
			t.Errorf("union of %q and %q is %q, want %q", a, b, got, all)
		}
		setA, setB := Set(a), Set(b)
		if got := Add(setA, setB); !slices.Equal(got, all) || (got == nil) != (all == nil) {
			t.Errorf("%q with %q is %q, want %q", setA, setB, got, all)
		}
		if more := slices.Collect(Beyond(all, setA)); !slices.Equal(Set(slices.Concat(setA, more)), all) || len(more) != len(all)-len(setA) {
			t.Errorf("%q has %q beyond %q", all, more, setA)
		}
		var want []string
		for _, x := range all {
			if !slices.Contains(b, x) {
				want = append(want, x)
			}
		}
		if got := Without(all, b); !slices.Equal(got, want) || (got == nil) != (want == nil) {
			t.Errorf("%q less %q is %q, want %q", all, b, got, want)
		}
		if !slices.Equal(a, wasA) || !slices.Equal(b, wasB) {
			t.Errorf("the lists changed: %q, %q", a, b)
		}
	})
}
