package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// knowledgeSkill is the skill that carries what is no skill here.
const knowledgeSkill = "repository-knowledge"

// Skills writes a folder of skills: those of the repository as they are, and one
// with its decisions, pitfalls and active lessons, for agents that read nothing
// else.
func Skills(s *store.Snapshot, e Export) []entry.File {
	var files []entry.File
	taken := map[string]bool{}
	for _, f := range e.Files {
		if path, ok := strings.CutPrefix(f.Path, ".lessons/skills/"); ok {
			name, _, _ := strings.Cut(path, "/")
			taken[strings.ToLower(name)] = true
			files = append(files, entry.File{Path: path, Data: f.Data()})
		}
	}
	known := holding(s)
	if len(known.Decisions)+len(known.Pitfalls)+len(known.Lessons) == 0 {
		return files
	}
	name := knowledgeSkill
	for n := 2; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", knowledgeSkill, n)
	}
	head := fmt.Sprintf("---\nname: %s\ndescription: %s\n---\n\n", name, yamlText(
		"What was decided in this repository, which traps it has and what went wrong before. Use it before changing code or running its tools."))
	return append(files, entry.File{Path: name + "/SKILL.md", Data: append([]byte(head), Markdown(known, "What this repository knows")...)})
}

// holding is what still holds: active entries and lessons.
func holding(s *store.Snapshot) *store.Snapshot {
	active := func(entries []entry.Entry) []entry.Entry {
		return slices.DeleteFunc(slices.Clone(entries), func(e entry.Entry) bool { return !e.Active() })
	}
	known := &store.Snapshot{Decisions: active(s.Decisions), Pitfalls: active(s.Pitfalls)}
	for _, l := range s.Lessons {
		if l.Status == lesson.Active {
			known.Lessons = append(known.Lessons, l)
		}
	}
	return known
}
