// Package ordered has sorted sets, and orders that do not depend on who came first.
package ordered

import (
	"cmp"
	"iter"
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
func Union[E cmp.Ordered](a, b []E) []E { return Set(slices.Concat(a, b)) }

// Add returns a set and what is in another one, see [AddFunc].
func Add[E cmp.Ordered](a, b []E) []E { return AddFunc(a, b, cmp.Compare[E]) }

// AddFunc returns what is in one of two sets of one order as a set. Where one is short, as
// when one more is joined to many, it looks at little of the other, and at nothing where
// that has it already.
func AddFunc[E any](a, b []E, compare func(x, y E) int) []E {
	if len(a) < len(b) {
		a, b = b, a
	}
	switch {
	case len(a) == 0:
		return nil
	case len(b) > maxShort:
		all := slices.Concat(a, b)
		slices.SortFunc(all, compare)
		return slices.CompactFunc(all, func(x, y E) bool { return compare(x, y) == 0 })
	}
	for _, x := range b {
		if at, found := slices.BinarySearchFunc(a, x, compare); !found {
			a = slices.Concat(a[:at], []E{x}, a[at:])
		}
	}
	return a
}

const maxShort = 4

// IsSet says whether a list is a set in an order.
func IsSet[E any](list []E, compare func(x, y E) int) bool {
	for i := 1; i < len(list); i++ {
		if compare(list[i-1], list[i]) >= 0 {
			return false
		}
	}
	return true
}

// Without returns the elements of a set that are not in another, nil for none.
func Without[E comparable](set, others []E) []E {
	out := func(x E) bool { return slices.Contains(others, x) }
	if len(set) > 0 && !slices.ContainsFunc(set, out) {
		return set
	}
	left := slices.DeleteFunc(slices.Clone(set), out)
	if len(left) == 0 {
		return nil
	}
	return left
}

// Beyond yields what a set has beyond what it was earlier, when it had nothing else.
func Beyond[E comparable](set, earlier []E) iter.Seq[E] {
	return func(yield func(E) bool) {
		for _, x := range set {
			if len(earlier) > 0 && x == earlier[0] {
				earlier = earlier[1:]
			} else if !yield(x) {
				return
			}
		}
	}
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
