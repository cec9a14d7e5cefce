package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

// Limits of an export, in bytes and files.
const (
	maxExportFile  = 32 << 20
	maxExportFiles = 100_000
)

// exportHead says by the first bytes whether a file is an export of lessons.
func exportHead(head []byte) bool {
	return bytes.Contains(head, []byte(`"`+exportType+`"`))
}

// ReadExport reads an export and checks every path in it. It is taken as a whole
// or not at all: anything that is wrong is an error, with file and line.
func ReadExport(name string, data []byte) (Export, error) {
	r := exportReader{file{path: name, data: data}}
	if err := r.wellFormed(); err != nil {
		return Export{}, err
	}
	e, err := r.read()
	if err != nil {
		return Export{}, err
	}
	return e, r.check(e)
}

type exportReader struct{ file }

func (r *exportReader) fail(line int, format string, args ...any) error {
	return &knowledge.ParseError{Path: r.path, Line: line, Text: fmt.Sprintf(format, args...)}
}

// wellFormed says where the file is no JSON.
func (r *exportReader) wellFormed() error {
	if at := invalidUTF8(r.data); at >= 0 {
		return r.fail(lineOfOffset(r.data, int64(at)), "it is not UTF-8 here")
	}
	var all json.RawMessage
	fault, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(r.data, &all))
	if !ok {
		return nil
	}
	line := lineOfOffset(r.data, fault.Offset)
	switch {
	case fault.Offset >= int64(len(r.data)) && strings.Contains(fault.Error(), "unexpected end"):
		return r.fail(line, "it ends too early: the export is not whole")
	case strings.Contains(fault.Error(), "after top-level value"):
		return r.fail(line, "something stands behind the end")
	}
	return r.fail(line, "it cannot be read: %v", fault)
}

// read decodes the members one by one, so that each file knows its line.
func (r *exportReader) read() (Export, error) {
	var e Export
	if first := bytes.TrimLeft(r.data, " \t\r\n")[0]; first != '{' {
		return e, r.fail(1, "%c instead of {", first)
	}
	members, err := r.elements(r.data)
	if err != nil {
		return e, r.fail(1, "it cannot be read: %v", err)
	}
	targets := map[string]any{"$schema": &e.Schema, "type": &e.Type, "version": &e.Version, "layout": &e.Layout, "log": &e.Log}
	seen := map[string]bool{}
	for _, m := range members {
		switch target := targets[m.Key]; {
		case seen[m.Key]:
			err = r.fail(m.Line, "%q stands here a second time", m.Key)
		case m.Key == "files":
			e.Files, err = r.files(m)
		case target != nil:
			err = r.decode(m, target)
		}
		if err != nil {
			return e, err
		}
		seen[m.Key] = true
	}
	return e, nil
}

func (r *exportReader) decode(m element, into any) error {
	if err := json.Unmarshal(m.Data, into); err != nil {
		return r.fail(m.Line, "it cannot be read: %v", err)
	}
	return nil
}

func (r *exportReader) files(m element) ([]ExportFile, error) {
	if m.Data[0] != '[' {
		return nil, r.fail(m.Line, "%c instead of [", m.Data[0])
	}
	list, err := r.elements(m.Data)
	if err != nil {
		return nil, r.fail(m.Line, "it cannot be read: %v", err)
	}
	if len(list) > maxExportFiles {
		return nil, r.fail(m.Line, "more than %d files", maxExportFiles)
	}
	files := make([]ExportFile, len(list))
	for i, f := range list {
		if err := r.decode(f, &files[i]); err != nil {
			return nil, err
		}
		files[i].line = f.Line + bytes.Count(f.Data, []byte("\n")) // its last
	}
	return files, nil
}

// check holds what was read against the rules of the form.
func (r *exportReader) check(e Export) error {
	switch {
	case e.Type != exportType:
		return r.fail(1, "its type is %q and not %q", e.Type, exportType)
	case e.Version > exportVersion:
		return r.fail(1, "a newer version of lessons wrote it (%d; this one knows %d): update lessons", e.Version, exportVersion)
	case e.Version < 1:
		return r.fail(1, "it names no version")
	case e.Layout != entry.LayoutBook && e.Layout != entry.LayoutFiles:
		return r.fail(1, "the layout %q is not known", e.Layout)
	}
	if e.Files == nil {
		return r.fail(1, "it has no files, not even none: it is not whole")
	}
	if e.Log != nil && !e.Log.one() {
		return r.fail(1, "the log needs either text or base64")
	}
	seen := map[string]bool{}
	for _, f := range e.Files {
		if reason := fileProblem(f, seen); reason != "" {
			return &knowledge.ParseError{Path: r.path, Line: f.line, Text: reason}
		}
		seen[strings.ToLower(f.Path)] = true
	}
	return nil
}

// fileProblem says what is wrong with a file, or nothing. seen are the paths
// before it, in lower case: some file systems take them for one.
func fileProblem(f ExportFile, seen map[string]bool) string {
	if err := ExportPath(f.Path); err != nil {
		return err.Error()
	}
	data := f.Data()
	switch {
	case seen[strings.ToLower(f.Path)]:
		return f.Path + " stands twice in it"
	case !f.one():
		return f.Path + " needs either text or base64"
	case len(data) > maxExportFile:
		return fmt.Sprintf("%s has %d bytes; %d are the most", f.Path, len(data), maxExportFile)
	}
	return ""
}
