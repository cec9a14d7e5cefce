package project

import (
	"context"

	"github.com/lessons-cli/lessons/agent"
	"github.com/lessons-cli/lessons/inject"
)

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
