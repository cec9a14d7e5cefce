package transcript

import "strings"

// codexTags are elements that Codex puts in a user's place and whose names have
// no underscore; all with one are taken for its own.
var codexTags = map[string]bool{"INSTRUCTIONS": true, "permissions": true, "skill": true, "image": true, "tools": true, "plugins": true, "apps": true}

// codexStarts are beginnings of texts that Codex writes in a user's place.
var codexStarts = []string{
	"# AGENTS.md instructions", "Another language model started to solve this problem", "You are performing a CONTEXT CHECKPOINT COMPACTION",
	"Warning: The maximum number of unified exec processes", "Warning: apply_patch was requested via", "Warning: Heads up: Long threads",
	"The following is the Codex agent history", "User initiated a review task",
}

// request stands before what the person asked, behind what their editor adds.
const request = "## My request for Codex:"

// codexWords returns what a person wrote in a text in a user's place.
func codexWords(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "# ") {
		_, asked, ok := strings.Cut(text, "\n"+request)
		switch {
		case ok:
			text = strings.TrimSpace(asked)
		case strings.HasPrefix(text, "# Context from my IDE setup:"):
			return ""
		}
	}
	for {
		rest, ok := withoutElement(text, func(name string) bool { return codexTags[name] || strings.Contains(name, "_") })
		if !ok {
			break
		}
		text = rest
	}
	for _, s := range codexStarts {
		if strings.HasPrefix(text, s) {
			return ""
		}
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
