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
package transcript

import (
	"encoding/json"
	"time"
)

// EventKind is what happened.
type EventKind string

const (
	User       EventKind = "user"      // a person's message
	Assistant  EventKind = "assistant" // text of the agent
	ToolCall   EventKind = "tool-call"
	ToolResult EventKind = "tool-result"
	Interrupt  EventKind = "interrupt"  // the person stopped the agent
	Rejection  EventKind = "rejection"  // the person refused a tool call; Text holds their words, if any
	Compaction EventKind = "compaction" // the context was summarised
)

// Outcome is how a tool call ended, as far as its result says.
type Outcome string

const (
	OK          Outcome = "ok"
	Fail        Outcome = "fail"
	Masked      Outcome = "masked"   // a pipe or "|| true" hides the exit status
	Expected    Outcome = "expected" // non-zero, but an answer (grep found nothing)
	Rejected    Outcome = "rejected" // by the person
	Interrupted Outcome = "interrupted"
	Cancelled   Outcome = "cancelled" // a sibling call failed
	Blocked     Outcome = "blocked"   // by a hook or a policy
	TimedOut    Outcome = "timeout"
	NotRun      Outcome = "not-run" // background handle, validation error before the run
)

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
}
