package mcpserver

import (
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lessons-cli/lessons/internal/project"
)

type proposeIn struct {
	Tool     string `json:"tool,omitempty" jsonschema:"of a lesson: the tool that was used, such as Bash or Edit"`
	Trigger  string `json:"trigger,omitempty" jsonschema:"of a lesson: the command line or path that went wrong, as it was"`
	Mistake  string `json:"mistake,omitempty" jsonschema:"of a lesson: what went wrong"`
	Fix      string `json:"fix,omitempty" jsonschema:"of a lesson: what to do instead"`
	Decision string `json:"decision,omitempty" jsonschema:"of a decision: what was decided"`
	Because  string `json:"because,omitempty" jsonschema:"of a decision: the reason"`
	About    string `json:"about,omitempty" jsonschema:"of a decision: what it is about, such as a path or a module"`
}

func (s *Server) addWriting(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{
		Name: "propose", Annotations: writes("Propose a lesson or a decision", true),
		Description: "Keep a mistake with its fix, or a decision with its reason, as what this session learned. The next render writes it to a file, which people review in a pull request.",
	}, s.propose)
}

func (s *Server) propose(ctx context.Context, _ *mcp.CallToolRequest, in proposeIn) (*mcp.CallToolResult, project.Proposal, error) {
	block, err := in.block()
	if err != nil {
		return nil, project.Proposal{}, err
	}
	out, err := with(ctx, s, func(p *project.Project) (project.Proposal, error) { return p.Propose(ctx, s.Session, block) })
	return nil, out, err
}

// block is the proposal in the form in which agents report.
func (in proposeIn) block() (string, error) {
	lesson := field("tool", in.Tool) + field("trigger", in.Trigger) + field("mistake", in.Mistake) + field("fix", in.Fix)
	decision := field("decision", in.Decision) + field("because", in.Because) + field("about", in.About)
	switch {
	case lesson != "" && decision != "":
		return "", errors.New("propose a lesson or a decision, not both at once")
	case in.Decision != "" && in.Because != "":
		return "#decision\n" + decision + "#/decision\n", nil
	case decision != "":
		return "", errors.New("a decision needs decision and because")
	case in.Mistake == "" || in.Fix == "":
		return "", errors.New("a lesson needs mistake and fix; a decision needs decision and because")
	}
	return "#lesson\n" + lesson + "#/lesson\n", nil
}

// field is one line of a block.
func field(name, value string) string {
	if value = strings.Join(strings.Fields(value), " "); value == "" {
		return ""
	}
	return name + ": " + value + "\n"
}
