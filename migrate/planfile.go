package migrate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/prose"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Folders of files that come from elsewhere. Skills are published to the agents
// from theirs.
const (
	skillFolder   = ".lessons/skills"
	commandFolder = ".claude/commands/imported"
)

// file plans a skill or a slash command. One that lies where agents read it stays
// as it is and gets a row; one from elsewhere is copied.
func (p *planner) file(a *admission) {
	if path := a.Source.Path; inPlace(a.Kind, path) {
		i := slices.IndexFunc(p.s.Artifacts, func(a artifact.Artifact) bool { return a.Path == path })
		if i < 0 {
			p.refuse(a, "another file of this name is here: import it from outside of the repository")
			return
		}
		p.register(a, path, "", p.s.Artifacts[i].Text)
		return
	}
	text := []byte(p.options.Clean(string(a.File)))
	if !bytes.Equal(text, a.File) {
		p.note(a, "secrets or names were taken out")
	}
	text = marked(text, a.id)
	path := p.freeFile(a.Kind, prose.Slug(a.Name))
	p.taken[strings.ToLower(path)] = true
	p.plan.Changes = append(p.plan.Changes, store.Change{Path: path, After: text})
	p.register(a, path, "", text)
}

// inPlace says whether a path is one of those that agents read.
func inPlace(kind knowledge.Kind, path string) bool {
	folders := []string{".claude/commands/", ".agents/commands/"}
	if kind == knowledge.KindSkill {
		folders = []string{skillFolder + "/", ".claude/skills/", ".agents/skills/"}
	}
	return slices.ContainsFunc(folders, func(folder string) bool { return strings.HasPrefix(path, folder) })
}

func (p *planner) freeFile(kind knowledge.Kind, slug string) string {
	for n := 1; ; n++ {
		name := slug
		if n > 1 {
			name = fmt.Sprintf("%s-%d", slug, n)
		}
		paths := []string{commandFolder + "/" + name + ".md"}
		if kind == knowledge.KindSkill { // no agent has a skill of that name: its copies go there
			paths = []string{skillFolder + "/" + name + "/SKILL.md", ".claude/skills/" + name + "/SKILL.md", ".agents/skills/" + name + "/SKILL.md"}
		}
		if !slices.ContainsFunc(paths, func(path string) bool { return p.taken[strings.ToLower(path)] }) {
			return paths[0]
		}
	}
}

// marked puts the id as a comment below the front matter's keys, or in front
// matter of its own. Comments are read by no agent.
func marked(text []byte, id string) []byte {
	line := "# source: " + knowledge.Marker(id)
	if end := matterEnd(text); end > 0 {
		return append(append(append([]byte{}, text[:end]...), line+"\n"...), text[end:]...)
	}
	return append([]byte("---\n"+line+"\n---\n\n"), text...)
}

// matterEnd is where the line --- stands that ends front matter; 0: there is none.
func matterEnd(text []byte) int {
	if !beginsMatter(text) {
		return 0
	}
	at := bytes.IndexByte(text, '\n') + 1
	for line := range bytes.Lines(text[at:]) {
		if string(bytes.TrimRight(line, " \t\r\n")) == "---" {
			return at
		}
		at += len(line)
	}
	return 0
}

func beginsMatter(text []byte) bool {
	return bytes.HasPrefix(text, []byte("---\n")) || bytes.HasPrefix(text, []byte("---\r\n"))
}
