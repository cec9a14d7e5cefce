package project

import (
	"cmp"
	"context"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/hook"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/tally"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Explanation says of every lesson what a tool call has to do with it.
type Explanation struct {
	Matches  []inject.Match           // lessons of the index, whether they match or not
	Would    inject.Decision          // what a hook would say in a session that begins with the call
	Accounts map[string]tally.Account // what history says of lessons, by their files
	Idle     []Idle
	Shadowed []Shadowed
	Problems []knowledge.Problem // of the person's own lessons
}

// Told are the names of the lessons of which the hook would speak.
func (x *Explanation) Told() []string {
	var names []string
	for _, m := range x.Matches {
		if slices.Contains(x.Would.Injected, m.Lesson.ID) {
			names = append(names, strings.TrimSuffix(path.Base(m.Lesson.Path), ".md"))
		}
	}
	return names
}

// Idle is a lesson that no call can bring, whatever it is.
type Idle struct {
	Path string `json:"path"`
	Why  string `json:"why"`

	History *tally.Account `json:"history,omitempty"`
}

// Shadowed is a lesson for all repositories that does not hold in this one.
type Shadowed struct {
	Path  string       `json:"path"`
	Scope lesson.Scope `json:"scope"`
	By    string       `json:"shadowedBy"`
	Why   string       `json:"why"`
}

// Explain holds every lesson against a tool call and says why it matches or not.
// scoring names a way of ranking; empty: that of the setting scoringMode.
func (p *Project) Explain(ctx context.Context, s *store.Snapshot, e agent.Event, scoring string) (Explanation, error) {
	holding, shadowed, problems := p.Holding(ctx, s)
	x := Explanation{Problems: problems}
	evidence, trouble, err := p.Evidence(s, holding.All())
	if err != nil {
		return x, err
	}
	x.Problems, x.Accounts = slices.Concat(problems, trouble), evidence.of(holding)
	_, _ = p.Stale(ctx, s) // compileOptions goes by the last answer
	options := p.compileOptions(ctx, s, scoring)
	options.History = evidence.history
	options.Notices = evidence.Notices(holding.Trusted(), evidence.unwanted(s))
	data, compiling := compile.Compile(holding, options)
	index, err := inject.Open(data)
	if err != nil {
		return x, err
	}
	call := inject.Call{Agent: e.AgentType, Prompt: e.Prompt, Root: p.Root, Dir: e.Cwd}
	if e.Call != nil {
		call.Tool, call.Command, call.Paths, call.Content = e.Call.Tool, e.Call.Command, e.Call.Paths, e.Call.Content
	}
	x.Matches = lists.Filter(index.Explain(call, inject.Options{}), func(m inject.Match) bool { return m.Lesson.HasFile() })
	scratch, err := os.MkdirTemp("", "lessons-explain-")
	if err != nil {
		return x, err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	e.Cwd = cmp.Or(e.Cwd, p.Root)
	x.Would, _ = (&hook.System{Env: p.Env, Now: p.Now}).Would(index, e, scratch)
	lapsed := p.Lapsed(ctx, s.Lessons, p.staleAmong(s.Artifacts))
	faults := slices.Concat(s.Problems, problems, compiling)
	for _, l := range s.Lessons {
		if _, ok := index.Find(l.ID); !ok {
			x.Idle = append(x.Idle, x.idle(l, faults, lapsed))
		}
	}
	x.Shadowed = lists.Map(shadowed, func(sh lesson.Shadow) Shadowed { return Shadowed{sh.Lesson.Path, lesson.ScopeUser, sh.By.Path, sh.Why} })
	return x, index.Err()
}

func (x *Explanation) idle(l *lesson.Lesson, faults []knowledge.Problem, lapsed map[string]string) Idle {
	idle := Idle{Path: l.Path, Why: whyIdle(l, faults, lapsed)}
	if a, ok := x.Accounts[l.Path]; ok {
		idle.History = &a
		if a.Standing == tally.Shadow {
			idle.Why = a.String()
		}
	}
	return idle
}

func whyIdle(l *lesson.Lesson, faults []knowledge.Problem, lapsed map[string]string) string {
	if l.Status != lesson.Active {
		return "its status is " + l.Status
	}
	why := cmp.Or(lapsed[l.Path], "its confidence or priority is too low")
	for _, fault := range faults {
		if fault.Path == l.Path {
			why = fault.Text
		}
	}
	return why
}
