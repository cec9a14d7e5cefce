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
	"github.com/lessons-cli/lessons/knowledge/prose"
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
var Folders = []string{
	commandFolder, lessonFolder, skillFolder, claudeSkills, sharedSkills,
	entry.Dir(knowledge.KindADR), entry.Dir(knowledge.KindPF),
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
	fmt.Fprintf(&b, "---\n\n# %s\n\n%s\n\n", inert(m.title), inert(m.purpose()+" "+use))
	m.writeProcedure(&b, prose.OneLine(m.part("description", "heading")))
	return sealed([]byte(b.String()))
}

// purpose says in a sentence what a procedure is for.
func (m material) purpose() string {
	if text := m.part("description", "heading"); text != "" {
		return sentence(text)
	}
	if n := m.seen.Sessions; n > 1 {
		return fmt.Sprintf("The way this is done here, as %d sessions showed it.", n)
	}
	return "The way this is done here."
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
	m.writeProcedure(&b)
	return []byte(b.String())
}

// writeProcedure writes when and what to do: steps, or a text when there are none,
// then what goes wrong and what else is known, without what was said before. It
// always writes something.
func (m material) writeProcedure(b *strings.Builder, said ...string) {
	paragraph := func(label, text string) {
		if text = prose.OneLine(text); text != "" && !slices.Contains(said, text) {
			said = append(said, text)
			fmt.Fprintf(b, "%s%s\n\n", label, inert(text))
		}
	}
	for _, name := range []string{"description", "heading", "context", "area", "issue", "decision", "resolution", "consequences"} {
		label := ""
		if name != "description" && name != "heading" {
			label = strings.ToUpper(name[:1]) + name[1:] + ": "
		}
		paragraph(label, m.details[name])
	}
	if len(m.steps) == 0 {
		paragraph("", cmp.Or(m.details[""], cmp.Or(m.fix, m.title)))
	} else {
		if text := m.details[""]; len(m.o.Items) > 0 && !saysItems(text, m.steps) {
			paragraph("", text)
		}
		b.WriteString("## Steps\n\n")
		for i, step := range m.steps {
			fmt.Fprintf(b, "%d. %s\n", i+1, inert(step))
		}
		b.WriteByte('\n')
	}
	fix := m.fix
	if saysItems(fix, m.steps) || slices.Contains(said, prose.OneLine(fix)) {
		fix = ""
	}
	if m.mistake+fix != "" {
		b.WriteString("## Take care\n\n")
		paragraph("**Mistake**: ", m.mistake)
		paragraph("**Fix**: ", fix)
	}
	further := m.further()
	for i := 0; i+1 < len(further); i += 2 {
		paragraph("**"+further[i]+"**: ", further[i+1])
	}
	text := strings.TrimRight(b.String(), "\n")
	b.Reset()
	b.WriteString(text + "\n")
}
