package lists

import (
	"strings"
	"sync"
)

// Set holds the elements of a list.
func Set[T comparable](list []T) map[T]bool {
	return SetOf(list, func(v T) T { return v })
}

// SetOf holds what a function makes of each element.
func SetOf[T any, K comparable](list []T, of func(T) K) map[K]bool {
	return Table(list, func(v T) (K, bool) { return of(v), true })
}

// AddTo puts a value into the set of a key.
func AddTo[K, V comparable](sets map[K]map[V]bool, key K, value V) {
	if sets[key] == nil {
		sets[key] = map[V]bool{}
	}
	sets[key][value] = true
}

// By holds the elements by a key; of several with one key it has the last.
func By[T any, K comparable](list []T, key func(T) K) map[K]T {
	return Table(list, func(v T) (K, T) { return key(v), v })
}

// Table holds a key and a value of each element; the last of a key counts.
func Table[T any, K comparable, V any](list []T, row func(T) (K, V)) map[K]V {
	all := make(map[K]V, len(list))
	for _, v := range list {
		k, value := row(v)
		all[k] = value
	}
	return all
}

// LazyWords is [Words] when it is first asked for: most runs of the program ask for few.
func LazyWords(text string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool { return Words(text) })
}

// Words holds the words of a text.
func Words(text string) map[string]bool { return Set(strings.Fields(text)) }
