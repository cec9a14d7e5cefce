package codex

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/internal/settings/tomlscan"
)

// The lines around lessons' own part of config.toml.
const (
	blockStart = "# lessons: hooks, begin (lessons uninstall takes this block out)"
	blockEnd   = "# lessons: hooks, end"
)

// addTOML puts a block of its own at the end of the document. Where the document
// has no final line end, the block has none either: so removal knows.
func addTOML(doc []byte) ([]byte, error) {
	statements, err := tomlscan.Scan(doc)
	if err != nil {
		return nil, err
	}
	if err := addable(statements); err != nil {
		return nil, err
	}
	events, err := registeredTOML(doc)
	if err != nil || len(events) == len(Events) {
		return doc, err
	}
	if doc, err = removeTOML(doc); err != nil {
		return nil, err
	}
	eol := "\n"
	if bytes.Contains(doc, []byte("\r\n")) {
		eol = "\r\n"
	}
	lines := append(append([]string{blockStart}, blockLines()...), blockEnd)
	block := strings.Join(lines, eol)
	if bytes.HasSuffix(doc, []byte("\n")) {
		block += eol
	} else {
		block = eol + block
	}
	return append(bytes.Clone(doc), block...), nil
}

func blockLines() []string {
	var lines []string
	for _, h := range hooks() {
		lines = append(lines, "[[hooks."+h.Event+"]]")
		if h.Matcher != "" {
			lines = append(lines, "matcher = '"+h.Matcher+"'")
		}
		lines = append(
			lines, "[[hooks."+h.Event+".hooks]]", `type = "command"`,
			"command = '"+h.Command+"'", fmt.Sprintf("timeout = %d", h.Timeout),
		)
	}
	return lines
}

// addable refuses a document in which hooks are written as values: tables of
// the same name cannot be added to those.
func addable(statements []tomlscan.Statement) error {
	for _, s := range statements {
		path := s.Path()
		if path[0] != "hooks" || s.Key == nil && (s.Array || len(path) != 2) {
			continue
		}
		inline := s.Key != nil && (len(path) == 1 || len(path) == 2 && isEvent(path[1]))
		if inline || s.Key == nil && isEvent(path[1]) {
			return &tomlscan.SyntaxError{Line: s.Line, Text: fmt.Sprintf("%q is not a list of tables: write it as [[hooks.%s]], or register in %s", strings.Join(path, "."), path[len(path)-1], HooksPath)}
		}
	}
	return nil
}

func isEvent(name string) bool {
	for _, e := range Events {
		if string(e) == name {
			return true
		}
	}
	return false
}

// removeTOML takes the block out, with the line end that was put before it.
func removeTOML(doc []byte) ([]byte, error) {
	if start := bytes.Index(doc, []byte(blockStart)); start >= 0 && (start == 0 || doc[start-1] == '\n') {
		length := bytes.Index(doc[start:], []byte(blockEnd))
		if length < 0 {
			return nil, &tomlscan.SyntaxError{Line: 1 + bytes.Count(doc[:start], []byte("\n")), Text: "the end of lessons' block is missing: " + blockEnd}
		}
		end := start + length + len(blockEnd)
		if rest := doc[end:]; len(rest) == 0 && start > 0 {
			start -= len("\n")
			if start > 0 && doc[start-1] == '\r' {
				start--
			}
		} else {
			end += len(rest) - len(bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("\r")), []byte("\n")))
		}
		doc = append(bytes.Clone(doc[:start]), doc[end:]...)
	}
	left, err := commandsTOML(doc)
	if err != nil {
		return nil, err
	}
	for _, c := range left {
		if ours(c.text) {
			return nil, &tomlscan.SyntaxError{Line: c.line, Text: "a hook of lessons outside of its block: take this table out by hand"}
		}
	}
	return doc, nil
}

type commandTOML struct {
	event, text string
	line        int
}

// commandsTOML lists the hooks' commands of a document.
func commandsTOML(doc []byte) ([]commandTOML, error) {
	statements, err := tomlscan.Scan(doc)
	var found []commandTOML
	for _, s := range statements {
		path := s.Path()
		if len(path) == 4 && path[0] == "hooks" && path[2] == "hooks" && path[3] == "command" {
			if text, ok := tomlscan.Text(s.Value); ok {
				found = append(found, commandTOML{path[1], text, s.Line})
			}
		}
	}
	return found, err
}

func registeredTOML(doc []byte) ([]string, error) {
	all, err := commandsTOML(doc)
	var events []string
	for _, c := range all {
		if ours(c.text) {
			events = append(events, c.event)
		}
	}
	return events, err
}

func foreignTOML(doc []byte) []string {
	all, err := commandsTOML(doc)
	if err != nil {
		return nil
	}
	var found []string
	for _, c := range all {
		if strings.Contains(c.text, "devflow") {
			found = append(found, c.event+": "+c.text)
		}
	}
	return found
}
