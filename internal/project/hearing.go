package project

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/jsonlines"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/problem"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/scan"
)

// What an agent tells by itself, over a protocol in place of a transcript, is read as the
// session would be in which it said that: the same detectors, the same gates.

// Proposal is what became of something that an agent proposed.
type Proposal struct {
	ID     string         `json:"id"`
	Title  string         `json:"title"`
	Status observe.Status `json:"status"`
	Lacks  string         `json:"lacks,omitempty"` // what it needs to be written down
}

// Propose keeps a block that an agent wrote as evidence of its session. The next render
// writes it as it writes a block in a transcript.
func (p *Project) Propose(ctx context.Context, session, block string) (Proposal, error) {
	return attempt(p, func(s *store.Snapshot) (Proposal, error) {
		result, err := p.hear(ctx, s, nil, p.heardLine(session, "assistant", map[string]any{"type": "text", "text": block}))
		switch {
		case err != nil:
			return Proposal{}, err
		case len(result.Problems) > 0:
			return Proposal{}, errors.New(result.Problems[0].Text)
		case len(result.Learned) == 0:
			return Proposal{}, errors.New("it holds nothing that can be kept")
		}
		if err := p.Store.Apply(store.Transaction{Log: result.Log}); err != nil {
			return Proposal{}, err
		}
		o := result.Log.Get(result.Learned[0])
		return Proposal{o.ID, o.Pattern, o.Status, o.Unfit}, nil
	})
}

// Known is a problem with the lesson that covers it, if there is one.
type Known struct {
	Problem *problem.Problem
	Cover   Cover
}

// Met returns the problems that earlier sessions met where a call failed with an output:
// the same problem, else those that say the same.
func (p *Project) Met(ctx context.Context, call agent.Call, output string) ([]Known, error) {
	failure, err := p.failure(ctx, call, output)
	if err != nil || failure == nil {
		return nil, err
	}
	found, _, err := p.Problems(ctx, time.Time{})
	var same, alike []Known
	says := fingerprint.Template(failure.Line)
	for _, one := range found.All {
		switch {
		case one.Is(failure):
			same = append(same, Known{one, found.Covers[one.ID]})
		case says != "" && fingerprint.Template(one.What) == says:
			alike = append(alike, Known{one, found.Covers[one.ID]})
		}
	}
	if len(same) > 0 {
		return same, err
	}
	return alike, err
}

// failure is what the call log would keep of a failed call; nil: it shows none.
func (p *Project) failure(ctx context.Context, call agent.Call, output string) (*calls.Failure, error) {
	input := map[string]any{}
	if call.Command != "" {
		input["command"] = call.Command
	}
	for _, path := range call.Paths {
		input["file_path"] = path
	}
	var log []byte
	keep := func(_ string, lines []byte, _ bool) error {
		log = append(log, lines...)
		return nil
	}
	_, err := p.hear(ctx, &store.Snapshot{Log: &observe.Log{}}, keep,
		p.heardLine("call", "assistant", map[string]any{"type": "tool_use", "id": "call", "name": call.Tool, "input": input}),
		p.heardLine("call", "user", map[string]any{"type": "tool_result", "tool_use_id": "call", "is_error": true, "content": output}))
	if err != nil {
		return nil, err
	}
	session, _ := calls.Parse("call", log)
	for _, c := range session.Calls {
		if c.Failure != nil {
			return c.Failure, nil
		}
	}
	return nil, nil
}

// hear scans lines of a session that has no file.
func (p *Project) hear(ctx context.Context, s *store.Snapshot, keep func(string, []byte, bool) error, lines ...[]byte) (scan.Result, error) {
	text := bytes.Join(lines, nil)
	return scan.Run(ctx, scan.Input{
		Files: []scan.File{{
			Path: "told.jsonl",
			Open: func() (io.ReadSeekCloser, scan.FileInfo, error) {
				return unclosed{bytes.NewReader(text)}, scan.FileInfo{Size: int64(len(text))}, nil
			},
		}},
		All: true, Log: s.Log, Redactor: p.Redactor(), Now: p.Now(), Root: p.Root, Config: s.Config, Version: p.Version, Calls: keep,
	})
}

type unclosed struct{ *bytes.Reader }

func (unclosed) Close() error { return nil }

// heardLine is a line of a session file in Claude Code's form.
func (p *Project) heardLine(session, role string, content map[string]any) []byte {
	return jsonlines.Line(map[string]any{
		"type": role, "sessionId": session, "cwd": p.Root, "timestamp": p.Now().UTC(),
		"message": map[string]any{"role": role, "content": []any{content}},
	})
}
