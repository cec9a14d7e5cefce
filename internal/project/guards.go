package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/frontmatter"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/problem"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/trace"
	"github.com/lessons-cli/lessons/render"
)

// GuardDraft is a guard that somebody wants: for which calls, and what to do instead.
type GuardDraft struct {
	Title    string
	Command  string // program, sub-command and flags
	Path     string // or a glob of files that are written
	First    string // a command that has to run before; empty: nothing makes the call right
	Suggest  string
	Evidence string
	Of       string // the pattern or problem that it comes from

	triggers *lesson.Trigger // instead of Command and Path
}

// Over is the draft with what it leaves open taken from another one.
func (d GuardDraft) Over(of GuardDraft) GuardDraft {
	if d.Command+d.Path == "" {
		d.Command, d.Path, d.triggers = of.Command, of.Path, of.triggers
	}
	d.Title, d.Suggest, d.Evidence, d.Of = cmp.Or(d.Title, of.Title), cmp.Or(d.Suggest, of.Suggest), of.Evidence, of.Of
	return d
}

// GuardProposal is a guard that follows from what repeats, held against history.
type GuardProposal struct {
	Lesson *lesson.Lesson
	Held   tally.HeldBack
	Why    string // it is not proposed; empty: it is
}

// Guard is a lesson that holds calls or stops back.
type Guard struct {
	Lesson  *lesson.Lesson
	Trusted bool
}

// Guards are the guards of this repository and of the person, drafts among them.
func (p *Project) Guards(ctx context.Context, s *store.Snapshot) []Guard {
	var all []Guard
	held := p.effective(ctx, s)
	for i, list := range [][]*lesson.Lesson{held.Trusted(), held.Unreviewed()} {
		for _, l := range list {
			if _, guards, _ := compile.Guard(l); guards {
				all = append(all, Guard{l, i == 0})
			}
		}
	}
	return all
}

// TestGuard holds a guard against the call log.
func (p *Project) TestGuard(l *lesson.Lesson) (tally.HeldBack, error) {
	log, _, err := p.Calls()
	if err != nil {
		return tally.HeldBack{}, err
	}
	return tally.HoldBack(l, log)
}

// ProposeGuards makes guards of what repeats at least so often: of violations and
// corrections, and of problems that something else has to run before. A guard that would have
// held back a call that worked is not proposed.
func (p *Project) ProposeGuards(ctx context.Context, atLeast int) ([]GuardProposal, error) {
	s, drafts, err := p.patternDrafts(ctx, atLeast)
	if err != nil {
		return nil, err
	}
	log, _, err := p.Calls()
	if err != nil {
		return nil, err
	}
	for _, one := range problem.Gather(log) {
		if d, ok := fromProblem(one, atLeast); ok {
			drafts = append(drafts, d)
		}
	}
	removed, err := p.removedGuards(ctx, s)
	if err != nil {
		return nil, err
	}
	var all []GuardProposal
	for _, d := range drafts {
		g := GuardProposal{}
		if g.Lesson, err = p.draftGuard(d); err == nil {
			g.Held, err = tally.HoldBack(g.Lesson, log)
		}
		there := slices.IndexFunc(s.Lessons, func(l *lesson.Lesson) bool { return g.Lesson != nil && l.ID == g.Lesson.ID })
		switch {
		case err != nil:
			g.Why = err.Error()
		case there >= 0:
			g.Why = "it is there: " + s.Lessons[there].Path
		case removed[g.Lesson.ID] != "":
			g.Why = "somebody removed it: " + removed[g.Lesson.ID]
		case len(g.Held.Wrong) > 0:
			g.Why = "it would have held back " + prose.Counted(len(g.Held.Wrong), "call") + " that worked, such as: " + prose.Shorten(prose.OneLine(g.Held.Wrong[0].Call.Input), 120)
		}
		if g.Lesson == nil {
			g.Lesson = &lesson.Lesson{Title: d.Title}
		}
		all = append(all, g)
	}
	return all, nil
}

