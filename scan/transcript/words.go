package transcript

import (
	"slices"
	"strings"
)

// interruptMark begins the text that the client writes when the person stops
// the agent, with or without "for tool use".
const interruptMark = "[Request interrupted by user"

// interrupted says whether a text begins with the mark of an interruption, and
// returns what the person wrote behind it.
func interrupted(text string) (rest string, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, interruptMark) {
		return "", false
	}
	if end := strings.IndexByte(text, ']'); end >= 0 {
		rest = strings.TrimSpace(text[end+1:])
	}
	return rest, true
}

// machineTags are elements that clients and hooks put before, behind or in
// place of a person's words.
var machineTags = []string{
	"system-reminder", "task-notification", "session-start-hook", "user-prompt-submit-hook", "hook_context",
	"ide_opened_file", "ide_selection", "ide_diagnostics", "teammate-message", "cross-session-message", "new-diagnostics",
	"command-name", "command-message", "command-args", "command-contents", "local-command-caveat", "local-command-stdout", "local-command-stderr",
	"bash-input", "bash-stdout", "bash-stderr", "user-memory-input", "background-task-output", "agent-notification", "post-tool-use-hook", "environment_details",
}

// machineStarts are beginnings of whole texts that no person wrote.
var machineStarts = []string{
	"Caveat: The messages below were generated", "Stop hook feedback:", "SubagentStop hook feedback:", "TeammateIdle hook feedback:", "TaskCompleted hook feedback:",
	"Operation stopped by hook:", "UserPromptSubmit operation blocked by hook", "This session is being continued from a previous conversation",
	"Base directory for this skill:", "Implement the following plan:", "[SYSTEM NOTIFICATION", "[SYSTEM REMINDER",
	`{"task_id":`, "Please analyze this codebase and create a CLAUDE.md file", "Continue from where you left off.", "[Image: source:", "[Image: original ",
	"Your task is to create a detailed summary of the conversation",
}

// Words returns what a person wrote in a text that stands in a user's place:
// without the elements that clients and hooks add at its beginning and its end,
// and nothing when a program wrote it all. Only the two ends are looked at: what
// stands in the middle was written, or pasted, by the person.
func Words(text string) string {
	text = strings.TrimSpace(text)
	command := false
	for name, rest, ok := leadingElement(text); ok; name, rest, ok = leadingElement(text) {
		command = command || startsWith(name, "command-", "bash-", "local-command-")
		text = rest
	}
	if command {
		return "" // a slash command or a shell line, and its output
	}
	for rest, ok := withoutTrailing(text); ok; rest, ok = withoutTrailing(text) {
		text = rest
	}
	if startsWith(text, machineStarts...) {
		return ""
	}
	return text
}

// startsWith says whether a text begins with one of some others.
func startsWith(text string, starts ...string) bool {
	return slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(text, start) })
}

// leadingElement takes a machine's element off the beginning of a text. An
// element that is never closed reaches to the end.
func leadingElement(text string) (name, rest string, ok bool) {
	if !strings.HasPrefix(text, "<") {
		return "", "", false
	}
	for _, tag := range machineTags {
		inner, found := strings.CutPrefix(text[1:], tag)
		if !found || inner == "" || strings.IndexByte("> \n", inner[0]) < 0 {
			continue
		}
		_, after, closed := strings.Cut(inner, "</"+tag+">")
		if !closed {
			after = ""
		}
		return tag, strings.TrimSpace(after), true
	}
	return "", "", false
}

// withoutTrailing takes a machine's element off the end of a text.
func withoutTrailing(text string) (string, bool) {
	if !strings.HasSuffix(text, ">") {
		return "", false
	}
	for _, tag := range machineTags {
		if !strings.HasSuffix(text, "</"+tag+">") {
			continue
		}
		from := max(strings.LastIndex(text, "<"+tag+">"), strings.LastIndex(text, "<"+tag+" "))
		if from >= 0 {
			return strings.TrimSpace(text[:from]), true
		}
	}
	return "", false
}

// rejectionReasons stand before the words of a person who refused a call. The
// clients' wording drifts: these are the ones seen so far.
var rejectionReasons = []string{"To tell you how to proceed, the user said:", "the user said:", "The user provided the following reason for the rejection:", "Reason:"}

// rejectionNotes stand behind them.
var rejectionNotes = []string{
	"\n\nNote: The user's next message may contain", "\n\nIMPORTANT:", "\n\nThe user wants to clarify",
}

// machineReasons are words that the client writes in the person's place.
var machineReasons = []string{"The user wants to clarify these questions."}

// RejectionWords returns the words of the person in the text of a refused call,
// or nothing when they refused without any.
func RejectionWords(text string) string {
	for _, lead := range rejectionReasons {
		_, said, ok := strings.Cut(text, lead)
		if !ok {
			continue
		}
		for _, note := range rejectionNotes {
			said, _, _ = strings.Cut(said, note)
		}
		said = strings.TrimSpace(said)
		if startsWith(said, machineReasons...) {
			return ""
		}
		return Words(strings.TrimSuffix(said, "</tool_use_error>"))
	}
	return ""
}

// wording is what one agent's client writes in a person's place.
type wording struct {
	elements func(name string) bool // that it puts before the person's words; may be nil
	starts   []string               // beginnings of whole texts
	between  func(string) string    // takes the person's words out of what surrounds them; may be nil
}

// words returns what a person wrote in a text in a user's place.
func (w *wording) words(text string) string {
	text = strings.TrimSpace(text)
	if w.between != nil {
		text = w.between(text)
	}
	for w.elements != nil {
		rest, ok := withoutElement(text, w.elements)
		if !ok {
			break
		}
		text = rest
	}
	if startsWith(text, w.starts...) {
		return ""
	}
	return Words(text)
}

// withoutElement takes an element off the beginning of a text. One that is
// never closed is a person's "<".
func withoutElement(text string, ours func(name string) bool) (string, bool) {
	if !strings.HasPrefix(text, "<") {
		return "", false
	}
	end := strings.IndexAny(text, "> \n")
	if end < 2 || !ours(text[1:end]) {
		return "", false
	}
	name := text[1:end]
	at := strings.Index(text, "</"+name)
	if at < 0 {
		return "", false
	}
	_, after, closed := strings.Cut(text[at:], ">")
	return strings.TrimSpace(after), closed
}

// ours begins what our own hooks tell the agent, which must not be learned from.
const ours = "[lessons] "

// withoutOurs takes off what our own hooks put behind a tool's output.
func withoutOurs(text string) string {
	for strings.Contains(text, "\n"+ours) {
		text = strings.TrimRight(text[:strings.LastIndex(text, "\n"+ours)], "\n")
	}
	return text
}
