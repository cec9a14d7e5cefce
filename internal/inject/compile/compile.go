// Package compile turns lessons into the index that hooks read.
package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Options are what an index depends on besides the lessons.
type Options struct {
	Config  config.Config
	Scoring inject.Scoring
	// CallsBeforeEdit is after how many calls without an edit an agent is told to act; 0: never.
	CallsBeforeEdit int
	Today           string   // YYYY-MM-DD, for valid_from, valid_until and expires
	Languages       []string // of the repository: see [Languages]
	// Reached says whether a git tag is an ancestor of HEAD. When it is nil
	// no tag is taken for reached.
	Reached func(tag string) bool
	// SelfReported says whether an agent itself reported an observation, by id.
	// Nil: none.
	SelfReported func(observation string) bool
	// History returns what past calls say of a lesson. Nil: nothing is known.
	History func(*lesson.Lesson) History

	// Stale says whether the lesson of a file names what is gone. Nil: none does.
	Stale func(path string) bool

	// Skill returns the path of the skill that holds the lessons about a tool. Nil:
	// there is none.
	Skill func(tool string) (path string)

	// Notices are told as they are, beside the lessons.
	Notices []Notice

	// Fingerprint and Stamp are to be taken before the lessons are read: a
	// change during the reading then makes the index stale, not wrong.
	Fingerprint inject.Fingerprint
	Stamp       uint64
}

// Notice is what this clone knows by itself and has no file: it informs.
type Notice struct {
	ID       string
	Problems []string // that it tells of
	Text     string
	Short    string // what is told the next times
	Again    int    // after how many calls it is told again; 0: once
	Priority int
	Trigger  lesson.Trigger
	Start    bool     // told when a session starts, and at no call
	Needed   bool     // of such: what has to be done first
	After    bool     // told after a failure alone
	Missing  string   // glob of paths that are not there: told where that is still so
	First    []string // commands, one for each problem: where all of them have run, nothing is told
	Stops    bool     // the call is stopped once in a session, where they have not run
}

// Starting are the notices of an index that a session is told when it starts.
func Starting(x *inject.Index) []inject.Lesson {
	return slices.DeleteFunc(x.Standing(0), func(l inject.Lesson) bool { return l.Kind != inject.KindStart && l.Kind != inject.KindNeeded })
}

// Compile returns the index of the lessons that apply, and what keeps a lesson
// from ever applying. One that fails its own examples is left out. A bad lesson never hides the others.
// What nobody here reviewed informs, and hides nothing that is trusted.
func Compile(lessons provenance.List[*lesson.Lesson], o Options) ([]byte, []knowledge.Problem) {
	c := &compiler{Options: o}
	out := c.all(lessons.Trusted(), nil)
	c.unreviewed = true
	out = append(out, c.all(lessons.Unreviewed(), out)...)
	for _, n := range o.Notices {
		kind, trigger := inject.KindStart, inject.Trigger{}
		action := lesson.ActionInform
		if n.Stops {
			action = atMost(lesson.ActionStopOnce, o.Config.MaxAction)
		}
		if n.Needed {
			kind = inject.KindNeeded
		}
		if !n.Start {
			kind = inject.KindNotice
			if n.After {
				kind = inject.KindAfter
			}
			trigger, _ = Trigger(&n.Trigger)
		}
		out = append(out, inject.Lesson{
			ID: n.ID, Kind: kind, Source: strings.Join(n.Problems, " "), Title: n.Text, Text: n.Text, Summary: cmp.Or(n.Short, n.Text), Priority: n.Priority, Confidence: 1000,
			Action: action, Extra: inject.Telling{Again: n.Again, Ran: n.First}.Encode(), Trigger: trigger, Path: n.Missing,
		})
	}
	return inject.Encode(out, inject.Header{
		Fingerprint: o.Fingerprint, Stamp: o.Stamp, Until: c.until,
		Settings: inject.Settings{
			Scoring: o.Scoring, BudgetBytes: o.Config.InjectionBudgetBytes, MaxLessons: o.Config.MaxLessonsPerInjection,
			CompactionThreshold: o.Config.CompactionReinjectionThreshold, Asks: o.Config.Ask, Holdout: o.Config.Holdout, CallsBeforeEdit: o.CallsBeforeEdit, Debug: o.Config.Debug,
		},
	}), c.problems
}

