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
	// person's own (local). Both are the same where an agent knows only one.
	Settings(local bool) string
	// AddHooks, RemoveHooks and Registered work on the bytes of that file and
	// leave everything else in it as it is.
	AddHooks(doc []byte) ([]byte, error)
	RemoveHooks(doc []byte) ([]byte, error)
	Registered(doc []byte) ([]string, error)
	// Events are the hook events that AddHooks registers, in the agent's words.
	Events() []EventName
	// Command is what the agent is told to run at an event (in its words).
	Command(e EventName) string
	// Foreign lists hooks of other tools that keep the same files.
	Foreign(doc []byte) []string
	// Decode and Encode translate hook input and answer. Decode takes the agent's
	// word for the event and believes the input where it names another; of input
	// that cannot be read it returns what name alone tells, and an error. An event
	// of another agent, which reads this one's settings, has no Name, so that it
	// is answered once. Encode takes Event.Native; Event.Name does where an agent
	// has one word for it. Its nil is silence.
	Decode(name string, input []byte) (Event, error)
	Encode(name EventName, a Answer) []byte
	// Transcripts lists the session files of a repository below Home.
	Transcripts(home fs.FS, root string) ([]string, error)
}

// Obstacle is something that keeps registered hooks from firing.
type Obstacle struct {
	Text string
	Next string // what to do about it
}

// Inspector is a client that can tell from files what keeps its hooks from
// firing. home is the agent's folder, repo the work tree, root its path.
type Inspector interface {
	Obstacles(home, repo fs.FS, root string) []Obstacle
}

// SettingsFiles lists the files in which a client's hooks may be registered.
func SettingsFiles(c Client) []string {
	if team, own := c.Settings(false), c.Settings(true); own != team {
		return []string{team, own}
	}
	return []string{c.Settings(false)}
}
