package migrate

import (
	"bytes"
	"path"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
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
		Read:   readSkill,
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
		Read: readCommand,
	}
}

func readSkill(name string, data []byte) ([]Thing, []Refusal) {
	dir := path.Base(path.Dir(name))
	return takeOver(name, data, Thing{Kind: knowledge.KindSkill, Name: dir}, "skill")
}

func readCommand(name string, data []byte) ([]Thing, []Refusal) {
	base := strings.TrimSuffix(path.Base(name), path.Ext(name))
	base = base[strings.LastIndex(base, "__")+1:]
	return takeOver(name, data, Thing{Kind: knowledge.KindCommand, Name: strings.Trim(base, "_")}, "command")
}

// takeOver makes a thing of a whole file. Its front matter belongs to the agents
// and is not read by our rules: it only has to end.
func takeOver(name string, data []byte, t Thing, format string) ([]Thing, []Refusal) {
	refuse := func(line int, reason string) ([]Thing, []Refusal) {
		return nil, []Refusal{{Path: name, Line: line, Reason: reason}}
	}
	if r, bad := notText(name, data); bad {
		return nil, []Refusal{r}
	}
	body, matter := data, []byte(nil)
	if end := matterEnd(data); end > 0 {
		matter = data[:end]
		_, body, _ = bytes.Cut(data[end:], []byte("\n"))
	} else if bytes.HasPrefix(data, []byte("---\n")) || bytes.HasPrefix(data, []byte("---\r\n")) {
		return refuse(1, "its front matter is not closed by a line ---: it is not whole")
	}
	switch {
	case len(data) > maxTaken:
		return refuse(1, "it is larger than a megabyte")
	case len(bytes.TrimSpace(body)) == 0:
		return refuse(1, "it has no text")
	case knowledge.HasMarker(data):
		return refuse(1, "lessons wrote it: there is nothing to take over")
	case format == "command" && subAgent(name, matter):
		return refuse(1, "it describes a sub-agent, which is neither a command nor a skill")
	}
	t.File = data
	t.Source = Source{Format: format, Path: name, ID: path.Base(name)}
	if format == "skill" {
		t.Source.ID = t.Name
	}
	if inPlace(t.Kind, name) { // it stays what it is, whatever is written into it
		t.Identity = name
	}
	if t.Title = oneLine(knowledge.TitleOf(body)); t.Title == "" {
		t.Title = t.Name
	}
	return []Thing{t}, nil
}

// subAgent says whether a Markdown file describes a sub-agent: it lies in a
// folder of them, or its front matter has what only they have.
func subAgent(name string, matter []byte) bool {
	if strings.Contains("/"+name, "/agents/") || strings.HasPrefix(path.Base(name), "agents__") {
		return true
	}
	return bytes.Contains(matter, []byte("\ncolor:")) && bytes.Contains(matter, []byte("\nname:"))
}
