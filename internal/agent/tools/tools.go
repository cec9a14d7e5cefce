// Package tools says what each agent calls its tools. Triggers, lessons and
// sessions use one set of names, which are those of Claude Code: Bash, Read, Edit.
// It imports next to nothing, so that a hook can link it.
package tools

import (
	"slices"
	"strings"
)

// Names translates one agent's names for its tools into the shared ones.
type Names map[string]string

// Shared returns the shared name of a tool. A tool that is not in the table, as
// those of MCP servers, keeps its own.
func (n Names) Shared(tool string) string {
	if name, ok := n[tool]; ok {
		return name
	}
	return tool
}

// Common returns the shared name of a tool in the words of whatever agent: who writes
// a lesson down calls the tool by the name that its own agent has for it.
func Common(tool string) string {
	for _, names := range []Names{Codex, Gemini, OpenCode, Copilot, Cursor, Claude} {
		if name, ok := names[tool]; ok {
			return name
		}
	}
	return tool
}

// Known says whether some agent has a tool of that name, or may have: those of MCP servers
// are anybody's.
func Known(tool string) bool {
	if strings.Contains(tool, "mcp") || strings.HasSuffix(tool, "*") {
		return true
	}
	common := Common(tool)
	for _, names := range []Names{Codex, Gemini, OpenCode, Copilot, Cursor, Claude} {
		for name, shared := range names {
			if name == tool || shared == common {
				return true
			}
		}
	}
	return slices.Contains(others, tool)
}

// RunsCommands says whether the calls of a tool, by its shared name, are command lines.
func RunsCommands(tool string) bool { return tool == "Bash" || tool == "PowerShell" }

// Typed is the shared name of a tool as a person types it, in whatever case; empty where no
// agent has it.
func Typed(tool string) string {
	if Known(tool) {
		return Common(tool)
	}
	for _, names := range []Names{Codex, Gemini, OpenCode, Copilot, Cursor, Claude} {
		for name, shared := range names {
			if strings.EqualFold(name, tool) || strings.EqualFold(shared, tool) {
				return shared
			}
		}
	}
	return ""
}

// others are tools of Claude Code that no table has to translate.
var others = []string{
	"PowerShell", "LS", "Skill", "SlashCommand", "BashOutput", "KillShell", "KillBash", "TaskOutput", "TaskStop", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet", "NotebookRead",
	"ExitPlanMode", "EnterPlanMode", "ListMcpResourcesTool", "ReadMcpResourceTool", "ToolSearch", "LSP", "Monitor", "StructuredOutput",
}

// The tables of the agents.
var (
	Claude = Names{"Task": "Agent", "MultiEdit": "Edit", "NotebookEdit": "Edit"}
	Cursor = Names{"Shell": "Bash", "Task": "Agent"}
	Codex  = Names{
		"shell": "Bash", "shell_command": "Bash", "exec_command": "Bash", "local_shell": "Bash", "container.exec": "Bash", "unified_exec": "Bash",
		"apply_patch": "Edit", "view_image": "Read", "spawn_agent": "Agent", "update_plan": "TodoWrite", "web_search": "WebSearch",
		"request_user_input": "AskUserQuestion",
	}
	Gemini = Names{
		"run_shell_command": "Bash", "replace": "Edit", "write_file": "Write", "read_file": "Read", "read_many_files": "Read",
		"glob": "Glob", "grep_search": "Grep", "search_file_content": "Grep", "invoke_agent": "Agent", "web_fetch": "WebFetch",
		"google_web_search": "WebSearch", "write_todos": "TodoWrite", "ask_user": "AskUserQuestion",
	}
	OpenCode = Names{
		"bash": "Bash", "edit": "Edit", "apply_patch": "Edit", "patch": "Edit", "write": "Write", "read": "Read", "glob": "Glob", "grep": "Grep",
		"task": "Agent", "webfetch": "WebFetch", "websearch": "WebSearch", "todowrite": "TodoWrite", "question": "AskUserQuestion",
	}
	Copilot = Names{
		"bash": "Bash", "shell": "Bash", "powershell": "PowerShell", "edit": "Edit", "apply_patch": "Edit", "create": "Write", "view": "Read", "glob": "Glob",
		"grep": "Grep", "rg": "Grep", "task": "Agent", "web_fetch": "WebFetch", "web_search": "WebSearch", "update_todo": "TodoWrite",
		"ask_user": "AskUserQuestion",
	}
)
