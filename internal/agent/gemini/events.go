package gemini

import (
	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// Gemini's words for events that others call differently.
const (
	beforeAgent agent.EventName = "BeforeAgent"
	beforeTool  agent.EventName = "BeforeTool"
	afterTool   agent.EventName = "AfterTool"
	afterAgent  agent.EventName = "AfterAgent"
	preCompress agent.EventName = "PreCompress"
)

// Events are the events that Decode knows and AddHooks registers. There are none
// for sub-agents.
var Events = []agent.EventName{agent.SessionStart, beforeAgent, beforeTool, afterTool, afterAgent, preCompress, agent.SessionEnd}

// common translates Gemini's words into everybody's.
var common = map[agent.EventName]agent.EventName{
	agent.SessionStart: agent.SessionStart, beforeAgent: agent.UserPromptSubmit, beforeTool: agent.PreToolUse, afterTool: agent.PostToolUse,
	afterAgent: agent.Stop, preCompress: agent.PreCompact, agent.SessionEnd: agent.SessionEnd,
}

// tools are those whose calls can match a lesson.
const tools = "^(run_shell_command|read_file|read_many_files|replace|write_file|glob|grep_search|search_file_content|mcp_.*)$"

// Matchers say of which tools an event is wanted, or of which trigger: Gemini
// announces a compression before every request, and only that of a person is one.
var Matchers = map[agent.EventName]string{beforeTool: tools, afterTool: tools, preCompress: manual}

const manual = "manual"

// timeouts are in milliseconds.
var timeouts = map[agent.EventName]int{agent.SessionStart: 10_000, agent.SessionEnd: 10_000}

const defaultTimeout = 5_000

func command(e agent.EventName) string { return hookfile.Command(name, string(e)) }

func ours(command string) bool { return hookfile.Ours(name, command) }

func hooks() []hookfile.Hook {
	var list []hookfile.Hook
	for _, e := range Events {
		timeout, ok := timeouts[e]
		if !ok {
			timeout = defaultTimeout
		}
		list = append(list, hookfile.Hook{Event: string(e), Matcher: Matchers[e], Name: "lessons", Command: command(e), Timeout: timeout})
	}
	return list
}
