package project

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/learn"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/problem"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// learnFacts is what this clone knows of observations, for the model step.
type learnFacts struct {
	*Evidence
	excerpts *excerpts
	verdicts map[string]tally.Verdict // of observations with a trigger
	free     map[string]bool          // triggers that no call which worked matches, by their command
}

func (f *learnFacts) of(o *observe.Observation) learn.Facts {
	v := f.verdicts[o.ID]
	facts := learn.Facts{Against: against(v)}
	if facts.Against != "" {
		return facts
	}
	facts.Excerpts = f.excerpts.of(o)
	if i := slices.IndexFunc(f.Problems, func(p *problem.Problem) bool { return p.ID == v.Problem }); i >= 0 {
		facts.Problem = problemText(f.Problems[i])
	}
	if lesson.CanonicalTrigger(o.Delivery()) == "" {
		facts.Triggers = f.choices(o)
	}
	return facts
}

// tried holds the triggers of observations against the history of calls.
func (e *Evidence) tried(all []*observe.Observation) map[string]tally.Verdict {
	var claims []tally.Claim
	for _, o := range all {
		if lesson.CanonicalTrigger(o.Delivery()) != "" {
			claims = append(claims, tally.Claim{Lesson: &lesson.Lesson{ID: o.ID, Triggers: *o.Delivery(), Seen: o.Seen()}})
		}
	}
	return judged(claims, e.log, e.Problems)
}

// against says of observations why history forbids to write them down.
func (e *Evidence) against(all []*observe.Observation) map[string]string {
	why := map[string]string{}
	for id, v := range e.tried(all) {
		why[id] = against(v)
	}
	return why
}

func against(v tally.Verdict) string {
	if v.Standing == tally.Withdrawn || v.Standing == tally.Shadow {
		return v.Why
	}
	return ""
}

// free are the commands of failed calls, program and target, that no call which worked
// runs.
func (e *Evidence) free() map[string]bool {
	var lessons []*lesson.Lesson
	seen := map[string]bool{}
	for _, s := range e.log {
		for i := range s.Calls {
			if command := failedCommand(&s.Calls[i]); command != "" && !seen[command] {
				seen[command] = true
				lessons = append(lessons, &lesson.Lesson{ID: command, Triggers: commandTrigger(command)})
			}
		}
	}
	free := map[string]bool{}
	for i, t := range tally.Of(lessons, e.log) {
		free[lessons[i].ID] = len(t.OK) == 0 && len(t.Failed) > 0
	}
	return free
}

// failedCommand is the program and the target of a call that failed; a program alone says
// too little.
func failedCommand(c *calls.Call) string {
	if c.Failure == nil || c.Tool != "Bash" || c.Failure.Program == "" || c.Failure.Target == "" {
		return ""
	}
	return c.Failure.Program + " " + c.Failure.Target
}

func commandTrigger(command string) lesson.Trigger {
	return lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{command}}
}

// nearMinutes is how long before or after an observation a call may have failed that it
// may be about.
const nearMinutes = 15

// choices are triggers that may be chosen for an observation without one: commands that
// failed near it and never worked, of a failure those that failed with what it quotes.
func (f *learnFacts) choices(o *observe.Observation) []*lesson.Trigger {
	var commands []string
	for _, s := range f.log {
		if !slices.Contains(o.Sessions, s.Name) {
			continue
		}
		for i := range s.Calls {
			command := failedCommand(&s.Calls[i])
			near := time.UnixMilli(s.Calls[i].At).Sub(o.LastSeen).Abs() <= nearMinutes*time.Minute
			if o.Origin == observe.OriginErrorFix || o.Origin == observe.OriginLLM {
				near = command != "" && slices.Contains(o.Evidence, s.Calls[i].Failure.Line)
			}
			if near && f.free[command] && !slices.Contains(commands, command) {
				commands = append(commands, command)
			}
		}
	}
	var all []*lesson.Trigger
	for _, command := range commands[max(0, len(commands)-4):] {
		t := commandTrigger(command)
		all = append(all, &t)
	}
	return all
}

// problemText is what history knows of a problem.
func problemText(p *problem.Problem) string {
	parts := []string{fmt.Sprintf("%s (%s): %s", p.Nature, p.Why, p.Told()), fmt.Sprintf("met by %d calls in %s", len(p.Failures), prose.Counted(len(p.Sessions), "session"))}
	for _, m := range p.Mends[:min(len(p.Mends), 3)] {
		parts = append(parts, fmt.Sprintf("mended by %s: worked %d, and %d times the replaced call worked later", cmp.Or(m.Fix, string(m.How)), m.Worked, m.Refuted))
	}
	if p.Passed > 0 {
		parts = append(parts, fmt.Sprintf("passed by itself %d times", p.Passed))
	}
	return strings.Join(parts, "; ")
}

// maxUnsolved is how many problems a model is asked about, the dearest.
const maxUnsolved = 12

// unsolved are the problems that several sessions met, that nothing is known to mend and
// that no lesson and no observation is about, as observations: a model that sees what
// happened may know more.
func (e *Evidence) unsolved(s *store.Snapshot) []*observe.Observation {
	covered := e.covers(s.Lessons, s.Pitfalls)
	for _, v := range e.tried(s.Log.Observations()) {
		if against(v) == "" {
			covered[v.Problem] = Cover{}
		}
	}
	log := &observe.Log{}
	n := 0
	for _, p := range e.Problems {
		if _, ok := covered[p.ID]; ok || p.Nature != problem.Unmended || len(p.Sessions) < 2 || n == maxUnsolved {
			continue
		}
		n++
		first := *p
		first.What = p.Failures[0].Call.Failure.Line // whatever later failures say, the name stays
		for _, f := range p.Failures {
			line := redact.Stored(f.Call.Failure.Line)
			log.Learn(observe.Signal{
				Type: knowledge.Pitfall, Origin: observe.OriginLLM, Session: f.Session, At: time.UnixMilli(f.Call.At),
				Title: redact.Stored(first.Name()).Cut(120), Mistake: redact.Stored(first.Told()), Evidence: []redact.Text{line},
				Unfit: "nothing is known that mends it",
			}, s.Config.Thresholds)
		}
	}
	return log.Observations()
}

// known is what the repository knows: what was rendered and what history does not speak
// against, and what people wrote.
func (f *learnFacts) known(s *store.Snapshot, r *redact.Redactor) []learn.Known {
	var all []learn.Known
	for o := range s.Log.Where(func(h observe.Head) bool { return h.Status == observe.Created }) {
		if against(f.verdicts[o.ID]) == "" {
			all = append(all, learn.Known{ID: o.ID, Title: r.Text(o.Title()), Fix: r.Text(o.Fix), Found: o})
		}
	}
	for _, l := range s.Lessons {
		if s.Log.Get(l.Source) == nil && l.Status != lesson.Archived {
			all = append(all, learn.Known{ID: l.ID, Title: r.Text(l.Title), Fix: r.Text(l.Fix())})
		}
	}
	for _, e := range s.Entries() {
		if s.Log.Get(e.Source) == nil && e.Active() {
			all = append(all, learn.Known{ID: e.ID(), Title: r.Text(e.Title)})
		}
	}
	return all
}
