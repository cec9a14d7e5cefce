package agent

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/settings/hookfile"
	"github.com/lessons-cli/lessons/internal/settings/tomlscan"
)

// The lines around lessons' own part of config.toml.
const (
	blockStart = "# lessons: hooks, begin (lessons uninstall takes this block out)"
	blockEnd   = "# lessons: hooks, end"
)

// codexFile is hooks.json or config.toml, which are told apart by their first
// character; nothing at all is a hooks.json that is to be made.
type codexFile struct{}

func isTOML(doc []byte) bool {
	doc = bytes.TrimSpace(doc)
	return len(doc) > 0 && doc[0] != '{'
}

// Add implements [hookfile.File]. In config.toml it puts a block of its own at the
// end. Where the document has no final line end, the block has none either: so
// removal knows.
func (f codexFile) Add(doc []byte, agent string, hooks []hookfile.Hook) ([]byte, error) {
	if !isTOML(doc) {
		return hookfile.Nested.Add(doc, agent, hooks)
	}
	statements, err := tomlscan.Scan(doc)
	if err != nil {
		return nil, err
	}
	if err := addable(statements, hooks); err != nil {
		return nil, err
	}
	if len(ourLines(statements, agent)) == len(hooks) {
		return doc, nil
	}
	if doc, err = f.Remove(doc, agent); err != nil {
		return nil, err
	}
	eol := "\n"
	if bytes.Contains(doc, []byte("\r\n")) {
		eol = "\r\n"
	}
	lines := append(append([]string{blockStart}, blockLines(hooks)...), blockEnd)
	block := strings.Join(lines, eol)
	if bytes.HasSuffix(doc, []byte("\n")) {
		block += eol
	} else {
		block = eol + block
	}
	return append(bytes.Clone(doc), block...), nil
}

func blockLines(hooks []hookfile.Hook) []string {
	var lines []string
	for _, h := range hooks {
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
func addable(statements []tomlscan.Statement, hooks []hookfile.Hook) error {
	isEvent := func(name string) bool {
		return slices.ContainsFunc(hooks, func(h hookfile.Hook) bool { return h.Event == name })
	}
	for _, s := range statements {
		path := s.Path()
		if path[0] != "hooks" || s.Key == nil && (s.Array || len(path) != 2) {
			continue
		}
		inline := s.Key != nil && (len(path) == 1 || len(path) == 2 && isEvent(path[1]))
		if inline || s.Key == nil && isEvent(path[1]) {
			return &tomlscan.SyntaxError{Line: s.Line, Text: fmt.Sprintf("%q is not a list of tables: write it as [[hooks.%s]], or register in %s", strings.Join(path, "."), path[len(path)-1], codexHooks)}
		}
	}
	return nil
}

// Remove implements [hookfile.File]. Of config.toml it takes the block out, with
// the line end that was put before it.
func (codexFile) Remove(doc []byte, agent string) ([]byte, error) {
	if !isTOML(doc) {
		return hookfile.Nested.Remove(doc, agent)
	}
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
	statements, err := tomlscan.Scan(doc)
	if err != nil {
		return nil, err
	}
	for _, line := range ourLines(statements, agent) {
		return nil, &tomlscan.SyntaxError{Line: line, Text: "a hook of lessons outside of its block: take this table out by hand"}
	}
	return doc, nil
}

// Commands implements [hookfile.File].
func (codexFile) Commands(doc []byte) ([]hookfile.Place, error) {
	if !isTOML(doc) {
		return hookfile.Nested.Commands(doc)
	}
	statements, err := tomlscan.Scan(doc)
	var found []hookfile.Place
	for _, s := range statements {
		if command, ok := commandOf(s); ok {
			found = append(found, hookfile.Place{Event: s.Path()[1], Command: command})
		}
	}
	return found, err
}

// commandOf is the command of a hook, where a statement is one.
func commandOf(s tomlscan.Statement) (command string, ok bool) {
	path := s.Path()
	if len(path) != 4 || path[0] != "hooks" || path[2] != "hooks" || path[3] != "command" {
		return "", false
	}
	return tomlscan.Text(s.Value)
}

// ourLines are the lines with commands of lessons.
func ourLines(statements []tomlscan.Statement, agent string) []int {
	var lines []int
	for _, s := range statements {
		if command, ok := commandOf(s); ok && hookfile.Ours(agent, command) {
			lines = append(lines, s.Line)
		}
	}
	return lines
}
