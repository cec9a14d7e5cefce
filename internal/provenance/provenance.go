// Package provenance parts what a person stands for from what others wrote into the
// repository. Every channel by which a repository reaches an agent takes a [List], so that
// none can forget to ask.
package provenance

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
)

// List is things of a repository: those that this person trusts, then those that
// nobody here reviewed. The zero value is empty.
type List[T any] struct{ trusted, unreviewed []T }

// Sort parts things by who stands for them, and leaves their order otherwise.
func Sort[T any](things []T, trusted func(T) bool) List[T] {
	var l List[T]
	for _, thing := range things {
		if trusted(thing) {
			l.trusted = append(l.trusted, thing)
		} else {
			l.unreviewed = append(l.unreviewed, thing)
		}
	}
	return l
}

// Parted is a list of what was judged before.
func Parted[T any](trusted, unreviewed []T) List[T] { return List[T]{trusted, unreviewed} }

// Trusted are the things that this person stands for.
func (l List[T]) Trusted() []T { return l.trusted }

// Unreviewed are those that others wrote and nobody here reviewed.
func (l List[T]) Unreviewed() []T { return l.unreviewed }

// All are the trusted things, then the others.
func (l List[T]) All() []T { return slices.Concat(l.trusted, l.unreviewed) }

// Filter leaves out what is not wanted.
func (l List[T]) Filter(keep func(T) bool) List[T] {
	return List[T]{lists.Filter(l.trusted, keep), lists.Filter(l.unreviewed, keep)}
}

// Mark stands before what nobody here reviewed.
const Mark = "(unreviewed, from repository) "

// Share is how much of a list's room what nobody here reviewed may take.
func Share(room int) int { return room / 3 }
