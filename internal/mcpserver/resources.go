package mcpserver

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/catalog"
)

// Where resources are found.
const (
	indexURI  = "lessons://index"
	entryURI  = "lessons://entry/"
	asMD      = "text/markdown"
	entryForm = entryURI + "{id}"
)

func (s *Server) addResources(server *mcp.Server) {
	server.AddResource(&mcp.Resource{
		URI: indexURI, Name: "index", Title: "Index of decisions and pitfalls", MIMEType: asMD,
		Description: "What this repository knows, a line each, as agents with hooks are told when a session starts.",
	}, s.readIndex)
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: entryForm, Name: "entry", Title: "One entry", MIMEType: asMD,
		Description: "A decision, pitfall, lesson, skill or observation in full, by its id.",
	}, s.readResource)
}

func (s *Server) readIndex(ctx context.Context, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	text, err := s.index(ctx)
	return contents(indexURI, text), err
}

func (s *Server) readResource(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := r.Params.URI
	id, err := url.PathUnescape(strings.TrimPrefix(uri, entryURI))
	if err != nil {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	entry, err := with(ctx, s, func(p *project.Project) (readOut, error) { return read(ctx, p, readIn{ID: id}) })
	if _, missing := errors.AsType[*catalog.NotFoundError](err); missing {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	return contents(uri, entry.Text), err
}

func contents(uri, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: asMD, Text: text}}}
}
