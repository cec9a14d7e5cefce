// Package agent is the common ground of the coding agents that lessons works
// with: what their hooks report, what can be answered, and what lessons does at
// each event. The sub-packages know one agent's contract each.
package agent

// EventName is a moment in an agent's life, the same word for every agent.
type EventName string

const (
	SessionStart  EventName = "SessionStart"
	SubagentStart EventName = "SubagentStart"
	Stop          EventName = "Stop"
	SessionEnd    EventName = "SessionEnd"
)

// Event is what a hook reported. Every field may be empty: hook input is not
// to be relied on.
type Event struct {
	Name       EventName
	Session    string // the agent's own session id: only ever stored as a hash
	Cwd        string
	Source     string // of SessionStart: startup, resume, clear, compact
	Transcript string // file of the session
	AgentType  string // of SubagentStart
}

// Answer is what a hook says back. The zero value is silence.
type Answer struct {
	Context string // for the model
	Message string // for the person
}

// MaxContext is how many bytes one answer's context may have: below every
// agent's cap (rulings 37; observed.md: 10,000 characters).
const MaxContext = 9000
