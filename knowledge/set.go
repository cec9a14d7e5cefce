package knowledge

import (
	"cmp"
	"slices"
	"strings"
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

// union returns what is in one of two lists as a set.
func union[E cmp.Ordered](a, b []E) []E { return sortedSet(slices.Concat(a, b)) }

// less returns the elements of a set that are not in another, nil for none.
func less[E comparable](set, others []E) []E {
	left := slices.DeleteFunc(slices.Clone(set), func(x E) bool { return slices.Contains(others, x) })
	if len(left) == 0 {
		return nil
	}
	return left
}

// byHash returns texts without repetition, in the order of their hashes: which of
// them come first does not depend on who found them when.
func byHash(texts []string) []string {
	hashes := map[string]string{}
	for _, text := range texts {
		hashes[text] = EvidenceHash(text)
	}
	set := sortedSet(texts)
	slices.SortFunc(set, func(a, b string) int { return strings.Compare(hashes[a], hashes[b]) })
	return set
}

// compareBool puts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
