package migrate

import (
	"bytes"
	"path"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
)

// maxTaken is how large a skill or a command may be, in bytes: what is larger
// would not be read again.
const maxTaken = 1 << 20

// skills takes over SKILL.md files.
func skills() Format {
	return Format{
		Name: "skill", About: "skills of agents: SKILL.md files, taken over as they are",
		Places: []string{".claude/skills", ".agents/skills"},
		Takes:  func(name string) bool { return path.Base(name) == "SKILL.md" },
		Detect: func(string, []byte) bool { return true },
		read:   readSkill,
	}
}

// commands takes over slash commands.
func commands() Format {
	return Format{
		Name: "command", About: "slash commands: Markdown files in a folder commands, taken over as they are",
		Places: []string{".claude/commands"},
		Takes:  extension(".md"),
		Detect: func(name string, _ []byte) bool {
			return strings.Contains("/"+path.Dir(name)+"/", "/commands/")
		},
		read: readCommand,
	}
}

func readSkill(f *file) {
	dir := path.Base(path.Dir(f.path))
	takeOver(f, Thing{Source: f.source(0, dir), Kind: knowledge.KindSkill, Name: dir})
}

func readCommand(f *file) {
	name := f.stem()
	name = strings.Trim(name[strings.LastIndex(name, "__")+1:], "_")
	takeOver(f, Thing{Source: f.source(0, f.base()), Kind: knowledge.KindCommand, Name: name})
}

// takeOver makes a thing of a whole file. Its front matter belongs to the agents
// and is not read by our rules: it only has to end.
func takeOver(f *file, t Thing) {
	if !f.isText() {
		return
	}
	body, matter := f.data, []byte(nil)
	if end := matterEnd(f.data); end > 0 {
		matter = f.data[:end]
		_, body, _ = bytes.Cut(f.data[end:], []byte("\n"))
	}
	if reason := notTaken(f, t.Kind, matter, body); reason != "" {
		f.refuseAll(1, reason)
		return
	}
	t.File, t.Title = f.data, orElse(oneLine(artifact.FirstHeading(body)), t.Name)
	if inPlace(t.Kind, f.path) { // it stays what it is, whatever is written into it
		t.Identity = f.path
	}
	f.add(t)
}

// notTaken says why a file is not taken over; empty: it is.
func notTaken(f *file, kind knowledge.Kind, matter, body []byte) string {
	switch {
	case matter == nil && beginsMatter(f.data):
		return "its front matter is not closed by a line ---: it is not whole"
	case len(f.data) > maxTaken:
		return "it is larger than a megabyte"
	case len(bytes.TrimSpace(body)) == 0:
		return "it has no text"
	case artifact.MarkerOf(f.data) != "":
		return "lessons wrote it: there is nothing to take over"
	case kind == knowledge.KindCommand && subAgent(f.path, matter):
		return "it describes a sub-agent, which is neither a command nor a skill"
	}
	return ""
}

// subAgent says whether a Markdown file describes a sub-agent: it lies in a
// folder of them, or its front matter has what only they have.
func subAgent(name string, matter []byte) bool {
	if strings.Contains("/"+name, "/agents/") || strings.HasPrefix(path.Base(name), "agents__") {
		return true
	}
	return bytes.Contains(matter, []byte("\ncolor:")) && bytes.Contains(matter, []byte("\nname:"))
}
