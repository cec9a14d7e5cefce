// Package ordered has sorted sets, and orders that do not depend on who came first.
package ordered

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
)

// A set is a sorted slice without repetition, nil when it is empty. Those of
// observations in a log are never changed in place: several may share one.

// Set returns the elements as a set of its own.
func Set[E cmp.Ordered](elements []E) []E {
	if len(elements) == 0 {
		return nil
	}
	return lists.SortedUnique(elements)
}

// Union returns what is in one of two lists as a set.
func Union[E cmp.Ordered](a, b []E) []E { return UnionFunc(a, b, cmp.Compare[E]) }

// UnionFunc is [Union] in an order of its own. It takes one look at each element of a where
// a is a set and b is short, as when one more is joined to many.
func UnionFunc[E any](a, b []E, compare func(x, y E) int) []E {
	same := func(x, y E) bool { return compare(x, y) == 0 }
	if len(a) == 0 || len(b) > maxShort || !slices.IsSortedFunc(a, compare) {
		set := slices.Concat(a, b)
		slices.SortFunc(set, compare)
		return slices.CompactFunc(set, same)
	}
	set := a
	for _, x := range b {
		if at, found := slices.BinarySearchFunc(set, x, compare); !found {
			set = slices.Concat(set[:at], []E{x}, set[at:])
		}
	}
	for i := 1; i < len(set); i++ {
		if same(set[i-1], set[i]) {
			return slices.CompactFunc(slices.Clone(set), same)
		}
	}
	return set
}

const maxShort = 4

// Without returns the elements of a set that are not in another, nil for none.
func Without[E comparable](set, others []E) []E {
	left := slices.DeleteFunc(slices.Clone(set), func(x E) bool { return slices.Contains(others, x) })
	if len(left) == 0 {
		return nil
	}
	return left
}

// ByHash returns texts without repetition, in the order of their hashes: which of
// them come first does not depend on who found them when.
func ByHash(texts []string) []string {
	hashes := lists.Table(texts, func(text string) (string, string) { return text, knowledge.EvidenceHash(text) })
	set := Set(texts)
	slices.SortFunc(set, func(a, b string) int { return strings.Compare(hashes[a], hashes[b]) })
	return set
}

// CompareBool puts false before true.
func CompareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
