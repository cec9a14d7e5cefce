package payload

import "strings"

// Speaker tells by its shape which agent wrote a hook's input, because some
// agents run the hooks in another agent's settings: Cursor and Copilot read
// Claude Code's. Empty: nothing speaks against the agent that was named.
func Speaker(o Object) string {
	event, transcript := o.Text("hook_event_name"), strings.ReplaceAll(o.Text("transcript_path"), `\`, "/")
	base := transcript[strings.LastIndexByte(transcript, '/')+1:]
	switch {
	case o.Has("cursor_version"):
		return "cursor"
	case o.Has("agent_action_name"):
		return "windsurf"
	case o.Has("clineVersion"):
		return "cline"
	case o.Has("prompt_id"), o.Has("effort"):
		return "claude"
	case o.Has("turn_id") && o.Has("model"), strings.HasPrefix(base, "rollout-"):
		return "codex"
	case strings.HasPrefix(event, "Before"), strings.HasPrefix(event, "After"), strings.Contains(transcript, "/.gemini/"):
		return "gemini"
	case o.Has("toolName"), o.Has("sessionId") && !o.Has("session_id"), strings.Contains(transcript, "/.copilot/"):
		return "copilot"
	case o.Has("timestamp") && transcript == "":
		return "copilot"
	}
	return ""
}
