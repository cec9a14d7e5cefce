package agent

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/payload"
	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

const (
	claudeTeam, claudeOwn = ".claude/settings.json", ".claude/settings.local.json"
	claudeTools           = "Bash|PowerShell|Read|Edit|Write|NotebookEdit|Glob|Grep|Skill|mcp__.*" // those whose calls can match a lesson
)

// Claude is Claude Code. A compaction's hook that prints anything shows up as an
// error, and a context at a stop would make the turn go on. The end of a session
// is killed after about 1.5 s unless it sets a time-out; ours only starts a
// process, so the rest is slack.
var Claude = &Client{
	Name:    "claude",
	home:    folder{env: "CLAUDE_CONFIG_DIR", base: ".claude"},
	program: "claude", marks: []string{".claude", "CLAUDE.md"},
	team: claudeTeam, own: claudeOwn, file: hookfile.Nested,
	hooks: []hook{
		{native: SessionStart, event: SessionStart, can: TellModel | TellPerson, timeout: 10},
		{native: UserPromptSubmit, event: UserPromptSubmit, can: TellModel | TellPerson},
		{native: PreToolUse, event: PreToolUse, can: TellModel | TellPerson | DenyCall | AskPerson | ChangeInput, matcher: claudeTools},
		{native: PostToolUse, event: PostToolUse, can: TellModel | TellPerson, matcher: claudeTools},
		{native: "PostToolUseFailure", event: PostToolUse, can: TellModel | TellPerson, matcher: claudeTools, failed: true},
		{native: SubagentStart, event: SubagentStart, can: TellModel},
		{native: SubagentStop, event: SubagentStop, can: TellPerson | HoldStop},
		{native: Stop, event: Stop, can: TellPerson | HoldStop},
		{native: SessionEnd, event: SessionEnd, timeout: 10},
		{native: PreCompact, event: PreCompact, known: true},
	},
	tools: tools.Claude,
	input: claudeFields,
	answer: []field{
		{name: "decision", says: theHold},
		{name: "reason", says: theCause},
		{name: "hookSpecificOutput", object: []field{
			{name: "hookEventName", says: theEvent}, // without it the answer is dropped
			{name: "permissionDecision", says: theVerdict},
			{name: "permissionDecisionReason", says: theReason},
			{name: "updatedInput", says: theInput},
			{name: "additionalContext", says: theContext},
		}},
		{name: "systemMessage", says: theMessage},
	},
	held:      Block,
	adjust:    adjustClaude,
	sessions:  claudeSessions,
	memories:  claudeMemories,
	obstacles: claudeObstacles,
	personal:  []string{"settings.json"},
	plugins:   claudePlugins,
	// The system prompt replaces the one that teaches tools, so that a question
	// costs what it says. Other people's hooks stay quiet as ours do; signing in
	// works as always.
	asking: &asking{
		model: "sonnet", before: []string{"-p"},
		after: []string{
			"--output-format", "json", "--tools", "", "--no-session-persistence", "--strict-mcp-config",
			"--settings", `{"disableAllHooks":true}`, "--system-prompt", promptSystem,
		},
		answer: claudeAnswer,
	},
}

// adjustClaude tells how a call ended whose hook does not say that it failed.
func adjustClaude(e *Event, o payload.Object) {
	if e.Name == PostToolUse && !e.Call.Failed {
		response := o.Object("tool_response")
		e.Call.Failed = response.Flag("interrupted")
		e.Call.Unclear = !e.Call.Failed && response.Has("backgroundTaskId") // reported at its start
	}
}

// maxFolder is the length up to which a project folder's name holds the whole
// path; longer ones end in a hash that differs between versions.
const maxFolder = 200

// ClaudeFolder is the name of the folder in which Claude Code keeps sessions of a
// working directory. cwd must be the physical path. Of a path that is too long
// only the part that every version agrees on is returned, and whole is false.
func ClaudeFolder(cwd string) (name string, whole bool) {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		default:
			return '-'
		}
	}, cwd)
	if len(name) > maxFolder {
		return name[:maxFolder], false
	}
	return name, true
}

// claudeSessions are those of the folders that belong to root or to a directory
// below it, sub-agents' included. Folder names are lossy, so a reader must still
// look at the cwd inside the lines.
func claudeSessions(home fs.FS, root string) ([]string, error) {
	prefix, whole := ClaudeFolder(root)
	folders, err := fs.ReadDir(home, "projects")
	var files []string
	for _, folder := range folders {
		name := folder.Name()
		ours := name == prefix || strings.HasPrefix(name, prefix+"-") || (!whole && strings.HasPrefix(name, prefix))
		if ours && folder.IsDir() {
			found, _ := filesBelow(home, "projects/"+name, func(name string) bool { return path.Ext(name) == ".jsonl" })
			files = append(files, found...)
		}
	}
	return files, err
}

// claudeObstacles: a person or a team may have switched all hooks off.
func claudeObstacles(home, repo fs.FS, _ string) []Obstacle {
	return slices.Concat(
		hooksOff(claudeSettings(home, "settings.json"), "settings.json in Claude Code's own folder"),
		hooksOff(claudeSettings(repo, claudeTeam), claudeTeam),
		hooksOff(claudeSettings(repo, claudeOwn), claudeOwn),
	)
}

// claudeSettings is what a file of settings says. One with comments says nothing: Claude
// Code refuses the whole file.
func claudeSettings(fsys fs.FS, name string) payload.Object {
	doc, _ := fs.ReadFile(fsys, name)
	o, _ := payload.Parse(doc)
	return o
}

// claudePlugins are those named lessons that are switched on; a repository's settings count more
// than the person's.
func claudePlugins(home, repo fs.FS) []string {
	on := map[string]bool{}
	for _, o := range []payload.Object{claudeSettings(home, "settings.json"), claudeSettings(repo, claudeTeam), claudeSettings(repo, claudeOwn)} {
		plugins := o.Object("enabledPlugins")
		for name := range plugins {
			on[name] = plugins.Flag(name)
		}
	}
	var found []string
	for _, name := range slices.Sorted(maps.Keys(on)) {
		if strings.HasPrefix(name, "lessons@") && on[name] {
			found = append(found, "the plugin "+name)
		}
	}
	return found
}

// claudeAnswer reads the one object that --output-format json prints.
func claudeAnswer(stdout []byte) (string, error) {
	var result struct {
		Type    string `json:"type"`
		Subtype string `json:"subtype"`
		IsError bool   `json:"is_error"`
		Result  string `json:"result"`
	}
	if err := json.Unmarshal(stdout, &result); err != nil || result.Type != "result" {
		return "", fmt.Errorf("claude did not print its result as JSON")
	}
	if result.IsError || result.Subtype != "success" {
		return "", fmt.Errorf("claude ended with %s: %s", result.Subtype, strings.TrimSpace(result.Result))
	}
	return result.Result, nil
}

// claudeMemories is the memory folder of a repository.
func claudeMemories(_ fs.FS, root string) []string {
	name, _ := ClaudeFolder(root)
	return []string{"projects/" + name + "/memory"}
}
