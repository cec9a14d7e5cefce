package project

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/reconcile"
	"github.com/lessons-cli/lessons/scan"
)

// Answer is what lessons does at a hook's event and says back. start runs
// lessons itself with the given arguments beside the hook, without waiting.
func (p *Project) Answer(ctx context.Context, c *agent.Client, e agent.Event, start func(args ...string)) agent.Answer {
	switch e.Name {
	case agent.SessionStart:
		return p.sessionStart(ctx, c, e, start)
	case agent.SubagentStart:
		return p.subagentStart(ctx, e)
	}
	answer := agent.Answer{}
	if e.Name == agent.SubagentStop || e.Name == agent.Stop {
		_ = p.countCitations(e)
		answer = p.flowEnd(e)
	}
	switch end := c.SessionEnd(); {
	case end == "":
	case e.Name == end:
		args := []string{"scan", "--quiet", "--render", "--agent", c.Name}
		if e.Session != "" {
			args = append(args, "--ended", knowledge.SessionHash(e.Session))
		}
		start(args...)
	case e.Name == agent.Stop:
		start("scan", "--quiet", "--hook", "--agent", c.Name)
	}
	return answer
}

// sessionStart asks git what people did, and tells the agent what is known.
// Nothing that git tracks is written.
func (p *Project) sessionStart(ctx context.Context, c *agent.Client, e agent.Event, start func(args ...string)) agent.Answer {
	s, err := p.Store.Load()
	if err != nil {
		return agent.Answer{}
	}
	p.Freshen(ctx)
	memo := p.startMemo()
	parts, lessons := p.startParts(ctx, s)
	parts.Flow = p.flowStart(e)
	if e.Source == "resume" { // what was said before is still in the history
		parts.Protocol = ""
	}
	message, names := p.news(ctx, s, lessons, parts.Unreviewed.Others.String())
	if names != nil {
		p.announce(names)
	}
	if c.SessionEnd() != "" && (p.missedRender(s) || p.scanIsDue(c, cmp.Or(e.Transcript, e.Session), s.Config)) {
		start("scan", "--quiet", "--render", "--agent", c.Name)
	}
	if due, _, _ := p.staleIsDue(ctx, s, p.lastStale()); due && len(s.Artifacts) > 0 {
		start("compile") // it asks git what is gone, which takes longer than a session may wait
	}
	if e.Source == "startup" && message == "" && len(parts.Notes) == 0 {
		memo.keep(s, parts)
	}
	return agent.Answer{Context: p.start(e, parts), Message: message}
}

// start composes what an agent starts with, and records the lessons in it.
func (p *Project) start(e agent.Event, parts startParts) string {
	told := parts.told()
	inject.OpenSession(p.sessionPlaces(), e.Session, e.AgentID).NoteStart(knowledge.SessionHash(e.Session), p.Now().UnixMilli(), told.Lessons)
	return told.Context
}

// startParts are what a session is told when it starts, and the lessons that hold. What people did
// since is asked of git.
func (p *Project) startParts(ctx context.Context, s *store.Snapshot) (startParts, []*lesson.Lesson) {
	lessons, _, _ := p.Holding(ctx, s)
	parts := startParts{Protocol: scan.Protocol}
	parts.tell(p.told(ctx, s, lessons))
	if report, err := p.reconcile(ctx, s, false); err == nil {
		if n := report.Count(reconcile.Pending); n > 0 {
			parts.Notes = append(parts.Notes, prose.Counted(n, "rendered file")+" vanished without a commit: lessons reconcile asks about them")
		}
	}
	if index, err := p.Index(); err == nil {
		for _, l := range compile.Starting(index) {
			if l.Kind == inject.KindNeeded {
				parts.Needed = append(parts.Needed, l.Text)
			} else {
				parts.Unsolved = append(parts.Unsolved, l.Text)
			}
		}
	}
	for _, l := range lessons.All() {
		if l.Status == lesson.Draft && p.ScopeOf(l.Path) == lesson.ScopeProject {
			parts.Unreviewed.Drafts++
		}
	}
	parts.Unreviewed.Others = p.TrustState(ctx, s)
	in := p.indexOf(ctx, s)
	parts.Unreviewed.Proposed = entry.CountProposed(in.Decisions.All())
	parts.index(s, in)
	return parts, lessons.All()
}

// subagentStart tells a sub-agent what holds for every agent: the protocol, critical lessons,
// what people said, and the index.
func (p *Project) subagentStart(ctx context.Context, e agent.Event) agent.Answer {
	parts := startParts{Protocol: scan.Protocol}
	if s, err := p.Store.Load(); err == nil {
		lessons, _, _ := p.Holding(ctx, s)
		parts.tell(p.told(ctx, s, lessons))
		parts.index(s, p.indexOf(ctx, s))
	}
	return agent.Answer{Context: p.start(e, parts)}
}

