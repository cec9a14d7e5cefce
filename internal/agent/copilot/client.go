// Package copilot knows GitHub Copilot's command line and cloud agent: the JSON
// of its hooks and its hooks files.
//
// Tool calls are registered under Claude Code's words for the events, because
// Copilot then gives Claude Code's names of tools too; its own are not
// documented. Both forms of input are read, and answers have their keys at the
// top level, as documented for both. Left out are: what a person types and
// context for a call that failed (the first takes no answer, the second takes it
// only with an exit code that closes other hooks), sub-agents (the input does
// not say which one starts, so what was shown to it could not be kept apart),
// holding a stop (the input does not say that it was held before), a changed
// input (whether it takes effect without an approval is not known), and sessions,
// of which only the names of some lines are known. The values of a result's type
// are not known, so only the event for failures says that a call failed. On
// Windows, where no bash is, nothing is registered.
package copilot

import (
	"io/fs"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// name is the word for Copilot on the command line.
const name = "copilot"

// SettingsPath is lessons' file among a repository's hooks files.
const SettingsPath = ".github/hooks/lessons.json"

// Client is Copilot.
type Client struct{}

var _ agent.Client = Client{}

// Name implements [agent.Client].
func (Client) Name() string { return name }

// Home implements [agent.Client].
func (Client) Home(home string, _ func(string) string) string { return filepath.Join(home, ".copilot") }

// Settings implements [agent.Client].
func (Client) Settings(bool) string { return SettingsPath }

// AddHooks implements [agent.Client].
func (Client) AddHooks(doc []byte) ([]byte, error) { return hookfile.AddFlat(doc, hooks(), ours) }

// RemoveHooks implements [agent.Client].
func (Client) RemoveHooks(doc []byte) ([]byte, error) { return hookfile.RemoveFlat(doc, ours) }

// Registered implements [agent.Client].
func (Client) Registered(doc []byte) ([]string, error) { return hookfile.RegisteredFlat(doc, ours) }

// Events implements [agent.Client].
func (Client) Events() []agent.EventName { return Events }

// Command implements [agent.Client].
func (Client) Command(e agent.EventName) string { return hookfile.Command(name, string(e)) }

// Foreign implements [agent.Client].
func (Client) Foreign(doc []byte) []string { return hookfile.ForeignFlat(doc) }

// Decode implements [agent.Client].
func (Client) Decode(event string, input []byte) (agent.Event, error) { return Decode(event, input) }

// Encode implements [agent.Client].
func (Client) Encode(event agent.EventName, a agent.Answer) []byte { return Encode(event, a) }

// Transcripts implements [agent.Client]: too little of their form is known.
func (Client) Transcripts(fs.FS, string) ([]string, error) { return nil, nil }
