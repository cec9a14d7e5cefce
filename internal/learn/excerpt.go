package learn

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/redact"
)

// maxExcerpt is how long the excerpts of one episode may be, and longest how long what
// stands in one step, in bytes after redaction.
const maxExcerpt = 3000

var longest = map[string]int{"person": 700, "agent": 400, "call": 350, "result": 250, "failed": 450}

// tell writes the steps that matter most, in their order, in at most n bytes. Of a long
// text it shows where it holds one of the quotes.
func (x Excerpt) tell(n int, quotes []string, r *redact.Redactor) []redact.Text {
	told := map[int][]redact.Text{}
	for _, i := range x.byWeight(quotes) {
		s, size := x.Steps[i], 0
		var lines []redact.Text
		for _, part := range [][2]string{{s.Who, s.Text}, {s.Ended, cmp.Or(s.Said, "(nothing)")}} {
			if who := part[0]; who != "" {
				line := who + ": " + shown(r.Text(plain.Visible(part[1])), longest[who], quotes)
				lines, size = append(lines, redact.Stored(line)), size+len(line)+1
			}
		}
		if n -= size; n < 0 {
			break
		}
		told[i] = lines
	}
	var all []redact.Text
	last := -1
	for _, i := range slices.Sorted(maps.Keys(told)) {
		if last >= 0 && i > last+1 {
			all = append(all, redact.Stored("…")) // steps are left out
		}
		all, last = append(all, told[i]...), i
	}
	return all
}

// byWeight lists the steps, those that matter most first: where something was found and
// what was quoted, the request before it, then what failed, what people said, and what
// is near.
func (x Excerpt) byWeight(quotes []string) []int {
	request := x.At - 1
	for request >= 0 && x.Steps[request].Who != "person" {
		request--
	}
	weight, order := make([]int, len(x.Steps)), make([]int, len(x.Steps))
	for i, s := range x.Steps {
		w := 2 * (x.At - i)
		if i > x.At {
			w = 3 * (i - x.At)
		}
		switch {
		case i == x.At, i == request:
			w = 0
		case holding(spaced(s.Said), quotes) >= 0, holding(spaced(s.Text), quotes) >= 0:
			w /= 6
		case s.Ended == "failed", s.Who == "person":
			w /= 2
		}
		weight[i], order[i] = w, i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight[a], weight[b]) })
	return order
}

// holding is where a text on one line holds the first of some quotes that it has; below
// 0: it has none.
func holding(text string, quotes []string) int {
	for _, q := range quotes {
		if q = spaced(strings.TrimRight(q, "…")); q != "" {
			if at := strings.Index(text, q); at >= 0 {
				return at
			}
		}
	}
	return -1
}

// shown is a text on one line and in at most n bytes, about: what stands around a quote,
// else its beginning and its end.
func shown(text redact.Text, n int, quotes []string) string {
	s := spaced(text.String())
	if len(s) <= n {
		return s
	}
	if at := holding(s, quotes); at > n/2 {
		from := runeAt(s, at-n/4)
		return "… " + redact.Stored(s[from:]).Cut(n).String()
	} else if at >= 0 {
		return redact.Stored(s).Cut(n).String()
	}
	return redact.Stored(s).Cut(n-n/3).String() + " " + s[runeAt(s, len(s)-n/3):]
}

// runeAt is where the character begins that a place lies in.
func runeAt(s string, at int) int {
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}
