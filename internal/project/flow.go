package project

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path"

	"github.com/lessons-cli/lessons/examples/agents"
	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/jsonlines"
	"github.com/lessons-cli/lessons/knowledge/flow"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Flow is this clone's choice to have agents led through a feature list. It is never the
// repository's: what a pull request holds leads nobody.
type Flow struct {
	Version         int `json:"version"`
	CallsBeforeEdit int `json:"callsBeforeEdit"` // after which a coding agent is told to act; 0: never
}

func (p *Project) flowPath() string { return p.shared("flow.json") }

// Flow says whether this clone chose a flow.
func (p *Project) Flow() (f Flow, on bool) {
	data, err := p.FS.ReadFile(p.flowPath())
	return f, err == nil && json.Unmarshal(data, &f) == nil && f.Version == 1
}

// PlanFlow are the changes of starting a flow: the example agents that are not there yet,
// where they are wanted.
func (p *Project) PlanFlow(withAgents bool) ([]store.Change, error) {
	var changes []store.Change
	if !withAgents {
		return nil, nil
	}
	names, err := fs.Glob(agents.Files, "*.md")
	for _, name := range names {
		to := path.Join(".claude/agents", name)
		before, readErr := p.Read(to)
		text, embedErr := agents.Files.ReadFile(name)
		if err = errors.Join(err, readErr, embedErr); err != nil {
			return nil, err
		}
		if before == nil {
			changes = append(changes, store.Change{Path: to, After: text})
		}
	}
	return changes, err
}

// StartFlow switches the flow on and carries out the plan of PlanFlow.
func (p *Project) StartFlow(ctx context.Context, f Flow, changes []store.Change) error {
	f.Version = 1
	if err := fsx.MkdirAll(p.FS, p.Store.Places.Shared); err != nil {
		return err
	}
	if len(changes) > 0 {
		if err := p.Store.Apply(store.Transaction{Changes: changes}); err != nil {
			return err
		}
	}
	if err := fsx.WriteFile(p.FS, p.flowPath(), jsonlines.Line(f)); err != nil {
		return err
	}
	_, err := p.Compile(ctx)
	return err
}

// StopFlow switches the flow off. Files stay as they are.
func (p *Project) StopFlow(ctx context.Context) error {
	if err := p.FS.Remove(p.flowPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, err := p.Compile(ctx)
	return err
}

// FlowNext is what comes next by the feature list, and by the time that the last hand-off gave.
func (p *Project) FlowNext() flow.Action {
	features, faults := p.features()
	if state, _, unread := p.flowState(); len(faults)+len(unread) == 0 {
		if late, is := flow.Overdue(features, state, p.Now()); is {
			return late
		}
	}
	return flow.Next(features, faults)
}

func (p *Project) features() ([]flow.Feature, []flow.Fault) {
	data, err := p.Read(flow.ListPath)
	if err != nil {
		return nil, []flow.Fault{{File: flow.ListPath, Text: err.Error(), Next: "make it a regular file"}}
	}
	return flow.Features(flow.ListPath, data)
}

func (p *Project) flowState() (flow.State, []byte, []flow.Fault) {
	data, err := p.Read(flow.StatePath)
	if err != nil {
		return flow.State{}, nil, []flow.Fault{{File: flow.StatePath, Text: err.Error(), Next: "make it a regular file"}}
	}
	s, faults := flow.ReadState(flow.StatePath, data)
	return s, data, faults
}

// CheckFlow says what is wrong with the feature list and the session state.
func (p *Project) CheckFlow() []flow.Fault {
	_, faults := p.features()
	_, _, more := p.flowState()
	return append(faults, more...)
}

// CheckHandoff holds a hand-off against the feature list, the session state and the files
// of the repository. What is wrong with those comes first.
func (p *Project) CheckHandoff(file string, data []byte) (flow.Handoff, []flow.Fault) {
	if faults := p.CheckFlow(); len(faults) > 0 {
		return flow.Handoff{}, faults
	}
	features, _ := p.features()
	state, _, _ := p.flowState()
	return flow.CheckHandoff(file, data, flow.World{Features: features, State: state, Exists: func(name string) bool {
		_, err := fsx.LstatBelow(p.FS, p.Root, name)
		return err == nil
	}})
}

// RecordHandoff notes a hand-off without faults in the session state.
func (p *Project) RecordHandoff(h flow.Handoff) error {
	_, before, _ := p.flowState()
	after, err := flow.Recorded(before, h, p.Now())
	if err != nil {
		return err
	}
	return p.Store.Apply(store.Transaction{Changes: []store.Change{{Path: flow.StatePath, Before: before, After: after}}})
}

// flowStart is what a session is told of the flow when it starts; empty where this clone
// chose none.
func (p *Project) flowStart(e agent.Event) string {
	if _, on := p.Flow(); !on {
		return ""
	}
	a := p.FlowNext()
	p.claimAction(e, a)
	return flowText(a)
}

// flowEnd answers the end of an agent: a sub-agent whose summary exceeds its budget shortens
// it, and the main agent goes on with what comes next, each of it once.
func (p *Project) flowEnd(e agent.Event) agent.Answer {
	if _, on := p.Flow(); !on || e.Again || !e.Can.Has(agent.HoldStop) {
		return agent.Answer{}
	}
	if e.Name == agent.SubagentStop {
		if s := flow.Measure(e.AgentType, e.Message); s.Exceeds() {
			return agent.Answer{Decision: agent.Block, Reason: s.String()}
		}
		return agent.Answer{}
	}
	a := p.FlowNext()
	if a.Step == flow.Initialise || e.AgentID != "" || !p.claimAction(e, a) {
		return agent.Answer{}
	}
	return agent.Answer{Decision: agent.Block, Reason: flowText(a)}
}

// claimAction says whether this action is new to the session. Where nothing can be
// remembered none is: nobody is kept from stopping for ever.
func (p *Project) claimAction(e agent.Event, a flow.Action) bool {
	session := inject.OpenSession(p.sessionPlaces(), e.Session, e.AgentID)
	won, err := session.Claim("flow "+a.Says, false)
	return won && err == nil
}

func flowText(a flow.Action) string {
	return "[lessons] The next step of the work in " + flow.ListPath + ": " + a.Says + " You need not ask the person first. lessons flow says what comes after it."
}
