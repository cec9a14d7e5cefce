package state

import (
	"fmt"
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// met is an observation of an error and its fix, from sessions.
func met(sessions ...string) *observe.Observation {
	return &observe.Observation{
		Type: knowledge.Pitfall, Origin: observe.OriginErrorFix, Marks: []observe.Mark{observe.MarkErrorFix},
		Mistake: "m", Fix: "f", Observations: len(sessions), Sessions: sessions,
	}
}

func seen(sessions ...string) lesson.Seen {
	return lesson.Seen{Sessions: len(sessions), Hashes: sessions}
}

func TestReadyWithoutQualityDoesNotSuffice(t *testing.T) {
	o := met("a", "b")
	o.Status = observe.Ready
	for _, c := range []struct {
		quality  bool
		recorded string
		want     bool
	}{{true, "", true}, {false, "", false}, {false, observe.RecordedManual, true}} {
		o.QualityOK, o.Recorded = c.quality, c.recorded
		if Suffices(o, config.Default().Thresholds) != c.want {
			t.Errorf("quality %v, recorded %q: %v", c.quality, c.recorded, !c.want)
		}
	}
}

func TestStateOfALesson(t *testing.T) {
	draft := lesson.Lesson{Status: lesson.Draft, Priority: 2, Confidence: 0.6, Seen: seen("a"), Source: "obs_x"}
	row := manifest.Row{Status: lesson.Draft, Priority: 2, N: 1}
	for _, c := range []struct {
		name   string
		change func(*Case, *lesson.Lesson, *manifest.Row)
		want   string // status, priority, confidence and sessions
	}{
		{"met once", func(*Case, *lesson.Lesson, *manifest.Row) {}, "draft 2 0.60 1"},
		{"met by the same session here", func(c *Case, _ *lesson.Lesson, _ *manifest.Row) { c.Observation = met("a") }, "draft 2 0.60 1"},
		{"a colleague's draft, and one session here", func(c *Case, _ *lesson.Lesson, _ *manifest.Row) { c.Observation = met("b") }, "active 5 0.70 2"},
		{"a file that two clones joined, in a third clone", func(_ *Case, l *lesson.Lesson, _ *manifest.Row) { l.Seen = seen("a", "b") }, "active 5 0.70 2"},
		{"an untrusted file and evidence here", func(c *Case, _ *lesson.Lesson, _ *manifest.Row) {
			c.Trusted, c.Observation = func() bool { return false }, met("b")
		}, "draft 2 0.60 1"},
		{"evidence here that a person retired", func(c *Case, _ *lesson.Lesson, _ *manifest.Row) {
			c.Observation = met("b")
			c.Observation.Status = observe.Deprecated
		}, "draft 2 0.60 2"},
		{"promoted", func(_ *Case, l *lesson.Lesson, _ *manifest.Row) { l.Status = lesson.Active }, "active 4 0.85 1"},
		{"promoted, and met again: evidence goes on", func(c *Case, l *lesson.Lesson, _ *manifest.Row) {
			l.Status, c.Observation = lesson.Active, met("b", "c")
		}, "active 5 0.85 3"},
		{"promoted with a low priority of the person's", func(c *Case, l *lesson.Lesson, _ *manifest.Row) {
			l.Status, l.Priority, c.Observation = lesson.Active, 1, met("b", "c")
		}, "active 1 0.85 3"},
		{"a priority of the person's, and evidence", func(c *Case, l *lesson.Lesson, _ *manifest.Row) {
			l.Priority, c.Observation = 9, met("b")
		}, "active 9 0.70 2"},
		{"made a draft by a person, and met again", func(c *Case, _ *lesson.Lesson, r *manifest.Row) {
			r.Status, c.Observation = lesson.Active, met("b", "c")
		}, "draft 5 0.70 3"},
		{"archived", func(c *Case, l *lesson.Lesson, _ *manifest.Row) { l.Status, c.Observation = lesson.Archived, met("b") }, "archived 2 0.60 1"},
		{"back after a removal", func(c *Case, l *lesson.Lesson, _ *manifest.Row) {
			l.Returned, c.Observation = "removed by Ann", met("b", "c")
		}, "draft 2 0.60 3"},
		{"back after a removal, and promoted", func(c *Case, l *lesson.Lesson, _ *manifest.Row) {
			l.Returned, l.Status, c.Observation = "removed by Ann", lesson.Active, met("b")
		}, "active 4 0.85 2"},
		{"a row of an earlier version, promoted", func(_ *Case, l *lesson.Lesson, r *manifest.Row) {
			r.Status, r.Priority, l.Status, l.ReviewedAt = "", 0, lesson.Active, "2026-01-01"
		}, "active 4 0.85 1"},
		{"a row of an earlier version, and evidence", func(c *Case, _ *lesson.Lesson, r *manifest.Row) {
			r.Status, r.Priority, c.Observation = "", 0, met("b")
		}, "active 5 0.70 2"},
		{"nobody knows what was rendered", func(c *Case, _ *lesson.Lesson, _ *manifest.Row) { c.Row, c.Observation = nil, met("b") }, "draft 2 0.60 1"},
	} {
		l, r := draft, row
		made := Case{Lesson: &l, Row: &r, Trusted: func() bool { return true }, Config: config.Default()}
		c.change(&made, &l, &r)
		s := Of(made)
		if got := fmt.Sprintf("%s %d %.2f %d", s.Status, s.Priority, s.Confidence, s.Seen.Sessions); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestPromotingAnObservationVouchesForIt(t *testing.T) {
	o := met("a")
	observe.PromoteByHand(o)
	if s := OfEvidence(o, o.Seen(), config.Default()); s.Status != lesson.Active || s.Confidence != 0.85 || s.Priority != 4 {
		t.Errorf("%+v", s)
	}
}

func TestStatusOfAnEntry(t *testing.T) {
	row := &manifest.Row{Status: entry.StatusProposed}
	once := &observe.Observation{Type: knowledge.Decision, QualityOK: true, Status: observe.Observing, Observations: 1}
	twice := &observe.Observation{Type: knowledge.Decision, QualityOK: true, Status: observe.Created, Observations: 2}
	retired := &observe.Observation{Type: knowledge.Decision, QualityOK: true, Status: observe.Deprecated, Observations: 2}
	byHand := &observe.Observation{Type: knowledge.Decision, Recorded: observe.RecordedManual, Status: observe.Created, Observations: 1}
	for _, c := range []struct {
		name, status, returned string
		row                    *manifest.Row
		o                      *observe.Observation
		want                   string
	}{
		{"one session", "Proposed", "", row, once, "Proposed"},
		{"two sessions", "Proposed", "", row, twice, "Accepted"},
		{"a person's promotion", "Proposed", "", row, byHand, "Accepted"},
		{"no evidence here", "Proposed", "", row, nil, "Proposed"},
		{"retired evidence", "Proposed", "", row, retired, "Proposed"},
		{"a person's words", "Proposed (later)", "", row, twice, "Proposed (later)"},
		{"a person's own entry", "Proposed", "", nil, twice, "Proposed"},
		{"made a proposal by a person", "Proposed", "", &manifest.Row{}, twice, "Proposed"},
		{"accepted by a person", "Accepted", "", row, once, "Accepted"},
		{"rejected by a person", "Rejected", "", row, twice, "Rejected"},
		{"back after a removal", "Proposed", "removed by Ann", row, twice, "Proposed"},
	} {
		e := entry.Entry{Fields: []entry.Field{{Name: entry.FieldStatus, Value: c.status}, {Name: entry.FieldReturned, Value: c.returned}}}
		if got := OfEntry(e, c.row, c.o, observe.DefaultThresholds()); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
