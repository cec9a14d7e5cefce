package lesson

import (
	"time"

	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
)

// Seen is the evidence that an artifact carries with it, because the log is
// not in git by default (rulings 4).
type Seen struct {
	Sessions int       // at least as many as have a hash here
	First    time.Time // zero: unknown
	Last     time.Time
	Hashes   []string // of sessions that met it: the smallest ones, a set
	Against  []string // of sessions with a counterexample: all of them, a set
}

// maxHashes is how many hashes of sessions an artifact carries. More sessions are
// counted and not named.
const maxHashes = 16

// Join returns the evidence of both. It is commutative, associative and
// idempotent: sessions that both met count once as long as they have a hash.
func (s Seen) Join(other Seen) Seen {
	hashes := ordered.Union(s.Hashes, other.Hashes)
	joined := Seen{
		Hashes: hashes[:min(len(hashes), maxHashes)], Against: ordered.Union(s.Against, other.Against),
		First: s.First.UTC(), Last: s.Last.UTC(),
	}
	joined.Sessions = max(s.Sessions, other.Sessions, len(joined.Hashes))
	if joined.First.IsZero() || !other.First.IsZero() && other.First.Before(joined.First) {
		joined.First = other.First.UTC()
	}
	if other.Last.After(joined.Last) {
		joined.Last = other.Last.UTC()
	}
	return joined
}
