package agent

import (
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent/payload"
	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// Copilot is GitHub Copilot's command line and cloud agent.
//
// Tool calls are registered under Claude Code's words for the events, because
// Copilot then gives Claude Code's names of tools too; its own are not
// documented. Both forms of input are read, and answers have their keys at the
// top level, as documented for both. Before a tool runs nothing can be told, only
// held back. Left out are: what a person types and context for a call that failed
// (the first takes no answer, the second takes it only with an exit code that
// closes other hooks), holding a stop (the input does not say that it was held
// before), and a changed input (whether it takes effect without an approval is not
// known). A sub-agent has an id at its start; its calls are told without one. A command that fails counts as a success there, with
// its exit code in the last line of the output. On Windows, where no bash is,
// nothing is registered.
var Copilot = &Client{
	Name:    "copilot",
	home:    folder{env: "COPILOT_HOME", base: ".copilot"},
	program: "copilot", marks: []string{".github/hooks", ".github/copilot-instructions.md"},
	team: ".github/hooks/lessons.json", refuses: true,
	file: hookfile.Flat(func(h hookfile.Hook) any {
		return struct {
			Type    string `json:"type"`
			Bash    string `json:"bash"`
			Timeout int    `json:"timeoutSec"`
		}{"command", h.Command, h.Timeout}
	}),
	hooks: []hook{
		{native: "sessionStart", event: SessionStart, can: TellModel, timeout: 10},
		{native: PreToolUse, event: PreToolUse, can: DenyCall | AskPerson},
		{native: PostToolUse, event: PostToolUse, can: TellModel},
		{native: "PostToolUseFailure", event: PostToolUse, failed: true},
		{native: "subagentStart", event: SubagentStart, can: TellModel},
		{native: "agentStop", event: Stop},
		{native: "sessionEnd", event: SessionEnd, timeout: 10},
		{native: "preToolUse", event: PreToolUse, can: DenyCall | AskPerson, known: true},
		{native: "postToolUse", event: PostToolUse, can: TellModel, known: true},
		{native: "postToolUseFailure", event: PostToolUse, failed: true, known: true},
	},
	tools: tools.Copilot,
	input: fields{
		session: "sessionId session_id", cwd: "cwd", transcript: "transcript_path", agentID: "agentId", agentType: "agentType",
		tool: "toolName tool_name", args: "toolArgs tool_input", result: "toolResult tool_result",
		paths: "file_path path", content: "content file_text new_string new_str",
	},
	answer: []field{
		{name: "additionalContext", says: theContext},
		{name: "permissionDecision", says: theVerdict},
		{name: "permissionDecisionReason", says: theReason},
	},
	open:      openCopilot,
	adjust:    adjustCopilot,
	sessions:  copilotSessions,
	late:      2 * time.Second,
	obstacles: copilotObstacles, personal: []string{"hooks/*.json", "settings.json"},
}

// openCopilot tells Copilot's own form, which does not name the event, from the
// one that is like Claude Code's: input in the first has no field of the second.
func openCopilot(event string, input []byte) (payload.Object, string, error) {
	o, native, err := payload.Open(event, input, "copilot")
	if o.Has("sessionId") {
		native = event
		maps.DeleteFunc(o, func(key string, _ json.RawMessage) bool { return strings.HasPrefix(key, "tool_") })
	}
	return o, native, err
}

// adjustCopilot tells how a call ended: by its exit code where there is one.
func adjustCopilot(e *Event, _ payload.Object) {
	if e.Name != PostToolUse || e.Call.Failed {
		return
	}
	text := strings.TrimSpace(e.Call.Response)
	last := text[strings.LastIndexByte(text, '\n')+1:]
	_, code, told := strings.Cut(last, " completed with exit code ")
	told = told && strings.HasPrefix(last, "<shellId: ")
	e.Call.Failed = told && code != "0>"
	e.Call.Unclear = !told
}

// copilotObstacles: hooks can be switched off, and those of a folder that is not trusted are not
// run, without a word.
func copilotObstacles(home, repo fs.FS, root string) []Obstacle {
	const team, own = ".github/copilot/settings.json", ".github/copilot/settings.local.json"
	found := slices.Concat(
		hooksOff(objectIn(home, "settings.json"), "settings.json in Copilot's own folder"),
		hooksOff(objectIn(repo, team), team),
		hooksOff(objectIn(repo, own), own),
	)
	trusted := objectIn(home, "config.json").Texts("trustedFolders trusted_folders")
	if !slices.ContainsFunc(trusted, func(dir string) bool { return Inside(root, dir) }) {
		found = append(found, Obstacle{Text: "Copilot does not trust this folder, so it does not run its hooks", Next: "start copilot here and trust the folder, or use copilot -p with --trust-folder"})
	}
	return found
}

// copilotSessions are the events of the sessions that started in a repository.
func copilotSessions(home fs.FS, root string) ([]string, error) {
	return filesBelow(home, "session-state", func(name string) bool {
		return path.Base(name) == "events.jsonl" && Inside(textIn(home, name, "data", "context", "cwd"), root)
	})
}
