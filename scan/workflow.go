package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// workflows finds messages in which the person describes steps in their order.
// One description is a request; the thresholds of the log make a workflow of it
// when it comes back in other sessions. Therefore its title is made of what the
// steps come down to and not of their words.
type workflows struct{}

func (workflows) Detect(w *Window) []finding {
	sp, ok := userSignal(w)
	if !ok || sp.plan {
		return nil
	}
	d := describe(sp.words)
	if d == nil {
		return nil
	}
	s := w.Last()
	out := finding{
		kind: Workflow, typ: knowledge.Workflow, origin: observe.OriginUserCorrection,
		line: s.Line, at: s.Time, title: capitalised(d.title()), fix: strings.Join(d.texts(), "; "),
		items: d.texts(), quotes: []string{d.quote},
	}
	if !d.reusable() {
		out.unfit = "its steps are those of one task"
	}
	if d.howTo {
		out.typ = knowledge.Procedural
	}
	return []finding{out}
}

// A description is an ordered list of steps in a person's words.
type description struct {
	steps []step
	quote string // the words that give the steps
	habit bool   // said to hold beyond this task
	howTo bool   // "to add an endpoint: …"
}

// maxStepped bounds the words that are looked at; what stands behind them is the
// matter that is worked on.
const (
	maxStepped = 8 << 10
	maxSteps   = 12
)

// describe reads the ordered steps of a message, or nil. The items of a list
// count when they are steps, and so do the clauses of sentences that say their
// order. Sentences that tell what happens, ask or set conditions do not count.
func describe(words string) *description {
	words = firstBytes(words, maxStepped)
	if at := workflowPatterns().heading.FindStringIndex(words); at != nil && at[0] > 0 {
		if d := describeSteps(words[:at[0]]); d != nil {
			return d // what stands under the headings is worked on
		}
	}
	return describeSteps(words)
}

// describeSteps reads the steps of words without headings.
func describeSteps(words string) *description {
	if d := listed(words); d != nil {
		return d
	}
	p := workflowPatterns()
	d := &description{howTo: p.howTo.MatchString(words)}
	ordered := 0
	var said []string
	for line := range strings.Lines(words) {
		line = strings.TrimSpace(line)
		if p.item.MatchString(line) || strings.HasPrefix(line, "#") {
			continue // what is worked on
		}
		for s := range statement.Sentences(line) {
			if strings.HasSuffix(s, "?") || p.subject.MatchString(s) && !strings.Contains(s, ":") {
				continue
			}
			marks := p.order.Count(s)
			var steps []step
			for _, c := range clausesOf(s) {
				if st, ok := stepOf(c); ok {
					steps = append(steps, st)
				}
			}
			if len(steps) == 0 || marks == 0 && len(steps) < 3 && (ordered == 0 || !steps[0].known()) {
				continue
			}
			ordered += marks
			if marks == 0 && len(steps) >= 4 {
				ordered++ // a chain of that length is in order
			}
			if p.habit.MatchString(s) || strings.Contains(s, "process:") {
				d.habit = true
			}
			d.steps = append(d.steps, steps...)
			said = append(said, s)
		}
	}
	d.tidy()
	if ordered == 0 || len(d.steps) < 2 || len(d.steps) == 2 && ordered < 2 && !d.habit && !(d.steps[0].known() && d.steps[1].known()) {
		return nil
	}
	d.quote = strings.Join(said, " ")
	return d
}

// listed reads a numbered or dotted list of steps, or one in a line.
func listed(words string) *description {
	p := workflowPatterns()
	d := &description{quote: words, habit: p.habit.MatchString(words), howTo: p.howTo.MatchString(words)}
	items, numbered, known := 0, 0, 0
	take := func(text string) {
		items++
		first, _, _ := strings.Cut(text, ". ")
		if st, ok := stepOf(first); ok && !strings.HasSuffix(first, "?") {
			d.steps = append(d.steps, st)
			if st.known() {
				known++
			}
		}
	}
	for line := range strings.Lines(words) {
		if m := p.item.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			if m[1] != "" {
				numbered++
			}
			take(m[2])
		}
	}
	if items < 2 {
		if parts := p.inline.Split(words, -1); len(parts) > 3 {
			d.steps, items, known = nil, 0, 0
			for _, part := range parts[1:] {
				take(part)
			}
			numbered = items
		}
	}
	if len(d.steps) < 3 || 3*len(d.steps) < 2*items {
		return nil
	}
	if numbered < items && 2*known < items {
		return nil // dots without numbers list things, unless they are steps
	}
	d.tidy()
	return d
}

// tidy takes out steps that come again and bounds their number.
func (d *description) tidy() {
	var kept []step
	seen := map[string]bool{}
	for _, s := range d.steps {
		if !seen[s.key] && len(kept) < maxSteps {
			seen[s.key] = true
			kept = append(kept, s)
		}
	}
	d.steps = kept
}

// reusable says whether a description is worth being kept as a way of working:
// it is said to hold in general, or most of its steps are of no single task.
func (d *description) reusable() bool {
	known := lists.Count(d.steps, step.known)
	return len(d.steps) >= 3 && (d.habit || 3*known >= 2*len(d.steps))
}

func (d *description) title() string {
	return strings.Join(lists.Map(d.steps, func(s step) string { return s.key }), ", ")
}

func (d *description) texts() []string {
	return lists.Map(d.steps, func(s step) string { return capitalised(s.text) })
}
