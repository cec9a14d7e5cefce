package project

import (
	"io/fs"
	"os"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/lists"
)

// FoundAgent is an agent that is used here, and by what that can be told.
type FoundAgent struct {
	*agent.Client
	By         string
	Registered bool // its hooks are in this repository
}

// FindAgents looks for agents in the repository, in the person's home and on PATH.
func (p *Project) FindAgents(clients []*agent.Client) []FoundAgent {
	var found []FoundAgent
	for _, c := range clients {
		f := FoundAgent{Client: c}
		if where, err := p.HooksIn(c); err != nil || len(where) > 0 {
			f.Registered, f.By = true, "set up here"
		} else {
			homes := []fs.FS{os.DirFS(c.Home(p.Home, p.Env)), os.DirFS(c.PersonalHome(p.Home, p.Env))}
			f.By = c.Found(os.DirFS(p.Root), homes, func(program string) bool { return p.OnPath != nil && p.OnPath(program) })
		}
		if f.By != "" {
			found = append(found, f)
		}
	}
	return found
}

// Proposed are the agents that init sets up: those that are set up here already, else all
// that were found, else the first one of all.
func Proposed(found []FoundAgent, all []*agent.Client) []*agent.Client {
	client := func(f FoundAgent) *agent.Client { return f.Client }
	if here := lists.Filter(found, func(f FoundAgent) bool { return f.Registered }); len(here) > 0 {
		return lists.Map(here, client)
	}
	if len(found) > 0 {
		return lists.Map(found, client)
	}
	return all[:1]
}
