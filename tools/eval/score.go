package main

import "strings"

// finding is what a detector claims, ours or one of the seeds'.
type finding struct {
	File        string
	Line        int
	ErrorLine   int // noLine: none
	Kind        string
	Observation string
	Words       string
}

const noLine = -1

// labelKind translates the names that scan gives its kinds.
var labelKind = map[string]string{
	"error-fix": "error_correction", "retry": "retry_loop", "hang": "hang_timeout", "self-diagnosis": "self_diagnosis",
	"user-correction": "user_correction", "procedural": "workflow", "rejection": "user_correction",
}

func kindOf(name string) string {
	if k, ok := labelKind[name]; ok {
		return k
	}
	return name
}

const toolErrors = "tool errors"

// family joins the kinds that are views of one event: an error that was mended
// may as well be seen as a loop of tries or as what the agent says about it.
func family(kind string) string {
	switch kind {
	case "error_correction", "retry_loop", "self_diagnosis", "hang_timeout":
		return toolErrors
	}
	return kind
}

// How far a finding may lie from its event. In sessions that are one object,
// positions count messages.
const (
	nearLines    = 6
	nearMessages = 3
)

func tolerance(file string) int {
	if strings.HasSuffix(file, ".json") {
		return nearMessages
	}
	return nearLines
}

// hits says whether a finding means a label: its kind is of the family, and one
// of its lines is near to one of the label's.
func (l label) hits(f finding) bool {
	if family(f.Kind) != family(l.Kind) {
		return false
	}
	if f.near(l.File, l.Line) {
		return true
	}
	return l.ErrorLine != nil && f.near(l.File, *l.ErrorLine)
}

func (f finding) near(file string, line int) bool {
	t := tolerance(file)
	return abs(f.Line-line) <= t || f.ErrorLine != noLine && abs(f.ErrorLine-line) <= t
}

func abs(n int) int { return max(n, -n) }

// share is a part of a whole.
type share struct{ n, of int }

func (s share) plus(o share) share { return share{s.n + o.n, s.of + o.of} }

func (s *share) count(yes bool) {
	s.of++
	if yes {
		s.n++
	}
}

func (s share) value() float64 {
	if s.of == 0 {
		return 0
	}
	return float64(s.n) / float64(s.of)
}

// tally is how findings compare with the labels of some sessions. Tallies of
// single sessions add up to that of all.
type tally struct {
	recall    map[string]share // by kind of the label, and by family for tool errors
	all       share
	worth     share            // recall of events worth a lesson
	precision map[string]share // by family of the finding
	negatives share            // ranges with at least one finding that is no event
}

func newTally() tally {
	return tally{recall: map[string]share{}, precision: map[string]share{}}
}

func (t *tally) add(o tally) {
	for k, s := range o.recall {
		t.recall[k] = t.recall[k].plus(s)
	}
	for k, s := range o.precision {
		t.precision[k] = t.precision[k].plus(s)
	}
	t.all, t.worth, t.negatives = t.all.plus(o.all), t.worth.plus(o.worth), t.negatives.plus(o.negatives)
}

func sum(tallies []tally) tally {
	all := newTally()
	for _, t := range tallies {
		all.add(t)
	}
	return all
}

// scoreFile compares the findings of one labelled session.
func (c *corpus) scoreFile(file string, found []finding) tally {
	t := newTally()
	var labels []label
	for _, l := range c.labels {
		if l.File != file {
			continue
		}
		labels = append(labels, l)
		hit := l.among(found)
		t.count(t.recall, l.Kind, hit)
		if family(l.Kind) != l.Kind {
			t.count(t.recall, family(l.Kind), hit)
		}
		t.all.count(hit)
		if l.Worth {
			t.worth.count(hit)
		}
	}
	for _, f := range found {
		t.count(t.precision, family(f.Kind), f.among(labels))
	}
	for _, n := range c.negatives {
		if n.File == file {
			t.negatives.count(n.fooled(found, labels))
		}
	}
	return t
}

func (t *tally) count(shares map[string]share, key string, yes bool) {
	s := shares[key]
	s.count(yes)
	shares[key] = s
}

func (l label) among(found []finding) bool {
	for _, f := range found {
		if l.hits(f) {
			return true
		}
	}
	return false
}

func (f finding) among(labels []label) bool {
	for _, l := range labels {
		if l.hits(f) {
			return true
		}
	}
	return false
}

// fooled says whether a finding lies in the range and means no label.
func (n negative) fooled(found []finding, labels []label) bool {
	for _, f := range found {
		if n.From <= f.Line && f.Line <= n.To && !f.among(labels) {
			return true
		}
	}
	return false
}
