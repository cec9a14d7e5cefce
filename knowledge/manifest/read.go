package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/settings/jsonedit"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
)

// currentVersion is the version of the manifest that this program writes.
const currentVersion = 1

// errNewerSchema says that a file was written by a newer version: it may be
// read as far as it goes and must not be written.
var errNewerSchema = errors.New("written by a newer version of lessons; it is read and not written")

// Error is a manifest that cannot be used, with the place in the file.
type Error struct {
	Path string
	Line int // 1-based; 0: the whole file
	Err  error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

var (
	rowFields       = sync.OnceValue(func() *fields.Set { return fields.Of(reflect.TypeFor[Row]()) })
	tombstoneFields = sync.OnceValue(func() *fields.Set { return fields.Of(reflect.TypeFor[Tombstone]()) })
)

// Parse reads a manifest, ours or devflow's; no bytes are an empty
// manifest. Errors are [Error]. For a newer version the error is
// [errNewerSchema] and the manifest is what could be read of it. Absolute paths
// of earlier tools become relative; of two rows with one key the winner of
// [Merge] stays.
func Parse(path string, data []byte) (*Manifest, error) {
	m := &Manifest{raw: slices.Clone(data)}
	body := bytes.TrimPrefix(data, textfile.ByteOrderMark)
	if len(bytes.TrimSpace(body)) == 0 {
		return m, nil
	}
	r := reader{path: path, doc: body, m: m, rows: gathering{}}
	doc, err := jsonedit.Parse(body)
	if err != nil {
		return nil, r.syntaxError(err)
	}
	if !doc.IsObject() {
		return nil, &Error{path, 1, errors.New("a manifest is a JSON object")}
	}
	newer := r.newer(doc)
	m.newer = newer != nil
	if err := r.members(doc); err != nil {
		if newer != nil {
			return m, newer
		}
		return nil, err
	}
	read := r.rows.manifest()
	m.Rows, m.Tombstones, m.extra = read.Rows, read.Tombstones, read.extra
	return m, newer
}

// ParseFiles reads the rows of layout files: one small manifest an
// observation, by path. A file that cannot be read is a problem and hides no
// other.
func ParseFiles(files map[string][]byte) (*Manifest, []knowledge.Problem) {
	m := &Manifest{}
	var problems []knowledge.Problem
	for _, path := range slices.Sorted(maps.Keys(files)) {
		one, err := Parse(path, files[path])
		if err != nil {
			problems = append(problems, Problem(path, err))
		}
		if one != nil {
			m = Merge(m, one)
		}
	}
	return m, problems
}

// Problem returns what is wrong with a manifest file as a problem.
func Problem(path string, err error) knowledge.Problem {
	p := knowledge.Problem{Path: path, Rule: "manifest", Text: err.Error()}
	if at, ok := errors.AsType[*Error](err); ok {
		p.Line, p.Text = at.Line, at.Err.Error()
	}
	if errors.Is(err, errNewerSchema) {
		p.Rule = "newer-schema"
	}
	return p
}

type reader struct {
	path string
	doc  []byte
	m    *Manifest
	rows gathering
}

func (r reader) lineAt(offset int) int {
	return knowledge.LineAt(r.doc, offset)
}

func (r reader) syntaxError(err error) error {
	number := 0
	for line := range bytes.Lines(r.doc) {
		number++
		if textfile.IsConflictMarker(bytes.TrimSpace(line)) {
			return &Error{r.path, number, errors.New("a conflict marker of a merge; keep the rows of both sides and take out the marker lines")}
		}
	}
	if at, ok := errors.AsType[*jsonedit.SyntaxError](err); ok {
		return &Error{r.path, at.Line, fmt.Errorf("not JSON: %s", at.Text)}
	}
	return &Error{r.path, 0, err}
}

// newer reports a version above ours; schemaVersion is devflow's name of it.
func (r reader) newer(doc jsonedit.Node) error {
	for _, name := range []string{"version", "schemaVersion"} {
		at, ok := doc.Member(name)
		if !ok {
			continue
		}
		var version float64
		if json.Unmarshal(r.doc[at.Start:at.End], &version) == nil && version > currentVersion {
			return &Error{r.path, r.lineAt(at.Start), errNewerSchema}
		}
	}
	return nil
}

func (r reader) members(doc jsonedit.Node) error {
	for i, member := range doc.Members {
		last := !slices.ContainsFunc(doc.Members[i+1:], func(o jsonedit.Member) bool { return o.Key == member.Key })
		if !last && member.Key != "entries" && member.Key != "tombstones" {
			continue
		}
		var err error
		switch member.Key {
		case "$schema", "type", "version", "schemaVersion":
		case "entries":
			err = r.each(member, r.row)
		case "tombstones":
			err = r.each(member, r.tombstone)
		default:
			if r.m.unknown == nil {
				r.m.unknown = fields.Unknown{}
			}
			r.m.unknown.Add(member.Key, r.doc[member.Value.Start:member.Value.End])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r reader) each(list jsonedit.Member, read func(jsonedit.Node) error) error {
	if string(r.doc[list.Value.Start:list.Value.End]) == "null" {
		return nil
	}
	if !list.Value.IsArray() {
		return &Error{r.path, r.lineAt(list.KeyStart), fmt.Errorf("%q is not a list", list.Key)}
	}
	for _, elem := range list.Value.Elems {
		err := read(elem)
		if err == nil {
			continue
		}
		at := elem.Start
		if f, ok := errors.AsType[*fields.Error](err); ok {
			at += f.Start
		}
		return &Error{r.path, r.lineAt(at), err}
	}
	return nil
}

func (r reader) row(elem jsonedit.Node) error {
	var row Row
	unknown, err := rowFields().Decode(string(r.doc[elem.Start:elem.End]), &row)
	if err == nil {
		err = tidyRow(&row, unknown)
	}
	if err == nil {
		r.rows.meet(candidate{tomb: Tombstone{Row: row}, unknown: unknown})
	}
	return err
}

func (r reader) tombstone(elem jsonedit.Node) error {
	var t Tombstone
	unknown, err := tombstoneFields().Decode(string(r.doc[elem.Start:elem.End]), &t)
	if err == nil {
		err = tidyRow(&t.Row, unknown)
	}
	if err == nil {
		r.rows.meet(candidate{tomb: t, removed: true, unknown: unknown})
	}
	return err
}

// tidyRow checks what identifies a row and reads an earlier tool's spelling:
// absolute paths, an anchor in the path or in the member anchorId.
func tidyRow(row *Row, unknown fields.Unknown) error {
	if row.ObservationID == "" || row.Type == "" {
		return errors.New("a row needs observationId and type")
	}
	row.Path = knowledge.RepositoryPath(row.Path)
	if file, anchor := knowledge.CutPlace(row.Path); isAnchor(anchor) {
		row.Path = file
		row.Anchor = cmp.Or(row.Anchor, anchor)
	}
	var anchor string
	if json.Unmarshal(unknown["anchorId"], &anchor) == nil {
		row.Anchor = cmp.Or(row.Anchor, anchor)
		delete(unknown, "anchorId") // it is written anew
	}
	return nil
}

func isAnchor(s string) bool {
	kind, number, ok := strings.Cut(s, "-")
	return ok && (kind == "ADR" || kind == "PF") && number != "" && strings.Trim(number, "0123456789") == ""
}
