// Package agent is the table of the coding agents that lessons works with: what
// their hooks report, what can be answered, how they are registered, and where
// an agent keeps its sessions. Each agent is a [Client], in a file of its own.
// Nothing heavy is linked here, because every hook pays for it; what lessons does
// at an event is package project's.
package agent

import "encoding/json"

// EventName is a moment in an agent's life, the same word for every agent.
type EventName string

const (
	SessionStart     EventName = "SessionStart"
	UserPromptSubmit EventName = "UserPromptSubmit"
	PreToolUse       EventName = "PreToolUse"
	PostToolUse      EventName = "PostToolUse" // also of a call that failed: Call.Failed
	SubagentStart    EventName = "SubagentStart"
	SubagentStop     EventName = "SubagentStop"
	PreCompact       EventName = "PreCompact"
	Stop             EventName = "Stop"
	SessionEnd       EventName = "SessionEnd"
)

// Event is what a hook reported. Every field may be empty: hook input is not
// to be relied on.
type Event struct {
	Name       EventName // empty: nothing that lessons answers, or another agent's event
	Native     EventName // the agent's own word for it, for [Client.Encode]
	Can        Ability   // what an answer can do here
	Session    string    // the agent's own session id: only ever stored as a hash
	Cwd        string
	Source     string // of SessionStart: startup, resume, clear, compact
	Transcript string // file of the session
	AgentID    string // of the sub-agent in which it happened; empty: the main agent
	AgentType  string // of SubagentStart and of calls of sub-agents
	Prompt     string // of UserPromptSubmit
	Message    string // last message of the agent, of Stop and SubagentStop
	Again      bool   // a stop hook already held this stop
	Call       *Call  // of PreToolUse and PostToolUse
}

// Call is one tool call, with the agent's names translated.
type Call struct {
	ID       string // as the transcript names it; empty: the agent does not say
	Tool     string // Bash, Read, Edit, Write, Glob, Grep, Agent, or the agent's own name
	RawTool  string // as the agent calls it
	Input    json.RawMessage
	Command  string   // of Bash: the command line
	Paths    []string // files that it reads or writes, as written
	PathKey  string   // the key of Input that names one of Paths; empty: none does
	Content  string   // text that it writes; of a tool with fields of its own, such as an MCP server's, its input
	Failed   bool     // of PostToolUse
	Unclear  bool     // of PostToolUse: the agent does not say whether it failed
	Response string   // of PostToolUse: what came back
	Took     int      // of PostToolUse: milliseconds that it ran; 0: the agent does not say
}

// Decision is what an answer does to a tool call or to a stop.
type Decision string

const (
	None  Decision = ""      // say nothing about it
	Deny  Decision = "deny"  // the call does not run; Reason goes to the model
	Ask   Decision = "ask"   // the person decides
	Block Decision = "block" // of Stop and SubagentStop: go on, for Reason
)

// Answer is what a hook says back. The zero value is silence.
type Answer struct {
	Context  string // for the model
	Message  string // for the person
	Decision Decision
	Reason   string
	Input    json.RawMessage // the call's input instead of its own; nil: as it is
}

// Ability is what an agent lets an answer do at an event. What is not among an
// event's abilities is left out of the answer, so a lesson must not count as
// shown there.
type Ability uint8

const (
	TellModel   Ability = 1 << iota // Context reaches the model
	TellPerson                      // Message reaches the person
	DenyCall                        // Deny holds a call back; Ask does too where AskPerson is missing
	AskPerson                       // Ask asks
	ChangeInput                     // Input takes effect, and approves nothing
	HoldStop                        // Block makes the agent go on
)

// Has says whether all of want are among the abilities.
func (a Ability) Has(want Ability) bool { return a&want == want }

// MaxResponse is how many bytes of a tool's answer are kept.
const MaxResponse = 64 << 10

// MaxContext is how many bytes one answer's context may have: below every
// agent's cap.
const MaxContext = 9000
