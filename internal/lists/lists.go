// Package lists has what package slices lacks: functions that make one list of
// another, or a map of one. An empty list is nil.
package lists

import (
	"cmp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Map returns what a function makes of each element.
func Map[T, U any](list []T, of func(T) U) []U {
	var all []U
	for _, v := range list {
		all = append(all, of(v))
	}
	return all
}

// MapSome is [Map] without what is the zero value.
func MapSome[T any, U comparable](list []T, of func(T) U) []U {
	var zero U
	return Filter(Map(list, of), func(u U) bool { return u != zero })
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

// Find returns the first element of which something holds, and whether there is one.
func Find[T any](list []T, holds func(T) bool) (found T, ok bool) {
	i := slices.IndexFunc(list, holds)
	if i < 0 {
		return found, false
	}
	return list[i], true
}

// Flat returns what a function makes of each element, in one list.
func Flat[T, U any](list []T, of func(T) []U) []U {
	var all []U
	for _, v := range list {
		all = append(all, of(v)...)
	}
	return all
}

// With returns a list with those of more elements that it lacks.
func With[T comparable](list []T, more ...T) []T {
	for _, v := range more {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// SortedUnique returns the elements sorted, each once.
func SortedUnique[E cmp.Ordered](list []E) []E {
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// Count says of how many elements something holds.
func Count[T any](list []T, holds func(T) bool) int {
	n := 0
	for _, v := range list {
		if holds(v) {
			n++
		}
	}
	return n
}

// Sum adds up what each element counts.
func Sum[T any](list []T, of func(T) int) int {
	n := 0
	for _, v := range list {
		n += of(v)
	}
	return n
}

// MapParallel is [Map] for functions that take long and share nothing: as many of them run
// at once as there are processors.
func MapParallel[T, U any](list []T, of func(T) U) []U {
	if len(list) == 0 {
		return nil
	}
	all := make([]U, len(list))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(list)) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(list)); i = next.Add(1) - 1 {
				all[i] = of(list[i])
			}
		})
	}
	group.Wait()
	return all
}
