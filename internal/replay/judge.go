package replay

import (
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/scan"
)

// repeat is a failing call whose problem earlier sessions could have taught.
type repeat struct {
	problem string
	heard   bool // the agent asks a hook before it
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
	met             map[string]bool // problems
	repeats         []repeat
	stops           []stop
	bytes, atStart  int
	listed          int // bytes of all active lessons
}

// history is what sessions that ended had met.
type history struct {
	sessions map[string]int             // of each problem
	remedied map[string]bool            // it was mended, or a person spoke of it
	problems map[string]*problem        // all that were met
	links    map[string]map[string]bool // observation to the problems that it was learned from
	lessons  map[string]map[string]bool // lesson to problems
	titles   map[string]string          // of lessons
}

func newHistory() *history {
	return &history{
		sessions: map[string]int{}, remedied: map[string]bool{}, problems: map[string]*problem{},
		links: map[string]map[string]bool{}, lessons: map[string]map[string]bool{}, titles: map[string]string{},
	}
}

// soonKnown is in how many sessions a problem is met before it counts as known
// without a mend.
const soonKnown = 3

// preventable says whether earlier sessions could have taught the problem.
func (h *history) preventable(problem string) bool {
	n := h.sessions[problem]
	return n > 0 && h.remedied[problem] || n >= soonKnown
}

// score holds what the hooks said in a session against what was known before it.
func (h *history) score(p *player, listed []*lesson.Lesson) *scored {
	s := &scored{met: map[string]bool{}, bytes: p.bytes, atStart: p.atStart}
	for _, l := range listed {
		s.listed += len("- \n") + len(l.Shown())
	}
	for id, what := range p.problems {
		if h.problems[id] == nil {
			h.problems[id] = what
		}
	}
	for _, c := range p.calls {
		s.calls++
		if c.stopped.mode != "" {
			s.stops = append(s.stops, stop{c.stopped.lessons, c.verdict()})
		}
		if c.outcome != failed {
			continue
		}
		s.failures++
		s.met[c.problem] = true
		if !h.preventable(c.problem) {
			continue
		}
		r := repeat{problem: c.problem, heard: c.heard, stopped: c.stopped.mode != ""}
		isFor := func(lesson string) bool { return h.lessons[lesson][c.problem] }
		r.led, r.late, r.atStart = c.heardOf(isFor)
		for _, l := range listed {
			r.listed = r.listed || isFor(l.ID)
		}
		s.repeats = append(s.repeats, r)
	}
	return s
}

// learn adds what a session that ended had met, and what was learned from it.
func (h *history) learn(s *scored, calls []*played, result scan.Result, lessons []*lesson.Lesson) {
	for id := range s.met {
		h.sessions[id]++
	}
	found := remedies(result)
	for _, c := range calls {
		if c.problem == "" {
			continue
		}
		for _, observation := range found[place{c.file, c.line}] {
			h.remedied[c.problem] = true
			add(h.links, observation, c.problem)
		}
	}
	h.lessons = map[string]map[string]bool{}
	for observation, problems := range h.links {
		for id := range problems {
			add(h.lessons, settled(result.Log, observation), id)
		}
	}
	bySource := h.lessons
	h.lessons = map[string]map[string]bool{}
	for _, l := range lessons {
		h.lessons[l.ID], h.titles[l.ID] = bySource[l.Source], l.Title
	}
}

func add(to map[string]map[string]bool, key, value string) {
	if key == "" {
		return
	}
	if to[key] == nil {
		to[key] = map[string]bool{}
	}
	to[key][value] = true
}

// active are the lessons that act.
func active(lessons []*lesson.Lesson) []*lesson.Lesson {
	var found []*lesson.Lesson
	for _, l := range lessons {
		if l.Status == lesson.Active {
			found = append(found, l)
		}
	}
	return found
}
