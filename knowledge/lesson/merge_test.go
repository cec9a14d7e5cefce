package lesson

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// version is a lesson as one clone has it.
func version(change func(*Lesson)) []byte {
	l := &Lesson{
		ID: "01J", Kind: Warning, Priority: 2, Status: Draft, Confidence: 0.6, Action: ActionAuto, Source: "obs_x", Created: "2026-01-02",
		Triggers: Trigger{Commands: []string{"npm test"}}, Title: "npm test waits", Body: "It waits.\n\n**Fix**: CI=1 npm test\n",
	}
	change(l)
	return l.Format()
}

func met(sessions ...string) Seen {
	return Seen{Sessions: len(sessions), Hashes: sessions}.Join(Seen{})
}

func TestMergeOfLessons(t *testing.T) {
	base := version(func(l *Lesson) { l.Seen = met("a") })
	for _, c := range []struct {
		name         string
		base         []byte
		ours, theirs func(*Lesson)
		want         string // in the result
		fails        error
	}{
		{"two clones that met it once each", nil, func(l *Lesson) { l.Seen = met("a") }, func(l *Lesson) { l.Seen = met("b") }, "sessions: 2, hashes: [a, b]", nil},
		{"evidence and a person's words", base, func(l *Lesson) { l.Seen = met("a", "b") }, func(l *Lesson) { l.Seen, l.Title = met("a"), "Better" }, "# Better", nil},
		{"evidence stays with a person's words", base, func(l *Lesson) { l.Seen = met("a", "b") }, func(l *Lesson) { l.Seen, l.Title = met("a"), "Better" }, "hashes: [a, b]", nil},
		{"promoted there", base, func(l *Lesson) { l.Seen = met("a", "b") }, func(l *Lesson) { l.Status, l.ReviewedAt = Active, "2026-02-01" }, "status: active", nil},
		{"made a draft by one, and met by the other", version(func(l *Lesson) { l.Status = Active }), func(l *Lesson) {}, func(l *Lesson) { l.Status, l.Seen = Active, met("b") }, "status: draft", nil},
		{"a reviewed wording over a rendered one", nil, func(l *Lesson) { l.Title, l.ReviewedAt = "A", "2026-02-01" }, func(l *Lesson) { l.Title = "B" }, "# A", nil},
		{"both reworded it", base, func(l *Lesson) { l.Title = "One" }, func(l *Lesson) { l.Title = "Two" }, "", ErrWords},
	} {
		ours, theirs := version(c.ours), version(c.theirs)
		got, err := Merge("x.md", c.base, ours, theirs)
		if !errors.Is(err, c.fails) || !strings.Contains(string(got), c.want) {
			t.Errorf("%s: %v\n%s\nlacks %q", c.name, err, got, c.want)
		}
		if again, _ := Merge("x.md", c.base, theirs, ours); string(again) != string(got) {
			t.Errorf("%s: the sides matter:\n%s\n%s", c.name, got, again)
		}
	}
	if _, err := Merge("x.md", nil, version(func(l *Lesson) {}), version(func(l *Lesson) { l.ID = "01K" })); err == nil {
		t.Error("two lessons of one name were joined")
	}
}

// Whatever the order in which N clones are merged, the file is the same.
func TestMergeOfClonesIsAJoin(t *testing.T) {
	some := func(t *rapid.T) []byte {
		return version(func(l *Lesson) {
			l.Seen = someSeen(t)
			l.Title = rapid.SampledFrom([]string{"npm test waits", "npm test hangs"}).Draw(t, "title")
			l.Status = rapid.SampledFrom([]string{Draft, Active, Archived}).Draw(t, "status")
			l.Priority = rapid.IntRange(1, 10).Draw(t, "priority")
			l.Created = rapid.SampledFrom([]string{"", "2026-01-02", "2026-01-03"}).Draw(t, "created")
			l.Tags = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a:b", "c:d"}), 0, 2, rapid.ID).Draw(t, "tags")
			l.Quotes = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"q1", "q2", "q3"}), 0, 2, rapid.ID).Draw(t, "quotes")
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := some(t), some(t), some(t)
		merge := func(x, y []byte) []byte {
			out, err := Merge("x.md", nil, x, y)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		if x, y := merge(a, b), merge(b, a); string(x) != string(y) {
			t.Errorf("not commutative:\n%s\n%s", x, y)
		}
		if x, y := merge(merge(a, b), c), merge(a, merge(b, c)); string(x) != string(y) {
			t.Errorf("not associative:\n%s\n%s", x, y)
		}
		if x, y := merge(merge(a, b), b), merge(a, b); string(x) != string(y) {
			t.Errorf("not idempotent:\n%s\n%s", x, y)
		}
	})
}
