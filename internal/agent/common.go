package agent

import "github.com/lessons-cli/lessons/internal/agent/payload"

// ReadCommon takes over what hooks in Claude Code's form, which is Codex's too,
// say of an event by its name, but for the call.
func (e *Event) ReadCommon(o payload.Object) {
	e.Session, e.Cwd, e.Transcript = o.Text("session_id"), o.Text("cwd"), o.Text("transcript_path")
	e.AgentID, e.AgentType = o.Text("agent_id"), o.Text("agent_type")
	switch e.Name {
	case SessionStart:
		e.Source = o.Text("source")
	case UserPromptSubmit:
		e.Prompt = o.Text("prompt")
	case Stop, SubagentStop:
		e.Message, e.Again = o.Text("last_assistant_message"), o.Flag("stop_hook_active")
	}
}
