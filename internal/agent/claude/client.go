package claude

import (
	"io/fs"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/agent"
)

// name is the word for Claude Code on the command line.
const name = "claude"

// Client is Claude Code.
type Client struct{}

var (
	_ agent.Client    = Client{}
	_ agent.Prompter  = Client{}
	_ agent.Inspector = Client{}
)

// Name implements [agent.Client].
func (Client) Name() string { return name }

// Home is CLAUDE_CONFIG_DIR, else ~/.claude.
func (Client) Home(home string, env func(string) string) string {
	if dir := env("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	return filepath.Join(home, ".claude")
}

// Settings implements [agent.Client].
func (Client) Settings(local bool) string {
	if local {
		return LocalSettingsPath
	}
	return SettingsPath
}

// AddHooks implements [agent.Client].
func (Client) AddHooks(doc []byte) ([]byte, error) { return AddHooks(doc) }

// RemoveHooks implements [agent.Client].
func (Client) RemoveHooks(doc []byte) ([]byte, error) { return RemoveHooks(doc) }

// Registered implements [agent.Client].
func (Client) Registered(doc []byte) ([]string, error) { return Registered(doc) }

// Events implements [agent.Client].
func (Client) Events() []agent.EventName { return Events }

// Foreign implements [agent.Client].
func (Client) Foreign(doc []byte) []string { return Foreign(doc) }

// Decode implements [agent.Client].
func (Client) Decode(event string, input []byte) (agent.Event, error) { return Decode(event, input) }

// Encode implements [agent.Client].
func (Client) Encode(event agent.EventName, a agent.Answer) []byte { return Encode(event, a) }

// Transcripts implements [agent.Client].
func (Client) Transcripts(home fs.FS, root string) ([]string, error) { return Transcripts(home, root) }

// Command implements [agent.Client].
func (Client) Command(e agent.EventName) string { return Command(e) }
