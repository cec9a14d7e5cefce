package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/trace"
)

type storeTraceIn struct {
	Type    string        `json:"type" jsonschema:"correction, violation, decision or approval"`
	Context trace.Context `json:"context,omitempty" jsonschema:"agent, feature and task; tool, command or path where it was a call"`
	Event   trace.Event   `json:"event" jsonschema:"what_happened, what_was_correct, why"`
	Source  string        `json:"source,omitempty" jsonschema:"enforcement_hook, user_correction or auto_detected; the last where it is left out"`
}

type storeTraceOut struct {
	ID string `json:"id"`
}

type queryTracesIn struct {
	Query string `json:"query,omitempty" jsonschema:"words to look for; without any the newest come first"`
	Level string `json:"level,omitempty" jsonschema:"metadata, summary or full; metadata where it is left out"`
	Type  string `json:"type,omitempty" jsonschema:"correction, violation, decision or approval"`
	Limit int    `json:"limit,omitempty" jsonschema:"at most so many"`
}

// toldTrace is a trace at a level: what that does not tell is left out. Its fields are spelt
// out, as clients refuse a schema that allows anything.
type toldTrace struct {
	trace.Told
	Project string         `json:"project,omitempty"`
	Context *trace.Context `json:"context,omitempty"`
	Event   *trace.Event   `json:"event,omitempty"`
	Source  trace.Source   `json:"source,omitempty"`
	Session string         `json:"session,omitempty"`
	About   string         `json:"about,omitempty" jsonschema:"the lesson, entry or observation that it comes from"`
}

func toldAt(t trace.Trace, level trace.Level) toldTrace {
	if told, ok := t.At(level).(trace.Told); ok {
		return toldTrace{Told: told}
	}
	return toldTrace{
		Told: trace.Told{ID: t.ID, Type: t.Type, Timestamp: t.Timestamp}, Project: t.Project, Context: &t.Context, Event: &t.Event,
		Source: t.Source, Session: t.Session, About: t.About,
	}
}

type queryTracesOut struct {
	Traces  []toldTrace `json:"traces"`
	LeftOut int         `json:"left_out,omitempty" jsonschema:"how many more there are"`
}

type getTraceIn struct {
	ID    string `json:"id"`
	Level string `json:"level,omitempty" jsonschema:"metadata, summary or full; full where it is left out"`
}

type getTraceOut struct {
	Trace toldTrace `json:"trace"`
}

type extractPatternsIn struct {
	Min int `json:"min,omitempty" jsonschema:"what happened at least so often; 2 where it is left out"`
}

type extractPatternsOut struct {
	Patterns []trace.Pattern `json:"patterns"`
}

type createGuardIn struct {
	Pattern string `json:"pattern,omitempty" jsonschema:"the id of a pattern of extract_patterns"`
	Title   string `json:"title,omitempty"`
	Command string `json:"command,omitempty" jsonschema:"the command that it is about: program, sub-command and flags"`
	Path    string `json:"path,omitempty" jsonschema:"or the files, as a glob"`
	First   string `json:"first,omitempty" jsonschema:"a command that has to run before; without it nothing makes the call right"`
	Suggest string `json:"suggest,omitempty" jsonschema:"what to do instead"`
}

type createGuardOut struct {
	Path   string `json:"path" jsonschema:"the draft's file; it acts nowhere until a person promotes it"`
	Status string `json:"status"`
	Right  int    `json:"right" jsonschema:"calls of the past that went wrong and would have been held back"`
	Wrong  int    `json:"wrong" jsonschema:"calls of the past that worked and would have been held back"`
}

func (s *Server) addTraces(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{
		Name: "store_trace", Annotations: writes("Keep a trace", false),
		Description: "Keep a correction, violation, decision or approval: what happened, what was correct, and why.",
	}, answered(s, storeTrace))
	mcp.AddTool(server, &mcp.Tool{
		Name: "query_traces", Annotations: readOnly("Find traces"),
		Description: "Find what was corrected, violated, decided or approved before. Begin with level metadata, then summary, then get_trace.",
	}, answered(s, queryTraces))
	mcp.AddTool(server, &mcp.Tool{
		Name: "get_trace", Annotations: readOnly("Read a trace"),
		Description: "Read one trace in full, or at another level.",
	}, answered(s, getTrace))
	mcp.AddTool(server, &mcp.Tool{
		Name: "extract_patterns", Annotations: readOnly("What repeats"),
		Description: "List violations and corrections that repeat, the most frequent first.",
	}, answered(s, extractPatterns))
	mcp.AddTool(server, &mcp.Tool{
		Name: "create_guard", Annotations: writes("Draft a guard", false),
		Description: "Write the draft of a guard for a pattern, or for a command or files, and hold it against the calls of the past. It acts nowhere until a person promotes it.",
	}, s.createGuard)
}

func storeTrace(_ context.Context, p *project.Project, in storeTraceIn) (storeTraceOut, error) {
	t, err := p.StoreTrace(trace.Trace{
		Type: trace.Type(in.Type), Context: in.Context, Event: in.Event, Source: cmp.Or(trace.Source(in.Source), trace.Auto),
	})
	return storeTraceOut{t.ID}, err
}

func queryTraces(ctx context.Context, p *project.Project, in queryTracesIn) (queryTracesOut, error) {
	level := cmp.Or(trace.Level(in.Level), trace.Metadata)
	a, err := p.QueryTraces(ctx, project.TraceQuery{Words: strings.Fields(in.Query), Type: trace.Type(in.Type), Limit: in.Limit, Level: level})
	told := lists.Map(a.Told, func(t trace.Trace) toldTrace { return toldAt(t, level) })
	return queryTracesOut{Traces: append([]toldTrace{}, told...), LeftOut: a.LeftOut}, err
}

func getTrace(ctx context.Context, p *project.Project, in getTraceIn) (getTraceOut, error) {
	t, err := p.TraceOf(ctx, in.ID)
	return getTraceOut{toldAt(t, cmp.Or(trace.Level(in.Level), trace.Full))}, err
}

func extractPatterns(ctx context.Context, p *project.Project, in extractPatternsIn) (extractPatternsOut, error) {
	if in.Min < 1 {
		in.Min = trace.MinRepeats
	}
	patterns, err := p.TracePatterns(ctx, in.Min)
	return extractPatternsOut{append([]trace.Pattern{}, patterns...)}, err
}

func (s *Server) createGuard(ctx context.Context, _ *mcp.CallToolRequest, in createGuardIn) (*mcp.CallToolResult, createGuardOut, error) {
	if in.Pattern == "" && in.Command == "" && in.Path == "" {
		return nil, createGuardOut{}, errors.New("name the pattern, or the command or path that it is about")
	}
	out, err := with(ctx, s, func(p *project.Project) (createGuardOut, error) {
		d := project.GuardDraft{Title: in.Title, Command: in.Command, Path: in.Path, First: in.First, Suggest: in.Suggest, Evidence: "An agent proposed it."}
		if in.Pattern != "" {
			of, err := p.GuardOfPattern(ctx, in.Pattern)
			if err != nil {
				return createGuardOut{}, err
			}
			d = d.Over(of)
		}
		g, err := p.CreateGuard(d)
		if err != nil {
			return createGuardOut{}, err
		}
		return createGuardOut{g.Lesson.Path, g.Lesson.Status, len(g.Held.Right), len(g.Held.Wrong)}, nil
	})
	return nil, out, err
}
