package replay

import (
	"slices"
	"time"

	"github.com/lessons-cli/lessons/knowledge/problem"
)

// repeat is a failure whose problem earlier sessions could have taught.
type repeat struct {
	problem string
	heard   bool // the agent asks a hook before the call
	stopped bool
	led     bool
	late    bool // told at the call itself
	atStart bool
	listed  bool // a lesson on it was active, so that a file of all lessons has it
}

// stop is a call that the hooks held back or changed.
type stop struct {
	lessons []string
	verdict string
}

// scored is what became of one session.
type scored struct {
	calls, failures int
	repeats         []repeat
	stops           []stop
	bytes, atStart  int
	listed          int // bytes of all active lessons
}

// soonKnown is in how many sessions a problem is met before it counts as known
// without a mend.
const soonKnown = 3

// history is what became of the sessions of one repository.
type history struct {
	name     string
	met      map[string]int  // sessions, of each problem
	mended   map[string]bool // of problems, in sessions that ended so far
	problems map[string]*problem.Problem
	titles   map[string]string // of lessons
	scores   []*scored
}

// judge holds what the hooks said in each session against the labels. A session knows
// of problems what the sessions that had ended before it began had met.
func judge(played []*player, l *labels, titles map[string]string) *history {
	h := &history{met: map[string]int{}, mended: map[string]bool{}, problems: l.problems, titles: titles}
	var under []*player // played, and not ended when the last one began
	for _, p := range played {
		under = h.end(under, p.session.start, l)
		h.scores = append(h.scores, h.score(p, l))
		under = append(under, p)
	}
	for _, p := range under {
		h.learn(p, l)
	}
	return h
}

// end learns from the sessions that ended before a time, and returns the others.
func (h *history) end(under []*player, before time.Time, l *labels) []*player {
	var others []*player
	for _, p := range under {
		if p.session.end.Before(before) {
			h.learn(p, l)
		} else {
			others = append(others, p)
		}
	}
	return others
}

// learn adds the problems that a session met.
func (h *history) learn(p *player, l *labels) {
	met := map[string]bool{}
	for _, c := range p.calls {
		for _, id := range l.met[c.name] {
			met[id] = true
			h.mended[id] = h.mended[id] || l.remedied[c.name]
		}
	}
	for id := range met {
		h.met[id]++
	}
}

// known says whether earlier sessions could have taught the problem.
func (h *history) known(id string) bool {
	n := h.met[id]
	return n > 0 && h.mended[id] || n >= soonKnown
}

func (h *history) score(p *player, l *labels) *scored {
	s := &scored{bytes: p.bytes, atStart: p.atStart, listed: p.listedBytes}
	for _, c := range p.calls {
		s.calls++
		if c.stopped.mode != "" {
			s.stops = append(s.stops, stop{c.stopped.lessons, verdictOn(l.calls[c.name])})
		}
		if len(l.met[c.name]) > 0 {
			s.failures++
		}
		for _, id := range l.met[c.name] {
			if !h.known(id) {
				continue
			}
			r := repeat{problem: id, heard: c.heard, stopped: c.stopped.mode != ""}
			isFor := func(lesson string) bool { return lesson == id || l.lessons[lesson][id] }
			r.led, r.late, r.atStart = c.met(slices.Concat(c.about, l.filesOf(c.name)), isFor)
			for _, lesson := range p.listed {
				r.listed = r.listed || isFor(lesson)
			}
			s.repeats = append(s.repeats, r)
		}
	}
	for i := range p.decisions {
		p.decisions[i].label(l)
	}
	return s
}

// label adds what the recording says of the call.
func (d *Decision) label(l *labels) {
	if d.of == nil {
		return
	}
	if c := l.calls[d.of.name]; c != nil {
		d.Outcome, d.Problems = string(c.Outcome), l.met[d.of.name]
		if d.Event == "PreToolUse" && d.Mode != "context" {
			d.Verdict = verdictOn(c)
		}
	}
}
