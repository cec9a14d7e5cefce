package agent

import "io/fs"

// Client is the contract of one coding agent: how its hooks are registered, what
// they say and want to hear, and where it keeps transcripts. Paths are
// repository-relative with slashes.
type Client interface {
	// Name is the word for this agent on the command line, such as "claude".
	Name() string
	// Home is the agent's own folder for a person, such as ~/.claude.
	Home(home string, env func(string) string) string
	// Settings is the file in which hooks are registered: the team's, or the
	// person's own (local).
	Settings(local bool) string
	// AddHooks, RemoveHooks and Registered work on the bytes of that file and
	// leave everything else in it as it is.
	AddHooks(doc []byte) ([]byte, error)
	RemoveHooks(doc []byte) ([]byte, error)
	Registered(doc []byte) ([]string, error)
	// Events are the hook events that AddHooks registers.
	Events() []EventName
	// Command is what the agent is told to run at an event.
	Command(e EventName) string
	// Foreign lists hooks of other tools that keep the same files.
	Foreign(doc []byte) []string
	// Decode and Encode translate hook input and answer; Encode's nil is silence.
	Decode(name string, input []byte) (Event, error)
	Encode(name EventName, a Answer) []byte
	// Transcripts lists the session files of a repository below Home.
	Transcripts(home fs.FS, root string) ([]string, error)
}
