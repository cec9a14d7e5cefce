// Package lists has what package slices lacks: functions that make one list of
// another. An empty result is nil.
package lists

// Map returns what a function makes of each element.
func Map[T, U any](list []T, of func(T) U) []U {
	var all []U
	for _, v := range list {
		all = append(all, of(v))
	}
	return all
}

// Filter returns the elements of which something holds.
func Filter[T any](list []T, holds func(T) bool) []T {
	var kept []T
	for _, v := range list {
		if holds(v) {
			kept = append(kept, v)
		}
	}
	return kept
}