type compiler struct {
	Options
	unreviewed bool            // those that are compiled now
	ids        map[string]bool // of the active ones among them
	until      string          // the first day on which another set applies
	problems   []knowledge.Problem
}

// all compiles the lessons that apply, but for those whose ids are taken.
func (c *compiler) all(lessons []*lesson.Lesson, taken []inject.Lesson) []inject.Lesson {
	c.ids = map[string]bool{}
	for _, l := range lessons {
		if l.Status == lesson.Active {
			c.ids[l.ID] = true
		}
	}
	var out []inject.Lesson
	for _, l := range lessons {
		if !c.applies(l) || slices.ContainsFunc(taken, func(t inject.Lesson) bool { return t.ID == l.ID }) {
			continue
		}
		if compiled := c.lesson(l); c.passesExamples(l, compiled.Trigger) {
			out = append(out, compiled)
		}
	}
	return out
}

func (c *compiler) problem(l *lesson.Lesson, format string, args ...any) {
	c.problems = append(c.problems, knowledge.Problem{Path: l.Path, Rule: "lesson-trigger", Text: fmt.Sprintf(format, args...)})
}

func (c *compiler) lesson(l *lesson.Lesson) inject.Lesson {
	extra, guards := c.guard(l)
	priority := c.priority(l)
	action := c.action(l, priority, guards)
	shown := *l
	shown.Priority = priority // what history lets stop a call is not called low
	summary := shown
	summary.Body = ""
	out := inject.Lesson{
		ID: l.ID, Kind: string(l.Kind), Title: prose.OneLine(l.Title), Path: l.Path, Text: shown.Shown(), Summary: summary.Shown(), Fix: prose.Neutral(prose.OneLine(l.Fix())), Source: l.Source,
		Priority: priority, Confidence: min(max(int(l.Confidence*1000+0.5), 0), 1000), Action: action, Unreviewed: c.unreviewed,
		Trigger: c.trigger(c.narrowed(l)), Extra: extra, Skill: c.skill(l),
	}
	return out
}

// skill is the skill that holds a lesson with the others about its tool.
func (c *compiler) skill(l *lesson.Lesson) string {
	for _, tool := range l.ToolTags() {
		if c.Skill == nil {
			break
		}
		if path := c.Skill(tool); path != "" {
			return path
		}
	}
	return ""
}

// proved is the least priority of what history lets stop a call.
const proved = 4

// priority is how much a lesson matters here.
func (c *compiler) priority(l *lesson.Lesson) int {
	p := l.Priority
	if c.history(l).State == Stops {
		p = max(p, proved)
	}
	if c.ofOurLanguage(l) {
		p++
	}
	return min(max(p, 1), 10)
}

// narrowed is the lesson without the calls that history parts from those that failed.
func (c *compiler) narrowed(l *lesson.Lesson) *lesson.Lesson {
	unless := c.history(l).Unless
	if len(unless) == 0 {
		return l
	}
	out := *l
	out.Triggers.Unless = slices.Concat(l.Triggers.Unless, unless)
	return &out
}

// ofOurLanguage says whether a lang: tag names a language of the repository.
func (c *compiler) ofOurLanguage(l *lesson.Lesson) bool {
	for _, tag := range l.Tags {
		if lang, ok := strings.CutPrefix(tag, "lang:"); ok && slices.Contains(c.Languages, strings.ToLower(lang)) {
			return true
		}
	}
	return false
}

// applies says whether a lesson is to be delivered today. It also keeps the
// first day on which the answer changes.
func (c *compiler) applies(l *lesson.Lesson) bool {
	state := c.history(l).State
	switch {
	case state == Shadow, c.Stale != nil && c.Stale(l.Path):
		return false
	case l.Status != lesson.Active && !c.raised(l, state),
		l.Confidence < c.Config.MinConfidence && l.Source != "",
		l.Priority < c.Config.MinPriority:
		return false
	}
	why, day := l.Term(lesson.Calendar{Today: c.Today, Reached: c.Reached, Stands: func(id string) bool { return c.ids[id] }})
	if day != "" && (c.until == "" || day < c.until) {
		c.until = day
	}
	return why == ""
}

// raised says whether evidence makes a draft effective that this person trusts. One that
// came back after people removed it waits for a person.
func (c *compiler) raised(l *lesson.Lesson, state State) bool {
	return l.Status == lesson.Draft && state == Stops && l.Returned == "" && !c.unreviewed
}
