package tally

import (
	"fmt"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// A lesson that no call matched in 90 days, while its program ran at least 20 times, is of
// no use. A young one, a matched one, and one whose program hardly ran are left alone.
func TestUnmatchedLessons(t *testing.T) {
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	day := 24 * time.Hour
	ran := func(input string, n int, at time.Time) calls.Session {
		s := calls.Session{Name: input}
		for i := range n {
			s.Calls = append(s.Calls, calls.Call{ID: fmt.Sprint(i), Tool: "Bash", Input: input, Outcome: calls.OK, At: at.UnixMilli() + int64(i)})
		}
		return s
	}
	for _, c := range []struct {
		name, created string
		log           []calls.Session
		want          int
	}{
		{"its program ran, and no call matched", "2026-01-01", []calls.Session{ran("x --some", 20, now.Add(-day))}, 20},
		{"its program ran too rarely", "2026-01-01", []calls.Session{ran("x --some", 19, now.Add(-day))}, 0},
		{"another program ran", "2026-01-01", []calls.Session{ran("y --some", 40, now.Add(-day))}, 0},
		{"a call matched", "2026-01-01", []calls.Session{ran("x --some", 20, now.Add(-day)), ran("x --all", 1, now.Add(-day))}, 0},
		{"a call matched long ago", "2026-01-01", []calls.Session{ran("x --some", 20, now.Add(-day)), ran("x --all", 1, now.Add(-91*day))}, 20},
		{"its program ran long ago", "2026-01-01", []calls.Session{ran("x --some", 40, now.Add(-91*day))}, 0},
		{"it is young", "2026-06-01", []calls.Session{ran("x --some", 40, now.Add(-day))}, 0},
	} {
		l := lessonOf("l")
		l.Created = c.created
		if got := Unmatched([]*lesson.Lesson{l}, c.log, now)[0]; got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
