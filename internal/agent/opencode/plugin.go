package opencode

import (
	"bytes"
	_ "embed"
	"fmt"
	"hash/fnv"
)

//go:embed lessons.ts
var body []byte

// header starts the plugin's first line; the check sum of everything behind that
// line follows, so that a file which somebody changed is told from an older one.
const header = "// Written by lessons init. Taken out by lessons uninstall. "

func plugin() []byte { return append([]byte(firstLine(body)), body...) }

func firstLine(rest []byte) string {
	h := fnv.New64a()
	_, _ = h.Write(rest) // never fails
	return fmt.Sprintf("%s%016x\n", header, h.Sum64())
}

// ours says whether a document is a plugin of lessons, changed or not.
func ours(doc []byte) bool { return bytes.HasPrefix(doc, []byte(header)) }

// untouched says whether it is as some release wrote it. A check-out may have
// turned its line ends.
func untouched(doc []byte) bool {
	doc = bytes.ReplaceAll(doc, []byte("\r\n"), []byte("\n"))
	first, rest, _ := bytes.Cut(doc, []byte("\n"))
	return string(first)+"\n" == firstLine(rest)
}

func install(doc []byte) ([]byte, error) {
	switch {
	case len(bytes.TrimSpace(doc)) == 0:
		return plugin(), nil
	case !ours(doc):
		return nil, fmt.Errorf("line 1: another file has the name of lessons' plugin: rename it")
	case !untouched(doc):
		return nil, fmt.Errorf("line 1: the plugin was edited: remove the file, and lessons init writes it anew")
	case bytes.Equal(bytes.ReplaceAll(doc, []byte("\r\n"), []byte("\n")), plugin()):
		return doc, nil
	default:
		return plugin(), nil
	}
}

func remove(doc []byte) ([]byte, error) {
	switch {
	case !ours(doc):
		return doc, nil
	case !untouched(doc):
		return nil, fmt.Errorf("line 1: the plugin was edited: remove the file by hand")
	default:
		return nil, nil
	}
}
