package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// pageSize is how many hits a page of results has where the client asks for no number,
// and maxPage how many it may have.
const (
	pageSize = 20
	maxPage  = 100
)

type searchIn struct {
	Query  string `json:"query" jsonschema:"words to look for"`
	Limit  int    `json:"limit,omitempty" jsonschema:"at most so many hits, up to 100; 20 where it is left out"`
	Cursor string `json:"cursor,omitempty" jsonschema:"nextCursor of the page before"`
}

type searchOut struct {
	Hits       []hit  `json:"hits"`
	Total      int    `json:"total"`
	NextCursor string `json:"nextCursor,omitempty" jsonschema:"where the next page begins; empty on the last one"`
}

type hit struct {
	ID     string `json:"id"`
	Kind   string `json:"kind" jsonschema:"adr, pf, lesson, skill, command or observation"`
	Title  string `json:"title"`
	Status string `json:"status"`
	Path   string `json:"path,omitempty"`

	Unreviewed bool `json:"unreviewed,omitempty" jsonschema:"others wrote it and nobody here has reviewed it"`
}

type readIn struct {
	ID string `json:"id" jsonschema:"ADR-001, PF-002, a lesson's file name, an observation's id, or a path"`
}

type readOut struct {
	hit
	Text string `json:"text"`
}

func (s *Server) addReading(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{
		Name: "search_knowledge", Annotations: readOnly("Search knowledge"),
		Description: "Search decisions, pitfalls, lessons, skills and observations of this repository, best match first.",
	}, s.search)
	mcp.AddTool(server, &mcp.Tool{
		Name: "read_entry", Annotations: readOnly("Read an entry"),
		Description: "Read one decision, pitfall, lesson, skill or observation in full.",
	}, answered(s, read))
}

func (s *Server) search(ctx context.Context, _ *mcp.CallToolRequest, in searchIn) (*mcp.CallToolResult, searchOut, error) {
	words := strings.Fields(in.Query)
	if len(words) == 0 {
		return nil, searchOut{}, errors.New("name a word to look for")
	}
	from, err := offset(in.Cursor)
	if err != nil {
		return nil, searchOut{}, err
	}
	out, err := with(ctx, s, func(p *project.Project) (searchOut, error) {
		all, err := items(ctx, p)
		if err != nil {
			return searchOut{}, err
		}
		items := all.Filter(func(i catalog.Item) bool {
			return i.Kind != catalog.KindObservation || i.Status != string(observe.Created) // its artifact says it
		})
		found := slices.Concat(
			lists.Map(matching(items.Trusted(), words), hitOf),
			lists.Map(matching(items.Unreviewed(), words), unreviewedHit))
		out := searchOut{Hits: []hit{}, Total: len(found)}
		n := pageSize
		if in.Limit > 0 {
			n = min(in.Limit, maxPage)
		}
		to := min(from+n, len(found))
		out.Hits = append(out.Hits, found[min(from, to):to]...)
		if to < len(found) {
			out.NextCursor = strconv.Itoa(to)
		}
		return out, ctx.Err()
	})
	return nil, out, err
}

func matching(items []catalog.Item, words []string) []catalog.Item {
	return catalog.Search(slices.Values(items), func(catalog.Item) bool { return true }, words, len(items))
}

// offset reads a cursor: the number of hits before the page.
func offset(cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(cursor)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("the cursor %q is none that a search gave", cursor)
	}
	return n, nil
}

// read gives what has a name. What nobody here reviewed says so in its text.
func read(ctx context.Context, p *project.Project, in readIn) (readOut, error) {
	all, err := items(ctx, p)
	if err != nil {
		return readOut{}, err
	}
	item, err := catalog.Find(all.All(), in.ID)
	if err != nil {
		return readOut{}, err
	}
	if slices.ContainsFunc(all.Unreviewed(), func(i catalog.Item) bool { return i.Path == item.Path && i.ID == item.ID }) {
		return readOut{unreviewedHit(item), provenance.Mark + item.Text()}, nil
	}
	return readOut{hitOf(item), item.Text()}, nil
}

// items are what can be asked for.
func items(ctx context.Context, p *project.Project) (provenance.List[catalog.Item], error) {
	snapshot, err := p.Store.Load()
	if err != nil {
		return provenance.List[catalog.Item]{}, err
	}
	return p.Items(ctx, snapshot), nil
}

func unreviewedHit(i catalog.Item) hit {
	h := hitOf(i)
	h.Unreviewed = true
	return h
}

func hitOf(i catalog.Item) hit {
	return hit{ID: i.ID, Kind: i.Kind, Title: i.Title, Status: i.Status, Path: i.Path}
}
