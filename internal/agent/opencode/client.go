// Package opencode knows OpenCode: the plugin that asks lessons at its events,
// and the JSON that the plugin speaks.
package opencode

import (
	"io/fs"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// name is the word for OpenCode on the command line.
const name = "opencode"

// PluginPath is the file that registers lessons. OpenCode loads what lies there.
const PluginPath = ".opencode/plugin/lessons.ts"

// Client is OpenCode.
type Client struct{}

var (
	_ agent.Client    = Client{}
	_ agent.Prompter  = Client{}
	_ agent.Inspector = Client{}
)

// Name implements [agent.Client].
func (Client) Name() string { return name }

// Home is opencode in XDG_DATA_HOME, else in ~/.local/share.
func (Client) Home(home string, env func(string) string) string {
	if dir := env("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "opencode")
	}
	return filepath.Join(home, ".local", "share", "opencode")
}

// Settings implements [agent.Client].
func (Client) Settings(bool) string { return PluginPath }

// AddHooks implements [agent.Client]: the document is the plugin.
func (Client) AddHooks(doc []byte) ([]byte, error) { return install(doc) }

// RemoveHooks implements [agent.Client]: nothing is left.
func (Client) RemoveHooks(doc []byte) ([]byte, error) { return remove(doc) }

// Registered implements [agent.Client].
func (Client) Registered(doc []byte) ([]string, error) {
	if !ours(doc) {
		return nil, nil
	}
	var events []string
	for _, e := range Events {
		events = append(events, string(e))
	}
	return events, nil
}

// Events implements [agent.Client].
func (Client) Events() []agent.EventName { return Events }

// Command implements [agent.Client]. The plugin starts the program without a
// shell; this is the same for a person who wants to try it.
func (Client) Command(e agent.EventName) string { return hookfile.Command(name, string(e)) }

// Foreign implements [agent.Client].
func (Client) Foreign([]byte) []string { return nil }

// Decode implements [agent.Client].
func (Client) Decode(event string, input []byte) (agent.Event, error) { return Decode(event, input) }

// Encode implements [agent.Client].
func (Client) Encode(event agent.EventName, a agent.Answer) []byte { return Encode(event, a) }

// Transcripts implements [agent.Client].
func (Client) Transcripts(home fs.FS, root string) ([]string, error) { return Transcripts(home, root) }

// Obstacles implements [agent.Inspector]: nothing but --pure keeps a plugin from
// being loaded, but a copy beside it makes everything happen twice.
func (Client) Obstacles(_, repo fs.FS, _ string) []agent.Obstacle {
	if _, err := fs.Stat(repo, PluginPath); err != nil {
		return nil
	}
	for _, copied := range []string{".opencode/plugins/lessons.ts", ".opencode/plugin/lessons.js", ".opencode/plugins/lessons.js"} {
		if _, err := fs.Stat(repo, copied); err == nil {
			return []agent.Obstacle{{Text: "OpenCode loads " + copied + " too", Next: "remove one of the two"}}
		}
	}
	return nil
}