// removedGuards are the files, by id, of guards that commits had and that are not here any
// more.
func (p *Project) removedGuards(ctx context.Context, s *store.Snapshot) (map[string]string, error) {
	removed := map[string]string{}
	if p.Git == nil {
		return removed, nil
	}
	commits, err := p.Git.Log(ctx, gitstate.Walk{Paths: []string{lessonsFolder}})
	if err != nil {
		return nil, err
	}
	isGuard := func(name, _ string) bool { return strings.HasPrefix(path.Base(name), guardPrefix) }
	err = gitstate.EachVersion(ctx, p.Git, commits, isGuard, func(name string, o gitstate.Object) error {
		if l, err := lesson.Parse(name, o.Data); err == nil {
			removed[l.ID] = name
		}
		return nil
	})
	for _, l := range s.Lessons {
		delete(removed, l.ID)
	}
	return removed, err
}

// guardPrefix begins the names of files of proposed guards.
const guardPrefix = "guard-"

// fromPattern is a guard of something that repeats: about the calls of its lesson, else
// about its command or file.
func fromPattern(one trace.Pattern, lessons []*lesson.Lesson) GuardDraft {
	d := GuardDraft{
		Title: one.Happened, Command: one.Command, Path: one.Path, Suggest: one.Correct, Of: one.ID,
		Evidence: fmt.Sprintf("It happened %s in %s: %s.", prose.Counted(one.Count, "time"), prose.Counted(one.Sessions, "session"), strings.Join(one.Traces[:min(5, len(one.Traces))], ", ")),
	}
	if one.Command != "" {
		d.Title = "Never " + one.Command
	}
	if l, ok := lists.Find(lessons, func(l *lesson.Lesson) bool { return l.ID == one.About }); ok {
		d.Title, d.triggers = "Never: "+l.Title, &l.Triggers
	}
	return d
}

// fromProblem is a guard of a problem that something else mends when it runs first.
func fromProblem(one *problem.Problem, atLeast int) (d GuardDraft, ok bool) {
	best, mended := one.Best()
	if len(one.Failures) < atLeast || one.Nature != problem.Precondition || !mended || best.First() == "" {
		return d, false
	}
	shapes := lists.SortedUnique(lists.Map(one.Failures, func(f problem.Failure) string { return trace.Shape(f.Call.Input) }))
	if len(shapes) != 1 || shapes[0] == "" {
		return d, false
	}
	first, program := "Run "+string(plain.Code(best.First())), shapes[0]
	if at := strings.Index(program, " -"); at > 0 {
		program = program[:at] // all of its flags are in the trigger
	}
	return GuardDraft{
		Title: first + " before " + string(plain.Code(program)), Command: shapes[0], First: best.First(),
		Suggest: first + " first", Of: one.ID,
		Evidence: fmt.Sprintf("It failed %s in %s, and worked %s after that: %s", prose.Counted(len(one.Failures), "time"), prose.Counted(len(one.Sessions), "session"), prose.Counted(best.Worked, "time"), one.What),
	}, true
}

// ErrNoCalls: nothing says which calls a guard is about.
var ErrNoCalls = errors.New("nothing says which calls it is about: name a command or a path")

