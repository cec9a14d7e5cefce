// Package ordered has sorted sets, and orders that do not depend on who came first.
package ordered

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
)

// A set is a sorted slice without repetition, nil when it is empty. Those of
// observations in a log are never changed in place: several may share one.

// Set returns the elements as a set of its own.
func Set[E cmp.Ordered](elements []E) []E {
	if len(elements) == 0 {
		return nil
	}
	set := slices.Clone(elements)
	slices.Sort(set)
	return slices.Compact(set)
}

// Union returns what is in one of two lists as a set.
func Union[E cmp.Ordered](a, b []E) []E { return Set(slices.Concat(a, b)) }

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
	hashes := map[string]string{}
	for _, text := range texts {
		hashes[text] = knowledge.EvidenceHash(text)
	}
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
