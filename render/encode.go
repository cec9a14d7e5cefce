package render

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// inert encodes text for one line of a slash command or skill, whose body an
// agent executes: no program, file, argument, fence or comment of the agents'
// own syntax is left in it. It comes last: nothing
// may be cut or joined afterwards.
func inert(text string) string {
	text = prose.Neutral(prose.OneLine(text))
	for strings.Contains(text, "```") {
		text = strings.ReplaceAll(text, "```", "``")
	}
	for strings.Contains(text, "~~~") {
		text = strings.ReplaceAll(text, "~~~", "~~")
	}
	text = strings.ReplaceAll(text, "`!", "` !")
	for strings.Contains(text, "{{") {
		text = strings.ReplaceAll(text, "{{", "{ {")
	}
	text = strings.ReplaceAll(text, "!{", "! {")
	return plainStart(prose.Neutral(text))
}

// plainStart keeps a line from being read as a heading, list item, quotation,
// rule or front matter.
func plainStart(line string) string {
	word, _, _ := strings.Cut(line, " ")
	switch {
	case word == "":
		return line
	case strings.Trim(word, "#") == "" && len(word) <= 6,
		strings.Trim(word, "-") == "", strings.Trim(word, "=") == "", strings.Trim(word, "_") == "", strings.Trim(word, "*") == "",
		strings.HasPrefix(word, ">"), word == "+", strings.HasPrefix(word, "```"), strings.HasPrefix(word, "~~~"):
		return `\` + line
	}
	return line
}

// inertBlock encodes Markdown of several lines, such as the body of a lesson
// that a person edited, for the body of a skill. Code fences stay, in one form,
// and are always closed; headings become bold so that they cannot pose as
// sections of the skill.
func inertBlock(text string) string {
	var lines []string
	open := "" // the fence that is open
	for line := range strings.Lines(plain.Visible(text)) {
		line = strings.TrimRight(line, " \t\n")
		trimmed := strings.TrimLeft(line, " \t")
		fence := fenceOf(trimmed)
		switch {
		case open == "" && fence != "":
			open = fence
			lines = append(lines, "```")
		case open != "" && len(fence) >= len(open) && fence[0] == open[0] && strings.Trim(trimmed, fence[:1]) == "":
			open = ""
			lines = append(lines, "```")
		case open != "":
			lines = append(lines, inertCode(line))
		default:
			lines = append(lines, inertText(line, trimmed))
		}
	}
	if open != "" {
		lines = append(lines, "```")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// fenceOf returns the run of backticks or tildes that opens or closes a code
// block, or the empty text.
func fenceOf(trimmed string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(trimmed) - len(strings.TrimLeft(trimmed, c)); n >= 3 {
			return trimmed[:n]
		}
	}
	return ""
}

func inertCode(line string) string {
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	code := inert(line)
	return indent + strings.TrimPrefix(code, `\`)
}

func inertText(line, trimmed string) string {
	if trimmed == "" {
		return ""
	}
	indent := strings.Repeat(" ", min(len(line)-len(trimmed), 8))
	if hashes := len(trimmed) - len(strings.TrimLeft(trimmed, "#")); hashes > 0 && hashes <= 6 {
		if heading := inert(strings.Trim(trimmed, "# \t")); heading != "" {
			return "**" + heading + "**"
		}
		return ""
	}
	for _, bullet := range []string{"- [ ] ", "- [x] ", "- ", "* ", "+ ", "> "} {
		if rest, ok := strings.CutPrefix(trimmed, bullet); ok {
			return indent + bullet + inert(rest)
		}
	}
	return indent + inert(trimmed)
}

// quoted writes a value of YAML front matter: a JSON string, which YAML reads
// the same, on one line.
func quoted(text string) string {
	value, _ := plain.Marshal(prose.OneLine(text), "") // a string always encodes
	return string(value)
}

// cut shortens text to at most n characters, at a word where that keeps more
// than half, and marks that it did.
func cut(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	short := string(runes[:n-1])
	if i := strings.LastIndexByte(short, ' '); i > len(short)/2 {
		short = short[:i]
	}
	return strings.TrimRight(short, " ,;:.") + "…"
}

// cleaner takes secrets out of texts that are written.
type cleaner struct{ redactor *redact.Redactor }

// stored is for what an earlier tool may have stored without redaction. It knows no
// person and no home directory, so that it does the same everywhere.
var stored = cleaner{&redact.Redactor{}}

// cleanerOf is the cleaner of an observation's own words: a person's stay as they are,
// but for secrets of a known form.
func cleanerOf(o *observe.Observation) cleaner {
	if o.Origin == observe.OriginManual {
		return cleaner{&redact.ByPerson}
	}
	return stored
}

// text returns the text without secrets. What was redacted before stays as it is.
func (c cleaner) text(text string) string { return c.redactor.Text(text).String() }

// cut is text, then shortened to n characters: never the other way round, which
// would let half a key through.
func (c cleaner) cut(text string, n int) string { return c.redactor.Text(text).Cut(n).String() }

// trigger returns a copy of a trigger without secrets; nil stays nil.
func (c cleaner) trigger(t *lesson.Trigger) *lesson.Trigger {
	if t = t.Clone(); t == nil {
		return nil
	}
	for _, slot := range t.Slots() {
		*slot = c.all(*slot)
	}
	return t
}

func (c cleaner) examples(e lesson.Examples) lesson.Examples {
	return lesson.Examples{Match: c.all(slices.Clone(e.Match)), Miss: c.all(slices.Clone(e.Miss))}
}

// all takes secrets and what cannot be seen out of a list, in place.
func (c cleaner) all(list []string) []string {
	for i := range list {
		list[i] = strings.TrimSpace(plain.Visible(c.text(list[i])))
	}
	return slices.DeleteFunc(list, func(element string) bool { return element == "" })
}
