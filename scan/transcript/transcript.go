// Package transcript reads the session files of coding agents into one stream
// of events, whatever the agent. Readers are tolerant: unknown lines, other
// versions, torn last lines, copies and resumed sessions are normal.
//
// A User event holds words that a person wrote. What clients, hooks, commands
// and other agents write in a person's place is no event: it would be learned
// from as if somebody had said it. Refused calls are Rejection events in place
// of results; every other result is a ToolResult with its [Outcome], see
// [Result.Judge].
//
// A sub-agent's messages carry its id in Event.Agent and the session of its
// parent in Event.Session; nothing in them is a User event. Claude Code repeats
// them in progress lines, which are stepped over: they have files of their own.
//
// Texts are as they stand in the file: redact them before storing anything.
//
// An agent's format is a [table] of the kinds of objects in its files, in a file with
// the agent's name. What all have in common is in [reader]: files into objects, results
// to their calls, how a call ended, copies. A new agent is a table, a row in formats, and
// its names of tools in internal/agent/tools.
package transcript

import (
	"encoding/json"
	"time"

	"github.com/lessons-cli/lessons/internal/shell"
)

// EventKind is what happened.
type EventKind uint8

const (
	_         EventKind = iota
	User                // a person's message
	Assistant           // text of the agent
	ToolCall
	ToolResult
	Interrupt  // the person stopped the agent
	Rejection  // the person refused a tool call; Text holds their words, if any
	Compaction // the context was summarised
	Asked      // a hook of ours asked the agent something; Text is the ask's name
)

var kindNames = [...]string{User: "user", Assistant: "assistant", ToolCall: "tool-call", ToolResult: "tool-result", Interrupt: "interrupt", Rejection: "rejection", Compaction: "compaction", Asked: "asked"}

func (k EventKind) String() string { return kindNames[k] }

// Outcome is how a tool call ended, as far as its result says.
type Outcome uint8

const (
	Unsaid Outcome = iota // nobody knows
	OK
	Fail
	Masked   // a pipe or "|| true" hides the exit status
	Expected // non-zero, but an answer (grep found nothing)
	Rejected // by the person
	Interrupted
	Cancelled // a sibling call failed
	Blocked   // by a hook or a policy
	TimedOut
	NotRun // background handle, validation error before the run
)

var outcomeNames = [...]string{Unsaid: "", OK: "ok", Fail: "fail", Masked: "masked", Expected: "expected", Rejected: "rejected", Interrupted: "interrupted", Cancelled: "cancelled", Blocked: "blocked", TimedOut: "timeout", NotRun: "not-run"}

func (o Outcome) String() string { return outcomeNames[o] }

// Event is one step of a session.
type Event struct {
	Kind    EventKind
	Line    int       // 1-based line in the file; message index for one-object files
	Offset  int64     // where that line begins; 0 in one-object files
	Time    time.Time // zero when the file has none
	Session string    // the agent's own session id, raw: hash it before storing
	Agent   string    // sub-agent id, empty for the main thread
	Cwd     string
	ID      string // message uuid, or the tool-use id where there is none: what copies share
	Text    string // of user, assistant, rejection, result; see [Options.Texts]

	// Of tool calls and results.
	ToolUse   string          // links result to call
	Tool      string          // Bash, Edit, Read, … in every agent, else the agent's own name; on results too when known
	Input     json.RawMessage // of calls, under the names that Claude Code gives, as it stands in the file; see [Options.Inputs] and [ReadChange]
	Arguments                 // of calls, see [ReadArguments]
	Outcome   Outcome         // of results
	Exit      int             // exit status when known, else -1
	Parsed    *shell.Line     // of results of commands: the command line, where judging took it apart
}
