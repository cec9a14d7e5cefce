// Package cursor knows Cursor: the JSON of its hooks and its hooks file.
//
// It goes as far as Cursor's documentation is certain. Left out are: what a
// person types (the event's fields are not known, and no context can be
// answered), events of sub-agents (they take none either), holding a stop (the
// input does not say that it was held before), a changed input (whether it takes
// effect without an approval is not known), and sessions, whose format is not
// documented. The names inside tool_input are not documented either: those that
// other agents use are read where they are there. Not verified is what Cursor
// sends to hooks that it takes from Claude Code's settings; with a cursor_version
// package claude leaves them alone.
package cursor

import (
	"io/fs"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// name is the word for Cursor on the command line.
const name = "cursor"

// SettingsPath is the file in which a repository registers hooks.
const SettingsPath = ".cursor/hooks.json"

// Client is Cursor.
type Client struct{}

var _ agent.Client = Client{}

// Name implements [agent.Client].
func (Client) Name() string { return name }

// Home implements [agent.Client].
func (Client) Home(home string, _ func(string) string) string { return filepath.Join(home, ".cursor") }

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

// Transcripts implements [agent.Client]: their format is not documented.
func (Client) Transcripts(fs.FS, string) ([]string, error) { return nil, nil }
