package lesson

import (
	"fmt"
	"strings"
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
		text, ok := ParseSeen(a.String())
		if !ok || text.String() != a.String() {
			t.Errorf("%q reads as %q", a, text)
		}
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

func TestFilesOfOneIDAreOneLesson(t *testing.T) {
	file := func(path, id string, seen Seen) *Lesson {
		return &Lesson{ID: id, Kind: Warning, Priority: 5, Status: Draft, Path: path, Title: path, Seen: seen}
	}
	all := []*Lesson{file("a.md", "1", met("s1")), file("b.md", "2", met("s2")), file("c.md", "1", met("s3")), file("d.md", "", met("s4")), file("e.md", "", met("s5"))}
	all[2].Status, all[2].ReviewedAt = Active, "2026-02-01" // promoted: its words hold
	for _, c := range []struct {
		name    string
		trusted string
		want    string
	}{
		{"all are trusted", "abcde", "b.md draft 1, c.md active 2, d.md draft 1, e.md draft 1"},
		{"none is", "", "b.md draft 1, c.md active 2, d.md draft 1, e.md draft 1"},
		{"one that is not says nothing", "ab", "a.md draft 1, b.md draft 1, d.md draft 1, e.md draft 1"},
	} {
		var got []string
		for _, l := range Together(all, func(l *Lesson) bool { return strings.Contains(c.trusted, l.Path[:1]) }) {
			got = append(got, fmt.Sprintf("%s %s %d", l.Title, l.Status, l.Seen.Sessions))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
	if all[0].Seen.Sessions != 1 {
		t.Error("what was read changed")
	}
}
