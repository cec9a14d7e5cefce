package lesson

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// someSeen draws evidence of few sessions and days, so that sides overlap.
func someSeen(t *rapid.T) Seen {
	hashes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf("s%02d", rapid.IntRange(0, 40).Draw(t, "session"))
	}), 0, 25)
	day := func(label string) time.Time {
		n := rapid.IntRange(0, 9).Draw(t, label)
		if n == 0 {
			return time.Time{}
		}
		return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC)
	}
	s := Seen{
		Sessions: rapid.IntRange(0, 30).Draw(t, "sessions"), First: day("first"), Last: day("last"),
		Hashes: hashes.Draw(t, "hashes"), Against: hashes.Draw(t, "against"),
	}
	return s.Join(Seen{})
}

func TestSeenIsAJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := someSeen(t), someSeen(t), someSeen(t)
		same := func(law string, x, y Seen) {
			if diff := cmp.Diff(x, y); diff != "" {
				t.Errorf("not %s:\n%s", law, diff)
			}
		}
		same("commutative", a.Join(b), b.Join(a))
		same("associative", a.Join(b).Join(c), a.Join(b.Join(c)))
		same("idempotent", a.Join(b).Join(b), a.Join(b))
		l := &Lesson{Kind: Warning, Priority: 5, Status: Draft, Seen: a.Join(b)}
		again, err := Parse("x.md", l.Format())
		if err != nil {
			t.Fatal(err)
		}
		same("read as written", again.Seen, l.Seen)
	})
}

func TestSeenCounts(t *testing.T) {
	one, two := Seen{Sessions: 1, Hashes: []string{"a"}}, Seen{Sessions: 1, Hashes: []string{"b"}}
	var many Seen
	for n := range 40 {
		many = many.Join(Seen{Sessions: 1, Hashes: []string{fmt.Sprint("s", n)}, Against: []string{fmt.Sprint("c", n)}})
	}
	for _, c := range []struct {
		name      string
		seen      Seen
		count, of int
	}{
		{"two clones that met it once each", one.Join(two), 2, 2},
		{"one session that both scanned", one.Join(one), 1, 1},
		{"a count without hashes", one.Join(Seen{Sessions: 5}), 5, 1},
		{"no more than sixteen hashes", many, 16, 16},
	} {
		if c.seen.Sessions != c.count || len(c.seen.Hashes) != c.of {
			t.Errorf("%s: %d sessions, %d hashes, want %d and %d", c.name, c.seen.Sessions, len(c.seen.Hashes), c.count, c.of)
		}
	}
	if len(many.Against) != 40 {
		t.Errorf("%d sessions with a counterexample are left of 40", len(many.Against))
	}
}
