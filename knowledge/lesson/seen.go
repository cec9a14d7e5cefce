package lesson

import (
	"strconv"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
)

// Seen is the evidence that an artifact carries with it, because the log is
// not in git by default.
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

// String says how often and when: "3 sessions, 2026-01-01 to 2026-01-20".
func (s Seen) String() string {
	text := strconv.Itoa(s.Sessions) + " sessions"
	if s.Sessions == 1 {
		text = "1 session"
	}
	switch first, last := Day(s.First), Day(s.Last); {
	case last == "":
		return text
	case first == "" || first == last:
		return text + ", " + last
	default:
		return text + ", " + first + " to " + last
	}
}

// Field is how an entry carries its evidence: how often and when, and the hashes, by
// which sessions that two clones heard are counted once.
func (s Seen) Field() string {
	if len(s.Hashes) == 0 {
		return s.String()
	}
	return s.String() + " (" + strings.Join(s.Hashes, ", ") + ")"
}

// Day writes the date of a time in UTC; unknown times have no date.
func Day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

var seenText = automata.Lazily(`^(\d{1,9}) sessions?(?:, (\d{4}-\d\d-\d\d)(?: to (\d{4}-\d\d-\d\d))?)?(?: \(([0-9a-z, ]+)\))?$`)

// ParseSeen reads what [Seen.Field] or [Seen.String] wrote; ok is false for other texts.
func ParseSeen(text string) (s Seen, ok bool) {
	part := seenText().FindStringSubmatch(text)
	if part == nil {
		return Seen{}, false
	}
	s.Sessions, _ = strconv.Atoi(part[1])
	s.First, _ = time.Parse(time.DateOnly, part[2])
	if s.Last = s.First; part[3] != "" {
		s.Last, _ = time.Parse(time.DateOnly, part[3])
	}
	if part[4] != "" {
		s.Hashes = ordered.Set(strings.Split(part[4], ", "))
	}
	return s, true
}
