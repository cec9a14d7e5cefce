package agent

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/lessons-cli/lessons/internal/settings/hookfile"
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
// removal knows. The result has to be TOML: no tables can be added to hooks that
// are written as values.
func (f codexFile) Add(doc []byte, agent string, hooks []hookfile.Hook) ([]byte, error) {
	if !isTOML(doc) {
		return hookfile.Nested.Add(doc, agent, hooks)
	}
	places, err := f.Commands(doc)
	if err != nil {
		return nil, err
	}
	if len(ours(places, agent)) == len(hooks) {
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
	after := append(bytes.Clone(doc), block...)
	if _, err := readTOML(after); err != nil {
		return nil, fmt.Errorf("its hooks are no lists of tables ([[hooks.Stop]]): write them so, or register in %s (%w)", codexHooks, err)
	}
	return after, nil
}

// readTOML reads a document; an error names the line, where there is one.
func readTOML(doc []byte) (root map[string]any, err error) {
	err = toml.Unmarshal(doc, &root)
	if fault, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := fault.Position()
		return nil, fmt.Errorf("line %d: %s", line, strings.TrimPrefix(fault.Error(), "toml: "))
	}
	return root, err
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

// Remove implements [hookfile.File]. Of config.toml it takes the block out, with
// the line end that was put before it.
func (codexFile) Remove(doc []byte, agent string) ([]byte, error) {
	if !isTOML(doc) {
		return hookfile.Nested.Remove(doc, agent)
	}
	if start := bytes.Index(doc, []byte(blockStart)); start >= 0 && (start == 0 || doc[start-1] == '\n') {
		length := bytes.Index(doc[start:], []byte(blockEnd))
		if length < 0 {
			return nil, fmt.Errorf("line %d: the end of lessons' block is missing: %s", 1+bytes.Count(doc[:start], []byte("\n")), blockEnd)
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
	places, err := codexFile{}.Commands(doc)
	for _, p := range ours(places, agent) {
		return nil, fmt.Errorf("a hook of lessons stands outside of its block: take [[hooks.%s]] out by hand", p.Event)
	}
	return doc, err
}

// Commands implements [hookfile.File].
func (codexFile) Commands(doc []byte) ([]hookfile.Place, error) {
	if !isTOML(doc) {
		return hookfile.Nested.Commands(doc)
	}
	root, err := readTOML(doc)
	events, _ := root["hooks"].(map[string]any)
	var found []hookfile.Place
	for _, event := range slices.Sorted(maps.Keys(events)) {
		for _, group := range tables(events[event]) {
			for _, h := range tables(group["hooks"]) {
				if command, ok := h["command"].(string); ok {
					found = append(found, hookfile.Place{Event: event, Command: command})
				}
			}
		}
	}
	return found, err
}

// tables are the tables in a list.
func tables(v any) []map[string]any {
	var found []map[string]any
	list, _ := v.([]any)
	for _, one := range list {
		if t, ok := one.(map[string]any); ok {
			found = append(found, t)
		}
	}
	return found
}

// ours are the places with commands of lessons.
func ours(places []hookfile.Place, agent string) []hookfile.Place {
	return slices.DeleteFunc(places, func(p hookfile.Place) bool { return !hookfile.Ours(agent, p.Command) })
}
