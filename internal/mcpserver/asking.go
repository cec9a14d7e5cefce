package mcpserver

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/project"
)

type checkIn struct {
	Command string `json:"command,omitempty" jsonschema:"the shell command line that is about to run"`
	Path    string `json:"path,omitempty" jsonschema:"the file that is about to be read or changed, relative to the repository"`
	Tool    string `json:"tool,omitempty" jsonschema:"the tool of the call, such as Edit or Read; Bash where a command is given"`
}

type checkOut struct {
	Known []known `json:"known"`
}

// known is one lesson, or a notice of problems, about a call.
type known struct {
	ID         string `json:"id"`
	Path       string `json:"path,omitempty" jsonschema:"the lesson's file"`
	Title      string `json:"title,omitempty"`
	Says       string `json:"says"`
	Instead    string `json:"instead,omitempty" jsonschema:"what to do instead"`
	Unreviewed bool   `json:"unreviewed,omitempty" jsonschema:"nobody here has reviewed what the file says"`
}

type fixIn struct {
	Error   string `json:"error" jsonschema:"what the failed call printed"`
	Command string `json:"command,omitempty" jsonschema:"the shell command line that failed"`
	Path    string `json:"path,omitempty" jsonschema:"the file that the call was about, where it was no command"`
	Tool    string `json:"tool,omitempty" jsonschema:"the tool that failed; Bash where a command is given"`
}

type fixOut struct {
	Problems []mended `json:"problems"`
}

// mended is a problem that earlier sessions met, with what ended it.
type mended struct {
	ID       string `json:"id"`
	Problem  string `json:"problem"`
	Sessions int    `json:"sessions" jsonschema:"how many sessions met it"`
	Advice   string `json:"advice,omitempty" jsonschema:"what worked; empty where nothing is known"`
	Worked   int    `json:"worked,omitempty" jsonschema:"how often that worked"`
	Lesson   string `json:"lesson,omitempty" jsonschema:"the file of the lesson about it"`
}

// readOnly are the annotations of tools that change nothing.
func readOnly(title string) *mcp.ToolAnnotations {
	closed := false
	return &mcp.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed}
}

// writes says of a tool that it adds, and takes nothing away.
func writes(title string, again bool) *mcp.ToolAnnotations {
	kept, closed := false, false
	return &mcp.ToolAnnotations{Title: title, DestructiveHint: &kept, IdempotentHint: again, OpenWorldHint: &closed}
}

func (s *Server) addAsking(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{
		Name: "check", Annotations: readOnly("What is known of a call"),
		Description: "Say what earlier sessions learned about a command or a file, before it is run or changed.",
	}, s.check)
	mcp.AddTool(server, &mcp.Tool{
		Name: "fix", Annotations: readOnly("What mended a failure"),
		Description: "Say whether earlier sessions met a failure, and what mended it.",
	}, answered(s, fix))
}

func (s *Server) check(ctx context.Context, _ *mcp.CallToolRequest, in checkIn) (*mcp.CallToolResult, checkOut, error) {
	if in.Command == "" && in.Path == "" {
		return nil, checkOut{}, errors.New("name the command or the path that it is about")
	}
	out := checkOut{Known: []known{}}
	root, err := with(ctx, s, func(p *project.Project) (string, error) { return p.Root, nil })
	if err != nil {
		return nil, out, err
	}
	e := agent.Event{Name: agent.PreToolUse, Cwd: root, Can: agent.TellModel, Call: callOf(in.Tool, in.Command, in.Path)}
	for _, l := range s.Hooks.Known(e) {
		out.Known = append(out.Known, known{ID: l.ID, Path: l.Path, Title: l.Title, Says: l.Text, Instead: l.Fix, Unreviewed: l.Unreviewed})
	}
	return nil, out, ctx.Err()
}

func fix(ctx context.Context, p *project.Project, in fixIn) (fixOut, error) {
	out := fixOut{Problems: []mended{}}
	found, err := p.Met(ctx, *callOf(in.Tool, in.Command, in.Path), in.Error)
	for _, m := range found {
		one := mended{ID: m.Problem.ID, Problem: m.Problem.Name(), Sessions: len(m.Problem.Sessions)}
		if best, ok := m.Problem.Best(); ok {
			one.Advice, one.Worked = m.Problem.Advice(), best.Worked
		}
		if m.Cover.Lesson != nil {
			one.Lesson = m.Cover.Lesson.Path
		}
		out.Problems = append(out.Problems, one)
	}
	return out, err
}

// callOf is a call of which its tool may be left out.
func callOf(tool, command, path string) *agent.Call {
	c := &agent.Call{Tool: tools.Common(tool), Command: command}
	if c.Tool == "" {
		if c.Tool = "Edit"; command != "" {
			c.Tool = "Bash"
		}
	}
	c.RawTool = c.Tool
	if path != "" {
		c.Paths = []string{path}
	}
	return c
}
