package agent

import (
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/agent/payload"
	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// All are the coding agents that lessons knows.
var All = []*Client{Claude, Codex, Gemini, OpenCode, Cursor, Copilot}

// Named is the agent of that name.
func Named(name string) (*Client, bool) {
	return lists.Find(All, func(c *Client) bool { return c.Name == name })
}

// Client is one coding agent as data: where it keeps things, how its hooks are
// registered, what they say and what they can be answered. One decoder and one
// encoder read it; what is no data is a function, in the agent's own file. Paths
// have slashes.
type Client struct {
	Name string // the word for it on the command line
	home folder // its own folder, such as ~/.claude

	settings folder // of a person's settings, where they are not in home

	program string   // by which it is started
	marks   []string // files and folders of a repository in which it is used

	team, own    string        // files of a repository in which hooks are registered; own: this person's
	file         hookfile.File // how such a file is written
	hooks        []hook        // the events that it knows, in the order in which they are registered
	milliseconds bool          // time-outs are given in these, not in seconds
	refuses      bool          // a call whose hook fails is not made
	label        string        // name of each registered hook, where hooks have one

	tools  tools.Names // its words for tools, where they differ from everybody's
	input  fields      // of hook input
	taken  []string    // other agents for which its input can be taken
	answer []field     // of a hook's answer
	held   Decision    // its word for holding a stop
	merged bool        // the context of a denial goes behind the reason

	open      func(event string, input []byte) (o payload.Object, native string, err error) // nil: the input is a plain object
	adjust    func(e *Event, o payload.Object)                                              // completes an event; may be nil
	sessions  func(home fs.FS, root string) ([]string, error)                               // nil: they cannot be read
	memories  func(home fs.FS, root string) []string                                        // what it remembers of a repository; nil: nothing
	late      time.Duration                                                                 // within which a session's file is whole after its end
	obstacles func(home, repo fs.FS, root string) []Obstacle                                // may be nil
	personal  []string                                                                      // below the settings: globs of files whose hooks run in every repository
	plugins   func(home, repo fs.FS) []string                                               // in words, the plugins that run lessons' hooks; may be nil
	asking    *asking                                                                       // nil: its program cannot be asked
}

// hook is one event of an agent.
type hook struct {
	native  EventName // the agent's word for it
	event   EventName // everybody's
	can     Ability   // what an answer can do here
	matcher string    // of which tools it is wanted; empty: of all
	timeout int       // in seconds; 0 stands for defaultTimeout
	kind    string    // what the field input.kind must say; empty: anything
	failed  bool      // it reports calls that failed
	known   bool      // it is answered, but not registered
}

const defaultTimeout = 5

// folder is base below the person's home, or what an environment variable names
// instead, and below that.
type folder struct{ env, base, below string }

// Home is the agent's own folder for a person.
func (c *Client) Home(home string, env func(string) string) string { return c.home.in(home, env) }

// PersonalHome is the folder of a person's settings of the agent.
func (c *Client) PersonalHome(home string, env func(string) string) string {
	return c.settingsFolder().in(home, env)
}

func (c *Client) settingsFolder() folder {
	if c.settings == (folder{}) {
		return c.home
	}
	return c.settings
}

func (f folder) in(home string, env func(string) string) string {
	dir := filepath.Join(home, filepath.FromSlash(f.base))
	if f.env != "" && env(f.env) != "" {
		dir = env(f.env)
	}
	return filepath.Join(dir, f.below)
}

// SessionEnd is the event at which a session counts as over: the end of each
// turn, where the agent tells of no other end. Empty: its sessions cannot be read.
func (c *Client) SessionEnd() EventName {
	switch {
	case c.sessions == nil:
		return ""
	case slices.ContainsFunc(c.hooks, func(h hook) bool { return h.event == SessionEnd }):
		return SessionEnd
	}
	return Stop
}

// Late is within which time the file of a session is whole after the events of its end.
func (c *Client) Late() time.Duration { return c.late }

// Sessions lists the files below Home that hold sessions of a repository.
func (c *Client) Sessions(home fs.FS, root string) ([]string, error) {
	if c.sessions == nil {
		return nil, nil
	}
	return c.sessions(home, root)
}

// Memories lists the files and folders below Home in which it keeps what it remembers of a
// repository; they may not be there.
func (c *Client) Memories(home fs.FS, root string) []string {
	if c.memories == nil {
		return nil
	}
	return c.memories(home, root)
}

// Obstacle is something that keeps registered hooks from firing.
type Obstacle struct {
	Text string
	Next string // what to do about it
}

// Obstacles tells from files what keeps the agent's hooks from firing. home is
// its own folder, repo the work tree, root its path.
func (c *Client) Obstacles(home, repo fs.FS, root string) []Obstacle {
	if c.obstacles == nil {
		return nil
	}
	return c.obstacles(home, repo, root)
}
