package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/database"
	"github.com/lessons-cli/lessons/internal/jsonlines"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/trace"
)

// Traces that agents and people told, and how often traces were asked for, a line each.
func (p *Project) tracesPath() string { return p.shared("traces.jsonl") }

func (p *Project) queriesPath() string { return p.shared("trace-queries.jsonl") }

// maxTraceText is how many characters of one text of a trace are kept.
const maxTraceText = 1000

// StoreTrace keeps a trace that somebody tells. The same one twice is one.
func (p *Project) StoreTrace(t trace.Trace) (trace.Trace, error) {
	if err := t.Check(); err != nil {
		return t, err
	}
	r := p.Redactor()
	for _, text := range []*string{
		&t.Context.Agent, &t.Context.Feature, &t.Context.Task, &t.Context.Tool, &t.Context.Command, &t.Context.Path,
		&t.Event.Happened, &t.Event.Correct, &t.Event.Why,
	} {
		*text = prose.Shorten(r.Text(strings.TrimSpace(*text)).String(), maxTraceText)
	}
	t.Project = cmp.Or(t.Project, filepath.Base(p.Root))
	if t.Timestamp.IsZero() {
		t.Timestamp = p.Now()
	}
	t = t.Identified()
	stored, err := p.storedTraces()
	if err != nil || slices.ContainsFunc(stored, func(o trace.Trace) bool { return o.ID == t.ID }) {
		return t, err
	}
	return t, p.appendLine(p.tracesPath(), t, p.wait())
}

func (p *Project) storedTraces() ([]trace.Trace, error) {
	data, err := p.readOwn(p.tracesPath())
	return trace.Parse(data), err
}

// Traces are all that is known, the newest first: those that were told, and those that
// follow from calls, observations and lessons. Of lessons only what this person stands for counts.
func (p *Project) Traces(ctx context.Context) ([]trace.Trace, error) {
	all, err := p.storedTraces()
	if err != nil {
		return nil, err
	}
	s, err := p.Store.Load()
	if err != nil {
		return nil, err
	}
	log, _, err := p.Calls()
	if err != nil {
		return nil, err
	}
	lessons, _, _ := p.Holding(ctx, s)
	all = slices.Concat(all, callTraces(log, lessons.Trusted()), observedTraces(s), approvals(lessons.Trusted()))
	for i := range all {
		all[i].Project = cmp.Or(all[i].Project, filepath.Base(p.Root))
	}
	trace.Sort(all)
	return all, nil
}

// callTraces are the calls that a lesson stopped, and those that a person or a policy refused.
func callTraces(log []calls.Session, lessons []*lesson.Lesson) []trace.Trace {
	byID := lists.By(lessons, func(l *lesson.Lesson) string { return l.ID })
	var all []trace.Trace
	for _, s := range log {
		for i := range s.Calls {
			c := &s.Calls[i]
			t := trace.Trace{Session: s.Name, Timestamp: time.UnixMilli(c.At), Context: contextOf(c)}
			switch c.Outcome {
			case calls.Stopped:
				t.Type, t.Source = trace.Violation, trace.Hook
				t.Event.Happened = "a lesson stopped: " + c.Input
				for _, id := range c.Fired {
					if l := byID[id]; l != nil {
						t.About, t.Event.Happened, t.Event.Correct = id, l.Title+": "+c.Input, l.Fix()
					}
				}
			case calls.Refused:
				t.Type, t.Source, t.Event.Happened = trace.Correction, trace.User, "refused: "+c.Input
			default:
				continue
			}
			all = append(all, t.Identified())
		}
	}
	return all
}

func contextOf(c *calls.Call) trace.Context {
	at := trace.Context{Tool: c.Tool, Agent: "main"}
	if c.Agent != "" {
		at.Agent = "sub-agent " + c.Agent
	}
	if c.Tool == "Bash" || c.Tool == "PowerShell" {
		at.Command = c.Input
	} else {
		at.Path = c.Input
	}
	return at
}

