package knowledge

import (
	"cmp"
	"slices"
)

// A set is a sorted slice without repetition, nil when it is empty. Those of
// observations in a log are never changed in place: several may share one.

// sortedSet returns the elements as a set of its own.
func sortedSet[E cmp.Ordered](elements []E) []E {
	if len(elements) == 0 {
		return nil
	}
	set := slices.Clone(elements)
	slices.Sort(set)
	return slices.Compact(set)
}

// asSet returns the elements as a set, itself if it is one.
func asSet[E cmp.Ordered](elements []E) []E {
	if len(elements) == 0 {
		return nil
	}
	for i := 1; i < len(elements); i++ {
		if elements[i-1] >= elements[i] {
			return sortedSet(elements)
		}
	}
	return slices.Clip(elements)
}

// union returns what is in one of two lists as a set.
func union[E cmp.Ordered](a, b []E) []E { return merge(asSet(a), asSet(b), cmp.Compare[E]) }

// merge is the union of two sets in one order. It is the greater of them, if
// that holds the other.
func merge[E any](a, b []E, compare func(a, b E) int) []E {
	if len(a) < len(b) {
		a, b = b, a
	}
	missing := 0
	for _, x := range b {
		if _, found := slices.BinarySearchFunc(a, x, compare); !found {
			missing++
		}
	}
	if missing == 0 {
		return a
	}
	all := make([]E, 0, len(a)+missing)
	for len(a) > 0 && len(b) > 0 {
		c := compare(a[0], b[0])
		if c <= 0 {
			all, a = append(all, a[0]), a[1:]
		} else {
			all = append(all, b[0])
		}
		if c >= 0 {
			b = b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// less returns the elements of a set that are not in another, nil for none.
func less[E comparable](set, others []E) []E {
	in := func(x E) bool { return slices.Contains(others, x) }
	if !slices.ContainsFunc(set, in) {
		return set
	}
	left := slices.DeleteFunc(slices.Clone(set), in)
	if len(left) == 0 {
		return nil
	}
	return left
}
