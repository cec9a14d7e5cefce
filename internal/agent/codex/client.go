// Package codex knows Codex CLI: the JSON of its hooks, the files in which they
// are registered and trusted, and where it keeps rollouts.
package codex

import (
	"io/fs"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/agent"
)

// name is the word for Codex on the command line.
const name = "codex"

// Client is Codex CLI.
type Client struct{}

var (
	_ agent.Client    = Client{}
	_ agent.Prompter  = Client{}
	_ agent.Inspector = Client{}
)

// Name implements [agent.Client].
func (Client) Name() string { return name }

// Home is CODEX_HOME, else ~/.codex.
func (Client) Home(home string, env func(string) string) string {
	if dir := env("CODEX_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(home, ".codex")
}

// Settings implements [agent.Client]. Codex knows no file in a repository that
// is a person's own; config.toml is the one that many keep out of git.
func (Client) Settings(local bool) string {
	if local {
		return ConfigPath
	}
	return HooksPath
}

// AddHooks implements [agent.Client], for hooks.json and config.toml.
func (Client) AddHooks(doc []byte) ([]byte, error) {
	if isTOML(doc) {
		return addTOML(doc)
	}
	return addJSON(doc)
}

// RemoveHooks implements [agent.Client].
func (Client) RemoveHooks(doc []byte) ([]byte, error) {
	if isTOML(doc) {
		return removeTOML(doc)
	}
	return removeJSON(doc)
}

// Registered implements [agent.Client].
func (Client) Registered(doc []byte) ([]string, error) {
	if isTOML(doc) {
		return registeredTOML(doc)
	}
	return registeredJSON(doc)
}

// Events implements [agent.Client].
func (Client) Events() []agent.EventName { return Events }

// Command implements [agent.Client].
func (Client) Command(e agent.EventName) string { return command(e) }

// Foreign implements [agent.Client].
func (Client) Foreign(doc []byte) []string { return foreign(doc) }

// Decode implements [agent.Client].
func (Client) Decode(event string, input []byte) (agent.Event, error) { return Decode(event, input) }

// Encode implements [agent.Client].
func (Client) Encode(event agent.EventName, a agent.Answer) []byte { return Encode(event, a) }

// Transcripts implements [agent.Client].
func (Client) Transcripts(home fs.FS, root string) ([]string, error) { return Transcripts(home, root) }
