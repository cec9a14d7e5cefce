package main

import (
	"context"

	"github.com/oklog/ulid/v2"

	"github.com/lessons-cli/lessons/internal/hook"
	"github.com/lessons-cli/lessons/internal/mcpserver"
	"github.com/lessons-cli/lessons/internal/project"
)

type mcpCommand struct{}

// mcpClients says how clients without hooks are told of the server.
const mcpClients = `Agents without hooks ask over MCP. Name the server in the client's settings:
  .mcp.json, .cursor/mcp.json, or JetBrains (Settings, Tools, AI Assistant, MCP)
    {"mcpServers": {"lessons": {"command": "lessons", "args": ["mcp"]}}}
  .zed/settings.json
    {"context_servers": {"lessons": {"command": "lessons", "args": ["mcp"]}}}
  .vscode/mcp.json
    {"servers": {"lessons": {"command": "lessons", "args": ["mcp"]}}}

`

// Run answers one MCP client on standard input and output, until it ends.
func (c *mcpCommand) Run(ctx context.Context, inv *invocation) error {
	sys := inv.sys
	if dir := sys.env("CLAUDE_PROJECT_DIR"); dir != "" {
		sys = sys.in(dir) // the client's own folder may be another one
	}
	server := &mcpserver.Server{
		Version: buildVersion(), Session: "mcp-" + ulid.Make().String(),
		Open:  func(ctx context.Context) (*project.Project, error) { return openProject(ctx, sys) },
		Hooks: &hook.System{Env: sys.env, Dir: sys.dir, Now: sys.now, Start: sys.background},
	}
	return server.Serve(ctx, sys.stdin, sys.answers)
}
