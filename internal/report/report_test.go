package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/review"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/internal/test/kit"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

// of is a report about n problems, lessons and waiting items.
func of(n int, name string) Report {
	r := Report{Project: name, Made: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), Sessions: n, Calls: 40 * n, Active: n, Decisions: n, Pitfalls: n}
	for i := range n {
		title := fmt.Sprintf("%s %d", name, i)
		r.Problems = append(r.Problems, Problem{title, "named", n - i, 1 + i%7, float64((n - i) * 3), title, title, i % 5})
		r.Effects = append(r.Effects, Effect{title, title, tally.Account{Standing: tally.Stops, Fired: n - i, Heeded: (n - i) / 2, RepeatedFailed: i % 3, Succeeded: i % 2, Failed: 1}})
		r.Waiting = append(r.Waiting, review.Item{Title: title, Name: title, Reasons: []review.Reason{{Why: review.Draft, Text: title}}})
	}
	for i := range min(n, maxWeeks) {
		r.Weeks = append(r.Weeks, Week{kit.Day(7 * i), 1 + i*5%7, i * 3 % 4, i})
	}
	return r
}

func html(t *testing.T, r Report) string {
	t.Helper()
	var page bytes.Buffer
	if err := HTML(&page, r); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

func TestReportOfAnySize(t *testing.T) {
	for n, says := range map[int][]string{
		0:    {"No sessions were read yet", "<code>lessons scan</code>", "<code>lessons add</code>", "Nothing waits."},
		3:    {"120 calls in 3 sessions", "Covered by", "The same as a table", `class="prevented"`},
		3000: {"3\u202f000 sessions", "And 2\u202f975 more: <code>lessons problems -n 0</code>", "And 2\u202f900 more"},
	} {
		page := html(t, of(n, "shop"))
		if err := kit.ValidPage(page); err != nil {
			t.Errorf("%d: %v", n, err)
		}
		if len(page) > 2<<20 {
			t.Errorf("%d: %d bytes", n, len(page))
		}
		for _, text := range says {
			if !strings.Contains(page, text) {
				t.Errorf("%d: it does not say %q", n, text)
			}
		}
		for _, from := range []string{"<script", "<link", "<img", "@import", "url(", "http:", "https:", "//"} {
			if strings.Contains(page, from) {
				t.Errorf("%d: the page needs something else: %q", n, from)
			}
		}
		if text := Markdown(of(n, "shop")); len(text) > 1<<16 || n == 0 && !strings.Contains(string(text), "Nothing.") {
			t.Errorf("%d: %d bytes of Markdown", n, len(text))
		}
	}
}

// The pages of `lessons serve` add templates of their own after a report was written.
func TestPagesTakeOtherTemplatesAfterAReport(t *testing.T) {
	if err := HTML(io.Discard, Report{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Pages().New("other").Parse(`<p>{{template "page.html" .}}</p>`); err != nil {
		t.Error(err)
	}
}

// Titles are words of sessions: none is markup, and none hides anything.
func TestReportHoldsHostileText(t *testing.T) {
	hostile := "</td><script>alert(1)</script><img src=x onerror=a> \"'`|--> \x1b[31m\u202e"
	page := html(t, of(3, hostile))
	if err := kit.ValidPage(page); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"<script", "<img", "onerror=a>", "\x1b", "\u202e"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	for line := range strings.Lines(string(Markdown(of(3, hostile)))) {
		if strings.HasPrefix(line, "| ") && strings.ContainsAny(line, "\x1b\u202e") || strings.HasPrefix(line, "| `") && strings.Count(line, "|")-strings.Count(line, `\|`) < 6 {
			t.Errorf("a line of Markdown: %q", line)
		}
	}
}

// A mistake is met by the first session that makes it, and repeated by each later one; one
// call that two lessons stopped was prevented once.
func TestWeeksCount(t *testing.T) {
	at := func(day int, id string) *calls.Call { return &calls.Call{ID: id, At: kit.Day(day).UnixMilli()} }
	one := &problem.Problem{Failures: []problem.Failure{
		{Session: "a", Call: at(0, "1")}, {Session: "a", Call: at(0, "2")}, {Session: "b", Call: at(8, "1")}, {Session: "c", Call: at(22, "1")}, {Session: "d", Call: &calls.Call{}},
	}}
	stopped := []tally.Match{{Session: "e", Call: at(23, "1")}, {Session: "e", Call: at(23, "1")}, {Session: "e", Call: at(23, "2")}}
	var got []string
	for _, w := range Weeks([]*problem.Problem{one}, stopped) {
		got = append(got, strings.TrimSpace(fmt.Sprintln(w.From.Format(time.DateOnly), w.From.Weekday(), w.Met, w.Repeated, w.Prevented)))
	}
	want := []string{"2026-02-23 Monday 1 0 0", "2026-03-02 Monday 0 0 0", "2026-03-09 Monday 0 1 0", "2026-03-16 Monday 0 0 0", "2026-03-23 Monday 0 1 2"}
	if !slices.Equal(got, want) {
		t.Errorf("weeks: %q", got)
	}
	if Weeks(nil, nil) != nil {
		t.Error("nothing happened, and there are weeks")
	}
}

func TestChartStaysInItsBox(t *testing.T) {
	for _, n := range []int{0, 1, 4, 5, 99, 123456} {
		c := drawn([]Week{{From: kit.Day(0), Met: n}, {From: kit.Day(7), Repeated: n, Prevented: n}})
		for _, b := range c.Bars {
			if b.Y < 0 || b.Y+b.Height > c.Base+1 || b.X < c.Left || b.X+b.Width > c.Width {
				t.Errorf("%d: a bar outside: %+v", n, b)
			}
		}
		if len(c.Lines) < 2 || len(c.Lines) > 6 {
			t.Errorf("%d: %d lines", n, len(c.Lines))
		}
	}
}
