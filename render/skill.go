package render

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// skillFolder holds the skills; agents read published copies of them.
const skillFolder = ".lessons/skills"

// maxDescription is the length of a description that the Agent Skills format
// allows, in characters.
const maxDescription = 1024

// describe encodes a skill's description. Encoding makes it longer, so it is
// shortened before until the result fits.
func describe(text string) string {
	for n := maxDescription; ; n -= 100 {
		if d := inert(cut(text, max(n, 100))); utf8.RuneCountInString(d) <= maxDescription || n <= 100 {
			return d
		}
	}
}

// skillPath returns the path of a skill's file below a folder.
func skillPath(folder, name string) string { return folder + "/" + name + "/SKILL.md" }

// Folders are those in which render makes files.
func Folders() []string {
	return []string{
		commandFolder, lessonFolder, skillFolder, claudeSkills, sharedSkills,
		entry.Dir(knowledge.KindADR), entry.Dir(knowledge.KindPF),
	}
}

// folderOf is where the artifacts of a kind go that have a file each.
func folderOf(kind knowledge.Kind) string {
	switch kind {
	case knowledge.KindCommand:
		return commandFolder
	case knowledge.KindSkill:
		return skillFolder
	}
	return lessonFolder
}

// skillName returns the name of the skill in a path, or the empty text.
func skillName(path string) string {
	parts := strings.Split(path, "/")
	if n := len(parts); n >= 2 && parts[n-1] == "SKILL.md" {
		return parts[n-2]
	}
	return ""
}

// formatSkill writes a procedure in the Agent Skills format: only the keys that
// every agent takes, all values quoted.
func formatSkill(m material, name string) []byte {
	var b strings.Builder
	use := useWhen(m.trigger)
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %s\n", name, quoted(describe(sentence(m.title)+" "+use)))
	fmt.Fprintf(&b, "metadata:\n  source: %s\n  seen: %s\n", m.marker(), quoted(m.seen.String()))
	for i, q := range m.quotes {
		fmt.Fprintf(&b, "  quote-%d: %s\n", i+1, quoted(inert(q)))
	}
	fmt.Fprintf(&b, "---\n\n# %s\n\n## Iron Law\n\n", inert(m.title))
	fmt.Fprintf(&b, "**%s**\n\n## When to use it\n\n%s\n\n", inert(m.law()), inert(use))
	m.writeProcedure(&b, "Steps")
	return sealed([]byte(b.String()))
}

// law is the one sentence of a skill that must not be broken.
func (m material) law() string {
	return cmp.Or(m.fix, sentence(m.title))
}

func sentence(text string) string {
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?") || strings.HasSuffix(text, "…") {
		return text
	}
	return text + "."
}

// useWhen says in words when a procedure applies.
func useWhen(t *lesson.Trigger) string {
	if t != nil {
		for _, slot := range []struct {
			words    string
			elements []string
		}{
			{"you are about to run", t.Commands},
			{"you work on", t.Paths},
			{"the task speaks of", t.Keywords},
			{"you use the tool", t.Tools},
		} {
			if len(slot.elements) > 0 {
				elements := slices.Sorted(slices.Values(slot.elements))
				return "Use it when " + slot.words + " " + strings.Join(elements[:min(len(elements), 5)], ", ") + "."
			}
		}
	}
	return "Use it whenever this has to be done in this repository."
}

// A skill carries a digest of its own text. It proves that nobody edited the
// file even where the manifest was lost or rebuilt, which decides whether a tool
// skill may be rendered again and whether an edited copy may flow back.

const digestKey = "  digest: "

// sealed adds a digest of the text behind the first line of the metadata.
func sealed(text []byte) []byte {
	before, after, ok := bytes.Cut(text, []byte("metadata:\n"))
	if !ok {
		return text
	}
	line := digestKey + `"` + textDigest(text) + "\"\n"
	return slices.Concat(before, []byte("metadata:\n"+line), after)
}

// untouched says whether the digest of a sealed text is that of the rest.
func untouched(text []byte) bool {
	text = knowledge.NormaliseLines(text)
	before, after, ok := bytes.Cut(text, []byte("metadata:\n"+digestKey))
	if !ok {
		return false
	}
	line, rest, _ := bytes.Cut(after, []byte("\n"))
	unsealed := slices.Concat(before, []byte("metadata:\n"), rest)
	return strings.Trim(string(line), `"`) == textDigest(unsealed)
}

func textDigest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// commandFolder holds the slash commands that are rendered from workflows.
const commandFolder = ".claude/commands/self-learning"

// marker is what stands in every artifact: where it came from.
func (m material) marker() string { return "self-learning:" + m.o.ID }

// formatCommand writes a workflow as a slash command. Its evidence stands in
// comments of the front matter, which never reach the model.
func formatCommand(m material) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "---\ndescription: %s\n", quoted(inert(m.title)))
	fmt.Fprintf(&b, "# source: %s\n# seen: %s\n", m.marker(), m.seen.String())
	for _, q := range m.quotes {
		fmt.Fprintf(&b, "# quote: %s\n", quoted(inert(q)))
	}
	fmt.Fprintf(&b, "---\n\n# %s\n\n", inert(m.title))
	m.writeProcedure(&b, "Steps")
	return []byte(b.String())
}

// writeProcedure writes what to do: steps, or a text when there are none, then
// what goes wrong. It always writes something.
func (m material) writeProcedure(b *strings.Builder, heading string) {
	paragraphs := m.paragraphs()
	for _, p := range paragraphs {
		fmt.Fprintf(b, "%s\n\n", inert(p))
	}
	if len(m.steps) > 0 {
		fmt.Fprintf(b, "## %s\n\n", heading)
		for i, step := range m.steps {
			fmt.Fprintf(b, "%d. %s\n", i+1, inert(step))
		}
		b.WriteByte('\n')
	}
	if m.mistake != "" || m.fix != "" {
		b.WriteString("## Take care\n\n")
		if m.mistake != "" {
			fmt.Fprintf(b, "- **Mistake**: %s\n", inert(m.mistake))
		}
		if m.fix != "" {
			fmt.Fprintf(b, "- **Fix**: %s\n", inert(m.fix))
		}
		b.WriteByte('\n')
	}
	text := strings.TrimRight(b.String(), "\n")
	b.Reset()
	b.WriteString(text + "\n")
}

// paragraphs are the details that are not the steps.
func (m material) paragraphs() []string {
	var paragraphs []string
	if text := m.details[""]; text != "" && (len(m.o.Items) > 0 || len(m.steps) == 0) {
		paragraphs = append(paragraphs, text)
	}
	for _, name := range []string{"context", "area", "issue", "impact", "decision", "resolution", "rationale", "consequences"} {
		if text := m.details[name]; text != "" {
			paragraphs = append(paragraphs, strings.ToUpper(name[:1])+name[1:]+": "+text)
		}
	}
	if len(paragraphs) == 0 && len(m.steps) == 0 && m.mistake == "" && m.fix == "" {
		paragraphs = append(paragraphs, m.title)
	}
	return paragraphs
}
