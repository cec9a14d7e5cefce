package agent

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/agent/payload"
	"github.com/lessons-cli/lessons/internal/agent/tools"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// codexHooks is the file of a repository in which hooks are registered. Codex reads it
// once the project is trusted, and knows none that is a person's own.
const codexHooks = ".codex/hooks.json"

// codexTools are those whose calls can match a lesson. Every shell tool of Codex
// reports as Bash.
const codexTools = "^(Bash|apply_patch|view_image|mcp__.*)$"

// Codex is Codex CLI. It has no way to ask, and takes a changed input only
// together with an approval, which a lesson never gives. One field that it does
// not know would cost the whole answer. It ends a session-end hook after three
// seconds at most.
var Codex = &Client{
	Name:    "codex",
	home:    folder{env: "CODEX_HOME", base: ".codex"},
	program: "codex", marks: []string{".codex"},
	team: codexHooks, file: hookfile.Nested,
	hooks: []hook{
		{native: SessionStart, event: SessionStart, can: TellModel | TellPerson, timeout: 10},
		{native: UserPromptSubmit, event: UserPromptSubmit, can: TellModel | TellPerson},
		{native: PreToolUse, event: PreToolUse, can: TellModel | TellPerson | DenyCall, matcher: codexTools},
		{native: PostToolUse, event: PostToolUse, can: TellModel | TellPerson, matcher: codexTools},
		{native: SubagentStart, event: SubagentStart, can: TellModel},
		{native: SubagentStop, event: SubagentStop, can: HoldStop},
		{native: PreCompact, event: PreCompact},
		{native: Stop, event: Stop, can: HoldStop},
		{native: SessionEnd, event: SessionEnd, timeout: 3},
	},
	tools: tools.Codex,
	input: claudeFields,
	answer: []field{
		{name: "decision", says: theHold},
		{name: "reason", says: theCause},
		{name: "hookSpecificOutput", object: []field{
			{name: "hookEventName", says: theEvent},
			{name: "permissionDecision", says: theVerdict},
			{name: "permissionDecisionReason", says: theReason},
			{name: "additionalContext", says: theContext},
		}},
		{name: "systemMessage", says: theMessage},
	},
	held: Block, merged: true,
	adjust:    adjustCodex,
	sessions:  codexSessions,
	memories:  func(fs.FS, string) []string { return []string{"memories"} },
	obstacles: codexObstacles,
	personal:  []string{"hooks.json"},
	// Codex has no switch for all tools: those that run or change something are
	// off, and the sandbox lets nothing be written. Settings that a version does
	// not know are ignored by it.
	asking: &asking{
		before: []string{
			"exec", "--skip-git-repo-check", "--ephemeral", "--sandbox", "read-only", "--color", "never",
			"-c", "features.shell_tool=false", "-c", "features.multi_agent=false", "-c", "web_search=disabled", "-c", "skills.include_instructions=false",
		},
		after: []string{"-"},
	},
}

// adjustCodex reads patches, and tells what can be known about how a call ended.
func adjustCodex(e *Event, o payload.Object) {
	c := e.Call
	if c == nil {
		return
	}
	if c.RawTool == "apply_patch" {
		var added bool
		c.Paths, c.Content, added = patch(o.Object("tool_input").First("command patch input"))
		if added {
			c.Tool = "Write"
		}
	}
	if e.Name == PostToolUse {
		c.Failed, c.Unclear = codexOutcome(c.RawTool, c.Response)
	}
}

// noCommand are the lines in which a shell says that it could not run a command.
var noCommand = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:/\S*/)?(?:ba|z|da|k)?sh: (?:line \d+: |\d+: )?[^\n]{1,200}: (?:command not found|not found|No such file or directory|Permission denied)$`)
})

// codexOutcome: of a command only its output is there. Codex leaves out the exit
// status, except in the text of apply_patch.
func codexOutcome(tool, text string) (failed, unclear bool) {
	switch tool {
	case "apply_patch":
		status, ok := strings.CutPrefix(text, "Exit code: ")
		return ok && !strings.HasPrefix(status, "0\n"), !ok
	case "Bash":
		text = strings.TrimSpace(text)
		last := text[strings.LastIndexByte(text, '\n')+1:]
		if noCommand().MatchString(last) {
			return true, false
		}
		return false, true
	}
	return false, false // other tools that fail have no event
}

// patch reads the body of apply_patch: the files that it names, and the lines
// that it puts in. added says that it only makes new files.
func patch(body string) (paths []string, content string, added bool) {
	var lines []string
	added = true
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\r\n")
		if text, ok := strings.CutPrefix(line, "+"); ok {
			lines = append(lines, text)
			continue
		}
		for _, mark := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if path, ok := strings.CutPrefix(line, mark); ok && strings.TrimSpace(path) != "" {
				paths = append(paths, strings.TrimSpace(path))
				added = added && mark == "*** Add File: "
			}
		}
	}
	return paths, strings.Join(lines, "\n"), added && len(paths) > 0
}

// codexSessions are the rollouts whose first line tells a working directory in
// the repository, sub-agents' included. They lie by date.
func codexSessions(home fs.FS, root string) ([]string, error) {
	wanted := func(name string) bool {
		return strings.HasPrefix(path.Base(name), "rollout-") && path.Ext(name) == ".jsonl" && Inside(textIn(home, name, "payload", "cwd"), root)
	}
	files, err := filesBelow(home, "sessions", wanted)
	if err != nil {
		return nil, err
	}
	archived, err := filesBelow(home, "archived_sessions", wanted)
	return append(files, archived...), err
}
