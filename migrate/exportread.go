package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
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
	r := exportReader{name: name, data: data}
	if at := invalidUTF8(data); at >= 0 {
		return Export{}, r.fail(int64(at), "it is not UTF-8 here")
	}
	e, err := r.read()
	if err != nil {
		return Export{}, err
	}
	return e, r.check(e)
}

type exportReader struct {
	name string
	data []byte
	dec  *json.Decoder
}

func (r *exportReader) fail(offset int64, format string, args ...any) error {
	return &knowledge.ParseError{Path: r.name, Line: lineOfOffset(r.data, offset), Text: fmt.Sprintf(format, args...)}
}

// read decodes the members one by one, so that each file knows its line.
func (r *exportReader) read() (Export, error) {
	var e Export
	r.dec = json.NewDecoder(bytes.NewReader(r.data))
	if err := r.open('{'); err != nil {
		return e, err
	}
	members := map[string]any{"$schema": &e.Schema, "type": &e.Type, "version": &e.Version, "layout": &e.Layout, "log": &e.Log}
	seen := map[string]bool{}
	for r.dec.More() {
		token, err := r.dec.Token()
		if err != nil {
			return e, r.broken(err)
		}
		key, _ := token.(string)
		if seen[key] {
			return e, r.fail(r.dec.InputOffset(), "%q stands here a second time", key)
		}
		seen[key] = true
		switch target := members[key]; {
		case key == "files":
			err = r.files(&e)
		case target != nil:
			err = r.dec.Decode(target)
		default: // items say nothing new, and a newer version may say more
			var skipped json.RawMessage
			err = r.dec.Decode(&skipped)
		}
		if err != nil {
			return e, r.broken(err)
		}
	}
	if _, err := r.dec.Token(); err != nil {
		return e, r.broken(err)
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return e, r.fail(r.dec.InputOffset(), "something stands behind the end")
	}
	return e, nil
}

func (r *exportReader) open(want json.Delim) error {
	token, err := r.dec.Token()
	if err != nil {
		return r.broken(err)
	}
	if token != want {
		return r.fail(r.dec.InputOffset(), "%v instead of %v", token, want)
	}
	return nil
}

func (r *exportReader) files(e *Export) error {
	e.Files = []ExportFile{}
	if err := r.open('['); err != nil {
		return err
	}
	for r.dec.More() {
		if len(e.Files) == maxExportFiles {
			return r.fail(r.dec.InputOffset(), "more than %d files", maxExportFiles)
		}
		var f ExportFile
		if err := r.dec.Decode(&f); err != nil {
			return err
		}
		f.line = lineOfOffset(r.data, r.dec.InputOffset())
		e.Files = append(e.Files, f)
	}
	_, err := r.dec.Token()
	return err
}

// broken gives an error of the decoder its line.
func (r *exportReader) broken(err error) error {
	if parse, ok := errors.AsType[*knowledge.ParseError](err); ok {
		return parse
	}
	at := r.dec.InputOffset()
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = max(at, syntax.Offset) // it counts from the start of a value
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return r.fail(int64(len(r.data)), "it ends too early: the export is not whole")
	}
	return r.fail(at, "it cannot be read: %v", err)
}

// check holds what was read against the rules of the form.
func (r *exportReader) check(e Export) error {
	switch {
	case e.Type != exportType:
		return r.fail(0, "its type is %q and not %q", e.Type, exportType)
	case e.Version > exportVersion:
		return r.fail(0, "a newer version of lessons wrote it (%d; this one knows %d): update lessons", e.Version, exportVersion)
	case e.Version < 1:
		return r.fail(0, "it names no version")
	case e.Layout != knowledge.LayoutBook && e.Layout != knowledge.LayoutFiles:
		return r.fail(0, "the layout %q is not known", e.Layout)
	}
	if e.Files == nil {
		return r.fail(0, "it has no files, not even none: it is not whole")
	}
	if e.Log != nil && !e.Log.one() {
		return r.fail(0, "the log needs either text or base64")
	}
	seen := map[string]bool{}
	for _, f := range e.Files {
		if reason := fileProblem(f, seen); reason != "" {
			return &knowledge.ParseError{Path: r.name, Line: f.line, Text: reason}
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
