package lesson

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// Reading says in words which calls a trigger matches: "Bash with `make deploy`, but not
// with `--dry-run`".
func (t *Trigger) Reading() string {
	if !t.Any(func(string) bool { return true }) {
		return "no call in particular"
	}
	said := []string{"any tool"}
	if len(t.Tools) > 0 {
		said = []string{oneOf(t.Tools, "")}
	}
	add := func(lead string, list []string, quote string) {
		if len(list) > 0 {
			said = append(said, lead+oneOf(list, quote))
		}
	}
	add("with ", t.Commands, "`")
	add("with text that matches ", t.CommandPatterns, "`")
	add("on files like ", t.Paths, "`")
	add("writing text that matches ", t.Content, "`")
	add("where the session speaks of ", append(t.Keywords[:len(t.Keywords):len(t.Keywords)], t.Context...), "")
	add("by the agent ", t.Agents, "")
	text := strings.Join(said, " ")
	if len(t.Unless) > 0 {
		text += ", but not with " + oneOf(t.Unless, "`")
	}
	return text
}

func oneOf(list []string, quote string) string {
	return strings.Join(lists.Map(list, func(s string) string { return quote + s + quote }), " or ")
}
