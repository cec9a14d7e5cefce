package migrate

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/automata"
)

var commentPattern = automata.Lazily(`(?s)<!--.*?-->`)

// flatten turns a block of Markdown into one line: paragraphs follow each other,
// items of a list are divided by semicolons, and code keeps its lines apart by
// " ⏎ ". Comments go.
func flatten(text string) string {
	text = commentPattern().ReplaceAllString(text, " ")
	var out flattened
	fence := ""
	var code []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "" && strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "":
			out.add(codeSpan(code), false)
			fence, code = "", nil
		case fence != "":
			code = append(code, strings.TrimRight(line, " \t"))
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, trimmed[:1]))]
		case trimmed == "" || strings.Trim(trimmed, "-=*_ ") == "":
			out.item = false
		default:
			text, item := listItem(strings.TrimLeft(trimmed, "> "))
			out.add(text, item)
		}
	}
	if len(code) > 0 {
		out.add(codeSpan(code), false)
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

type flattened struct {
	strings.Builder
	item bool // inside of a list
}

func (f *flattened) add(text string, item bool) {
	before := f.String()
	switch {
	case before == "" || text == "":
	case item && f.item && !strings.HasSuffix(before, ":") && !strings.HasSuffix(before, ";"):
		f.WriteString("; ")
	default:
		f.WriteString(" ")
	}
	f.item = f.item || item
	f.WriteString(text)
}

// listItem takes the mark of a list's item off.
func listItem(line string) (string, bool) {
	for _, mark := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			rest = strings.TrimSpace(rest)
			for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
				rest = strings.TrimPrefix(rest, box)
			}
			return rest, true
		}
	}
	return line, numbered(line)
}

// numbered says whether a line begins as an item of a numbered list; the number
// stays.
func numbered(line string) bool {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	return digits > 0 && digits < 4 && len(line) > digits+1 && (line[digits] == '.' || line[digits] == ')') && line[digits+1] == ' '
}

func codeSpan(lines []string) string {
	text := strings.TrimSpace(strings.Join(lines, " ⏎ "))
	if text == "" || strings.Contains(text, "`") {
		return text
	}
	return "`" + text + "`"
}

// notText is where the first byte stands that no text file can hold; -1: nowhere.
func notText(data []byte) int {
	if at := bytes.IndexByte(data, 0); at >= 0 {
		return at
	}
	return invalidUTF8(data)
}

// invalidUTF8 is where the first byte stands that is no UTF-8; -1: nowhere.
func invalidUTF8(data []byte) int {
	for at := 0; at < len(data); {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			return at
		}
		at += n
	}
	return -1
}
