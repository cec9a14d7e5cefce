package project

import (
	"context"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/knowledge"
)

// Idle is a lesson that no call can bring, whatever it is.
type Idle struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Idle lists the lessons that are in no index, and why.
func (p *Project) Idle(ctx context.Context, s *knowledge.Snapshot) ([]Idle, error) {
	data, problems, err := p.compiled(ctx, "")
	if err != nil {
		return nil, err
	}
	index, err := inject.Open(data)
	if err != nil {
		return nil, err
	}
	var idle []Idle
	for _, l := range s.Lessons {
		if _, ok := index.Find(l.ID); ok {
			continue
		}
		why := "its status is " + l.Status
		if l.Status == knowledge.StatusActive {
			why = "its time has not come or is over, or another took its place"
			for _, problem := range problems {
				if problem.Path == l.Path {
					why = problem.Text
				}
			}
		}
		idle = append(idle, Idle{l.Path, why})
	}
	return idle, index.Err()
}

// Explain holds every lesson against a tool call and says why it matches or not.
// scoring names a way of ranking; empty: that of the setting scoringMode.
func (p *Project) Explain(ctx context.Context, e agent.Event, scoring string) ([]inject.Match, error) {
	data, _, err := p.compiled(ctx, scoring)
	if err != nil {
		return nil, err
	}
	index, err := inject.Open(data)
	if err != nil {
		return nil, err
	}
	call := inject.Call{Agent: e.AgentType, Prompt: e.Prompt, Root: p.Root, Dir: e.Cwd}
	if e.Call != nil {
		call.Tool, call.Command, call.Paths, call.Content = e.Call.Tool, e.Call.Command, e.Call.Paths, e.Call.Content
	}
	return index.Explain(call, inject.Options{}), index.Err()
}