// observedTraces are what people corrected, and what was decided.
func observedTraces(s *store.Snapshot) []trace.Trace {
	var all []trace.Trace
	wanted := func(h observe.Head) bool { return h.Status != observe.Deprecated }
	for o := range s.Log.Where(wanted) {
		t := trace.Trace{Timestamp: o.LastSeen, About: o.ID, Source: trace.Auto}
		switch {
		case o.Type == knowledge.Decision:
			said := observe.ParseDetails(o.Details)
			t.Type, t.Event = trace.Decision, trace.Event{Happened: o.Pattern, Correct: said["decision"], Why: said["rationale"]}
		case slices.Contains(o.Marks, observe.MarkUserCorrection), slices.Contains(o.Marks, observe.MarkStated):
			t.Type, t.Source = trace.Correction, trace.User
			t.Event = trace.Event{Happened: cmp.Or(o.Mistake, o.Pattern), Correct: o.Fix, Why: o.Pattern}
		default:
			continue
		}
		all = append(all, t.Identified())
	}
	return all
}

// approvals are the lessons that a person reviewed.
func approvals(lessons []*lesson.Lesson) []trace.Trace {
	var all []trace.Trace
	for _, l := range lessons {
		at, err := time.Parse(time.DateOnly, l.ReviewedAt)
		if l.ReviewedBy == "" || err != nil {
			continue
		}
		all = append(all, trace.Trace{
			Type: trace.Approval, Source: trace.User, Timestamp: at, About: l.ID,
			Event: trace.Event{Happened: l.ReviewedBy + " accepted: " + l.Title, Correct: l.Fix()},
		}.Identified())
	}
	return all
}

// TraceQuery asks for traces.
type TraceQuery struct {
	Words []string
	Type  trace.Type // empty: any
	Agent string     // empty: any
	Limit int        // 0: as many as the budget of the level takes
	Level trace.Level
}

// QueryTraces answers within the budget of the level: the best match first, without words
// the newest. That it was asked is counted.
func (p *Project) QueryTraces(ctx context.Context, q TraceQuery) (trace.Answer, error) {
	all, err := p.Traces(ctx)
	if err != nil {
		return trace.Answer{}, err
	}
	all = lists.Filter(all, func(t trace.Trace) bool {
		return (q.Type == "" || t.Type == q.Type) && (q.Agent == "" || t.Context.Agent == q.Agent)
	})
	if len(q.Words) > 0 {
		places, err := database.Search(lists.Map(all, trace.Trace.Text), q.Words)
		if err != nil {
			return trace.Answer{}, err
		}
		all = lists.Map(places, func(i int) trace.Trace { return all[i] })
	}
	found := len(all)
	if q.Limit > 0 {
		all = all[:min(q.Limit, len(all))]
	}
	a, err := trace.Within(all, q.Level)
	a.LeftOut = found - len(a.Traces)
	if err == nil {
		_ = p.appendLine(p.queriesPath(), map[string]any{"at": p.Now().UTC(), "told": len(a.Traces)}, p.wait()) // a count that is missing
	}
	return a, err
}

// ErrNoTrace: no trace has the id.
var ErrNoTrace = errors.New("no trace has this id")

// TraceOf is the trace of an id.
func (p *Project) TraceOf(ctx context.Context, id string) (trace.Trace, error) {
	all, err := p.Traces(ctx)
	if err != nil {
		return trace.Trace{}, err
	}
	i := slices.IndexFunc(all, func(t trace.Trace) bool { return t.ID == id })
	if i < 0 {
		return trace.Trace{}, fmt.Errorf("%s: %w", id, ErrNoTrace)
	}
	_ = p.appendLine(p.queriesPath(), map[string]any{"at": p.Now().UTC(), "told": 1}, p.wait())
	return all[i], nil
}

// TracePatterns are what repeats in the traces.
func (p *Project) TracePatterns(ctx context.Context, atLeast int) ([]trace.Pattern, error) {
	all, err := p.Traces(ctx)
	return trace.Patterns(all, atLeast), err
}

// traceQueries counts how often traces were asked for since a moment.
func (p *Project) traceQueries(since time.Time) int {
	data, _ := p.FS.ReadFile(p.queriesPath()) // none are none
	return len(jsonlines.Read(data, func(query struct{ At time.Time }) bool { return !query.At.Before(since) }))
}
