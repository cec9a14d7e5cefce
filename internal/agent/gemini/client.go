// Package gemini knows Gemini CLI: the JSON of its hooks, its settings files,
// and where it keeps chats.
package gemini

import (
	"io/fs"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// name is the word for Gemini CLI on the command line.
const name = "gemini"

// SettingsPath is the file in which hooks are registered. Gemini knows no other
// one in a repository.
const SettingsPath = ".gemini/settings.json"

// Client is Gemini CLI.
type Client struct{}

var (
	_ agent.Client    = Client{}
	_ agent.Prompter  = Client{}
	_ agent.Inspector = Client{}
)

// Name implements [agent.Client].
func (Client) Name() string { return name }

// Home is .gemini in GEMINI_CLI_HOME, else in the person's home.
func (Client) Home(home string, env func(string) string) string {
	if dir := env("GEMINI_CLI_HOME"); dir != "" {
		home = dir
	}
	return filepath.Join(home, ".gemini")
}

// Settings implements [agent.Client].
func (Client) Settings(bool) string { return SettingsPath }

// AddHooks implements [agent.Client].
func (Client) AddHooks(doc []byte) ([]byte, error) { return hookfile.Add(doc, hooks(), ours) }

// RemoveHooks implements [agent.Client].
func (Client) RemoveHooks(doc []byte) ([]byte, error) { return hookfile.Remove(doc, ours) }

// Registered implements [agent.Client].
func (Client) Registered(doc []byte) ([]string, error) { return hookfile.Registered(doc, ours) }

// Events implements [agent.Client].
func (Client) Events() []agent.EventName { return Events }

// Command implements [agent.Client].
func (Client) Command(e agent.EventName) string { return command(e) }

// Foreign implements [agent.Client].
func (Client) Foreign(doc []byte) []string { return hookfile.Foreign(doc) }

// Decode implements [agent.Client].
func (Client) Decode(event string, input []byte) (agent.Event, error) { return Decode(event, input) }

// Encode implements [agent.Client].
func (Client) Encode(event agent.EventName, a agent.Answer) []byte { return Encode(event, a) }

// Transcripts implements [agent.Client].
func (Client) Transcripts(home fs.FS, root string) ([]string, error) { return Transcripts(home, root) }