// draftGuard is the lesson of a guard: a draft, which acts nowhere.
func (p *Project) draftGuard(d GuardDraft) (*lesson.Lesson, error) {
	title := prose.Shorten(prose.OneLine(cmp.Or(d.Title, "Never "+cmp.Or(d.Command, d.Path))), maxTitle)
	l := &lesson.Lesson{
		ID: render.LessonID(cmp.Or(d.Of, "guard "+title+d.Command+d.Path)), Kind: lesson.Requirement, Priority: 7, Status: lesson.Draft, Confidence: 0.5,
		Action: lesson.ActionDeny, Tags: []string{"type:guard"}, Created: p.Now().UTC().Format(time.DateOnly), Title: title,
	}
	switch {
	case d.triggers != nil && len(d.triggers.Commands)+len(d.triggers.CommandPatterns)+len(d.triggers.Paths) > 0:
		l.Triggers = *d.triggers
	case d.Command != "":
		l.Triggers = lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{d.Command}}
	case d.Path != "":
		l.Triggers = lesson.Trigger{Tools: []string{"Edit", "Write"}, Paths: []string{d.Path}}
	default:
		return nil, ErrNoCalls
	}
	gate := "  never: true\n"
	if d.First != "" {
		gate = "  ran: " + frontmatter.Scalar(d.First) + "\n"
	}
	suggest := prose.Shorten(prose.OneLine(d.Suggest), maxSuggest)
	if suggest != "" {
		gate += "  suggest: " + frontmatter.Scalar(suggest) + "\n"
		l.Body = "Do: " + suggest + "\n\n"
	}
	l.Unknown = []lesson.UnknownKey{{Name: "require", YAML: "require:\n" + gate}}
	l.Body += prose.OneLine(d.Evidence) + "\n"
	l.Path = path.Join(lessonsFolder, guardPrefix+prose.Slug(title)+p.suffixOf(l.ID)+".md")
	if _, _, err := compile.Guard(l); err != nil {
		return nil, err
	}
	if _, problems := compile.Trigger(&l.Triggers); len(problems) > 0 {
		return nil, errors.New("no call can match: " + problems[0].Text)
	}
	return l, nil
}

// maxSuggest is how many characters of advice a guard gives.
const maxSuggest = 250

// suffixOf ends the name of a file that this clone makes for an id.
func (p *Project) suffixOf(id string) string {
	if key, err := p.cloneKey(); err == nil && p.Git != nil {
		return "-" + knowledge.CloneSuffix(id, key)
	}
	return ""
}

// WriteGuards writes guards as drafts. They are nobody's yet: a person reads and promotes
// them.
func (p *Project) WriteGuards(guards []*lesson.Lesson) error {
	var changes []store.Change
	for _, l := range guards {
		before, err := p.Read(l.Path)
		if err != nil {
			return err
		}
		if before != nil {
			return fmt.Errorf("%s is there already", l.Path)
		}
		changes = append(changes, store.Change{Path: l.Path, After: l.Format()})
	}
	return p.Store.Apply(store.Transaction{Changes: changes})
}

// CreateGuard writes a draft of a guard, held against history.
func (p *Project) CreateGuard(d GuardDraft) (GuardProposal, error) {
	r := p.Redactor()
	for _, text := range []*string{&d.Title, &d.Suggest, &d.Evidence} {
		*text = r.Text(*text).String()
	}
	l, err := p.draftGuard(d)
	if err != nil {
		return GuardProposal{}, err
	}
	g := GuardProposal{Lesson: l}
	if g.Held, err = p.TestGuard(l); err != nil {
		return g, err
	}
	return g, p.WriteGuards([]*lesson.Lesson{l})
}

// GuardOfPattern is the draft of a guard for a pattern.
func (p *Project) GuardOfPattern(ctx context.Context, id string) (GuardDraft, error) {
	_, drafts, err := p.patternDrafts(ctx, trace.MinRepeats)
	if err != nil {
		return GuardDraft{}, err
	}
	d, ok := lists.Find(drafts, func(d GuardDraft) bool { return d.Of == id })
	if !ok {
		return d, fmt.Errorf("no pattern has the id %s", id)
	}
	return d, nil
}

// patternDrafts are the drafts of guards for what repeats, and what they were made of.
func (p *Project) patternDrafts(ctx context.Context, atLeast int) (*store.Snapshot, []GuardDraft, error) {
	patterns, err := p.TracePatterns(ctx, atLeast)
	if err != nil {
		return nil, nil, err
	}
	s, err := p.Store.Load()
	if err != nil {
		return nil, nil, err
	}
	lessons, _, _ := p.Holding(ctx, s)
	return s, lists.Map(patterns, func(one trace.Pattern) GuardDraft { return fromPattern(one, lessons.Trusted()) }), nil
}

// CallOf is a logged call in a line.
func CallOf(c *calls.Call) string { return prose.Shorten(prose.OneLine(c.Tool+" "+c.Input), 100) }
