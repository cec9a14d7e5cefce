package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
)

// errorText is what a program printed when it failed, without the manual that
// many print behind it.
type errorText struct {
	text    string
	authors []string // programs that speak, and those that were not found
	gone    []string // programs that cannot be run
}

const (
	errorTextLines = 40
	errorTextBytes = 4 << 10
)

const (
	isManual automata.Members = 1 << iota
	isTelling
)

var errorTexts = struct {
	lines                *automata.Set // of the constants below
	author, gone, letter *automata.Pattern
	listed               *automata.Pattern // names of flags without dashes or quotes
	isNone               *automata.Pattern // the same, one that there is not
	status               *automata.Pattern // a line that tells it alone
}{
	lines: automata.NewSet(map[automata.Members]string{
		isManual:  `(?i)^\s*(?:usage|(?:global |available |additional )?(?:flags|options|arguments|commands|subcommands|examples|aliases)|inherited flags|learn more)\b[^:]{0,20}:`,
		isTelling: `(?i)\berror\b|\bfatal\b|unknown|unrecogni[sz]ed|invalid|illegal|unexpected|not (?:a|found|match)|cannot|can't|could not|no such|failed|denied|missing|must |no longer|replaced|is required`,
	}),
	listed: automata.New(`(?i)unknown (?:argument|option|flag)s?: ([\w-]+(?:, [\w-]+)*)`),
	isNone: automata.New(`(?i)([\w-]{2,}) is not an? (?:\w+ )?(?:argument|option|flag)\b`),
	status: automata.New(`^(?:Error: )?Exit code \d+\s*$`),
	author: automata.New(`^(?:\S*/)?([A-Za-z][\w.+-]*)(?::| error\b| ERR!)`),
	gone:   automata.New(`(?m)command not found: ([\w./+-]+)|([\w./+-]+): (?:command )?not found\s*$|([\w./+-]+): Permission denied\s*$|'([\w.+-]+)' is not recognized as|\bpython[\d.]*(?:\.exe)?: No module named '?(\w+)`),
	letter: automata.New(`(?i)(?:option|flag|switch):?\s+(?:--\s+)?['"` + "`" + `‘]?(\w)['"` + "`" + `’]?(?:\s+in\s+-\w+|\s*$)`),
}

// saying returns the lines of an output that tell what is wrong, and the two
// behind each; when none sounds like it, all. Manuals are left out.
func saying(output string) []string {
	p := errorTexts
	var all, telling []string
	manual, near := false, 0
	for line := range strings.Lines(MiddleOut(output, 2*errorTextBytes)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" {
			manual = false
			continue
		}
		is := p.lines.In(line)
		if manual = is.Has(isManual) || manual && !is.Has(isTelling); manual {
			continue
		}
		if is.Has(isTelling) && !p.status.MatchString(line) {
			near = 3
		}
		if near > 0 {
			near--
			telling = append(telling, line)
		}
		if all = append(all, line); len(all) == errorTextLines {
			break
		}
	}
	if len(telling) > 0 {
		return telling
	}
	return all
}

// errorTextOf reads the output of a failed command.
func errorTextOf(output string) errorText {
	p := errorTexts
	var c errorText
	kept := saying(output)
	c.text = strings.Join(kept, "\n")
	c.text = c.text[:min(len(c.text), errorTextBytes)]
	for _, m := range p.gone.FindAllStringSubmatch(c.text, 4) {
		for _, name := range m[1:] {
			if name != "" && !isNumber(name) && !shells[name] {
				c.gone = append(c.gone, name)
			}
		}
	}
	if strings.Contains(c.text, "shim binary not found") {
		c.gone = append(c.gone, "")
	}
	c.authors = slices.Clone(c.gone)
	for _, line := range kept {
		if m := p.author.FindStringSubmatch(line); m != nil && !shells[m[1]] && m[1] != "error" && m[1] != "fatal" {
			c.authors = append(c.authors, m[1])
		}
	}
	return c
}

var shells = map[string]bool{"bash": true, "sh": true, "zsh": true, "dash": true, "eval": true}

// names says whether the text speaks of a word: it stands there by itself,
// a flag perhaps without its dashes.
func (c errorText) names(word string) bool {
	bare := strings.TrimLeft(word, "-")
	switch {
	case len(bare) == 0:
		return false
	case c.says(word):
		return true
	case bare == word:
		return false
	case len(bare) > 1 && (c.says("-"+bare) || c.says("--"+bare)):
		return true
	case len(bare) == 1: // "invalid option -- P", "'d' in -d"
		for _, m := range errorTexts.letter.FindAllStringSubmatch(c.text, 4) {
			if m[1] == bare {
				return true
			}
		}
		return false
	}
	for _, p := range [...]*automata.Pattern{errorTexts.listed, errorTexts.isNone} {
		if slices.ContainsFunc(p.FindAllStringSubmatch(c.text, 4), func(m []string) bool { return slices.Contains(strings.Split(m[1], ", "), bare) }) {
			return true
		}
	}
	return c.quotes(bare)
}

// quotes says whether a word stands in the text between quotes.
func (c errorText) quotes(word string) bool {
	for from := 0; ; {
		i := strings.Index(c.text[from:], word)
		if i < 0 {
			return false
		}
		before, behind := c.text[:from+i], c.text[from+i+len(word):]
		for _, q := range [...][2]string{{"'", "'"}, {"`", "'"}, {"`", "`"}, {`"`, `"`}, {"‘", "’"}, {"[", " "}, {" ", "]"}} {
			if strings.HasSuffix(before, q[0]) && strings.HasPrefix(behind, q[1]) {
				return true
			}
		}
		from += i + 1
	}
}

// says whether the words stand in the text with nothing glued to them.
func (c errorText) says(word string) bool {
	for from := 0; word != ""; {
		i := strings.Index(c.text[from:], word)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		if !glued(c.text, start-1, word[0], false) && !glued(c.text, end, word[len(word)-1], true) {
			return true
		}
		from = start + 1
	}
	return false
}

// glued says whether the character at i continues a word. A point or a colon
// behind it may end the sentence.
func glued(text string, i int, edge byte, behind bool) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	switch ch := text[i]; {
	case ch == '-' || ch == '_' || ch >= '0' && ch <= '9' || ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z':
		return true
	case ch == '.' && behind:
		return i+1 < len(text) && text[i+1] > ' '
	case ch == '/':
		return behind || edge != '/' && edge != '.'
	case ch == '.':
		return true
	}
	return false
}

// faulty returns the command that an error is about: the program that
// complains or is not there, else the one with most words that it names, else
// the last that is no plumbing.
func (c errorText) faulty(line *shell.Line) *shell.Command {
	for _, author := range c.authors {
		for _, cmd := range line.All {
			if author != "" && (cmd.Program == author || cmd.Path == author) && (!cmd.Wrapper || slices.Contains(c.gone, author)) {
				return cmd
			}
		}
	}
	if len(line.Commands) == 1 {
		return line.Commands[0]
	}
	var best *shell.Command
	most := 0
	for _, cmd := range line.All {
		if cmd.Wrapper {
			continue
		}
		if n := lists.Count(wordsOf(cmd), c.names); n > most {
			best, most = cmd, n
		}
	}
	if best != nil {
		return best
	}
	return mainCommand(line)
}

// wordsOf returns what a command is made of, the program first.
func wordsOf(c *shell.Command) []string {
	return slices.Concat([]string{c.Program}, c.Sub, c.FlagNames(), c.Operands)
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789.") == ""
}
