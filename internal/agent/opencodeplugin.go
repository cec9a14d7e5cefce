package agent

import (
	"bytes"
	_ "embed"
	"fmt"
	"hash/fnv"

	"github.com/lessons-cli/lessons/internal/settings/hookfile"
)

// openCodePlugin is the file that registers lessons. OpenCode loads what lies
// there.
const openCodePlugin = ".opencode/plugin/lessons.ts"

//go:embed opencode.ts
var pluginBody []byte

// pluginHeader starts the plugin's first line; the check sum of everything behind
// that line follows, so that a file which somebody changed is told from an older
// one.
const pluginHeader = "// Written by lessons init. Taken out by lessons uninstall. "

// pluginFile is the plugin as a settings file: all of it is lessons' own.
type pluginFile struct{}

// Add implements [hookfile.File].
func (pluginFile) Add(doc []byte, _ string, _ []hookfile.Hook) ([]byte, error) {
	plugin := append([]byte(firstLine(pluginBody)), pluginBody...)
	switch {
	case len(bytes.TrimSpace(doc)) == 0:
		return plugin, nil
	case !isPlugin(doc):
		return nil, fmt.Errorf("line 1: another file has the name of lessons' plugin: rename it")
	case !untouched(doc):
		return nil, fmt.Errorf("line 1: the plugin was edited: remove the file, and lessons init writes it anew")
	case bytes.Equal(bytes.ReplaceAll(doc, []byte("\r\n"), []byte("\n")), plugin):
		return doc, nil
	default:
		return plugin, nil
	}
}

// Remove implements [hookfile.File]: nothing is left.
func (pluginFile) Remove(doc []byte, _ string) ([]byte, error) {
	switch {
	case !isPlugin(doc):
		return doc, nil
	case !untouched(doc):
		return nil, fmt.Errorf("line 1: the plugin was edited: remove the file by hand")
	default:
		return nil, nil
	}
}

// Commands implements [hookfile.File]. The plugin starts the program without a
// shell; these are the same for a person who wants to try them.
func (pluginFile) Commands(doc []byte) ([]hookfile.Place, error) {
	var found []hookfile.Place
	if isPlugin(doc) {
		for _, e := range []EventName{systemTransform, chatMessage, toolBefore, toolAfter, bus} {
			found = append(found, hookfile.Place{Event: string(e), Command: hookfile.Command("opencode", string(e))})
		}
	}
	return found, nil
}

func firstLine(rest []byte) string {
	h := fnv.New64a()
	_, _ = h.Write(rest) // never fails
	return fmt.Sprintf("%s%016x\n", pluginHeader, h.Sum64())
}

// isPlugin says whether a document is a plugin of lessons, changed or not.
func isPlugin(doc []byte) bool { return bytes.HasPrefix(doc, []byte(pluginHeader)) }

// untouched says whether it is as some release wrote it. A check-out may have
// turned its line ends.
func untouched(doc []byte) bool {
	doc = bytes.ReplaceAll(doc, []byte("\r\n"), []byte("\n"))
	first, rest, _ := bytes.Cut(doc, []byte("\n"))
	return string(first)+"\n" == firstLine(rest)
}
