// Package mcpserver serves a repository's knowledge over the Model Context Protocol, for
// agents that have no hooks. It informs: a client that asks is told what a hook would have
// told it, and nothing here can stop a call.
package mcpserver

import (
	"context"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lessons-cli/lessons/internal/hook"
	"github.com/lessons-cli/lessons/internal/project"
)

// Server answers one client. Every request opens the repository anew, so it says what
// stands there now.
type Server struct {
	Version string
	Open    func(context.Context) (*project.Project, error) // the caller closes it
	Hooks   *hook.System                                    // what a hook knows of a call
	Session string                                          // names this client in the evidence that it gives
}

// Serve answers until the input ends or ctx does.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	err := s.server(ctx).Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: visible{out}})
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// advice is what a client is told of the tools beside the index.
const advice = `This repository keeps lessons of earlier sessions. Call check before a command or an edit that is not trivial, ` +
	`and fix after a failure. Call propose when you learned something that later sessions should know. ` +
	`These tools inform; what they say of others' lessons is marked where nobody here reviewed it.`

func (s *Server) server(ctx context.Context) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "lessons", Title: "Lessons of this repository", Version: s.Version},
		&mcp.ServerOptions{Instructions: s.instructions(ctx), Capabilities: &mcp.ServerCapabilities{}})
	s.addAsking(server)
	s.addReading(server)
	s.addWriting(server)
	s.addCapturing(server)
	s.addTraces(server)
	s.addResources(server)
	return server
}

// instructions are the advice and the index, as a session's start tells them. Without a
// repository it is the advice alone.
func (s *Server) instructions(ctx context.Context) string {
	text, err := s.index(ctx)
	if err != nil || text == "" {
		return advice
	}
	return advice + "\n\n" + text
}

// index is the index as a session's start tells it.
func (s *Server) index(ctx context.Context) (string, error) {
	return with(ctx, s, func(p *project.Project) (string, error) {
		text, _, err := p.IndexText(ctx)
		return text, err
	})
}

// with opens the repository for one request.
func with[T any](ctx context.Context, s *Server, ask func(*project.Project) (T, error)) (T, error) {
	p, err := s.Open(ctx)
	if err != nil {
		var none T
		return none, err
	}
	defer p.Close()
	return ask(p)
}

// answered is a tool that asks the repository.
func answered[In, Out any](s *Server, ask func(context.Context, *project.Project, In) (Out, error)) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		out, err := with(ctx, s, func(p *project.Project) (Out, error) { return ask(ctx, p, in) })
		return nil, out, err
	}
}