// index puts what an index has into the parts of a start, if there is anything. Of linters'
// rules that sessions of this clone broke, hooks tell when such a file is edited.
func (s *startParts) index(in *store.Snapshot, index entry.IndexInput) {
	all := len(index.Pitfalls.Trusted())
	index.Pitfalls = index.Pitfalls.Filter(func(e entry.Entry) bool {
		o := in.Log.Find(e.Source, "")
		return o == nil || !o.IsRule()
	})
	if rules := all - len(index.Pitfalls.Trusted()); rules > 0 {
		s.Rules = prose.Counted(rules, "pitfall") + " about linters' rules: told when you edit such a file."
	}
	if len(entry.IndexEntries(index)) > 0 {
		s.Index = func(maxBytes int) string { return entry.IndexWithin(index, maxBytes) }
	}
}

// missedRender: an observation became ready, or was met again while its lesson is
// a draft, in a session that did not come to its end, so that nothing was rendered. What will not be written all the same costs one process beside
// this one.
func (p *Project) missedRender(s *store.Snapshot) bool {
	draft := unread(s)
	waits := lists.Map(s.Waiting, func(e entry.Entry) string { return e.Source })
	perhaps := func(h observe.Head) bool { return h.Status == observe.Ready || h.Observations > 1 }
	for o := range s.Log.Where(perhaps) {
		if o.Status == observe.Ready && !slices.Contains(waits, o.ID) || o.Observations > 1 && draft(o) {
			return true
		}
	}
	return false
}

// ScanIsDue says whether some session of an agent was not read to its end, besides the one that
// starts.
func (p *Project) ScanIsDue(c *agent.Client, starting string) bool {
	settings, _, err := p.config()
	return err == nil && p.scanIsDue(c, starting, settings)
}

// scanIsDue: the last scan is older than the configured interval, or a session
// of this repository other than the one that starts was written to since. That one is known by
// its file, or by a name that its file's path holds.
func (p *Project) scanIsDue(c *agent.Client, starting string, settings config.Config) bool {
	last := p.LastScan()
	if last.IsZero() || p.Now().Sub(last) > time.Duration(settings.AutoScanIntervalHours)*time.Hour {
		return true
	}
	sessions, err := p.sessionsOf(c, last)
	if err != nil {
		return false // the agent never ran here
	}
	return slices.ContainsFunc(sessions, func(f scan.File) bool {
		info, err := f.Stat()
		starts := starting != "" && strings.Contains(f.Path, starting)
		return err == nil && !starts && info.ModTime.After(last)
	})
}

// indexOf makes the index's input from a loaded snapshot.
func (p *Project) indexOf(ctx context.Context, s *store.Snapshot) entry.IndexInput {
	decisions, pitfalls := p.gate(ctx).inForce(s)
	return entry.IndexInput{Layout: s.Config.Layout, Decisions: decisions, Pitfalls: pitfalls, Stale: p.staleAmong(s.Artifacts)}
}

// IndexInput reads the knowledge entries, and the log where a proposal may hold by now.
func (p *Project) IndexInput(ctx context.Context) (entry.IndexInput, []knowledge.Problem, error) {
	config, problems, err := p.config()
	if err != nil {
		problem := knowledge.Problem{Path: ConfigPath, Rule: "config", Text: err.Error()}
		if parse, ok := errors.AsType[*knowledge.ParseError](err); ok {
			problem.Line, problem.Text = parse.Line, parse.Text
		}
		problems = append(problems, problem)
		config = p.withoutSettings()
	}
	entries := artifact.ReadEntries(p.FS, p.Root)
	g := p.gate(ctx)
	decisions := g.entries(entries.Decisions)
	if slices.ContainsFunc(entries.Decisions, func(e entry.Entry) bool { return e.Source != "" && entry.IsProposed(e.Status()) }) {
		if s, err := p.Store.Load(); err == nil {
			decisions = g.decided(s)
		}
	}
	waiting := p.Store.Waiting(slices.Concat(entries.Decisions, entries.Pitfalls))
	decisions, pitfalls := withWaiting(decisions, g.entries(entries.Pitfalls), waiting)
	gone := p.staleAmong(lists.Map(slices.Concat(entries.Decisions, entries.Pitfalls), artifact.OfEntry))
	return entry.IndexInput{Layout: config.Layout, Decisions: decisions, Pitfalls: pitfalls, Stale: gone}, append(problems, entries.Problems...), nil
}

// withoutSettings are the settings of a repository that has none.
func (p *Project) withoutSettings() config.Config {
	c := config.Default()
	c.Layout = store.LayoutOnDisk(p.FS, p.Root)
	return c
}

func (p *Project) config() (config.Config, []knowledge.Problem, error) {
	data, err := p.Read(ConfigPath)
	if err != nil || data == nil {
		return p.withoutSettings(), nil, err
	}
	return config.Read(p.withoutSettings(), ConfigPath, data, false)
}
