package lesson

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/prose"
)

// ToolTags are the tools that the lesson's tool:<name> tags say it is about, each once,
// as they are written in the names of files.
func (l *Lesson) ToolTags() []string {
	var tools []string
	for _, tag := range l.Tags {
		name, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(tag)), "tool:")
		if tool := prose.Slug(name); ok && strings.TrimSpace(name) != "" && !slices.Contains(tools, tool) {
			tools = append(tools, tool)
		}
	}
	return tools
}
