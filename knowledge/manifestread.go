package knowledge

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
)

// manifestVersion is the version of the manifest that this program writes.
const manifestVersion = 1

// errNewerSchema says that a file was written by a newer version: it may be
// read as far as it goes and must not be written.
var errNewerSchema = errors.New("written by a newer version of lessons; it is read and not written")

// ManifestError is a manifest that cannot be used, with the place in the file.
type ManifestError struct {
	Path string
	Line int // 1-based; 0: the whole file
	Err  error
}

func (e *ManifestError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err)
}

func (e *ManifestError) Unwrap() error { return e.Err }

var (
	rowFields       = sync.OnceValue(func() *fieldSet { return newFieldSet(reflect.TypeFor[Row]()) })
	tombstoneFields = sync.OnceValue(func() *fieldSet { return newFieldSet(reflect.TypeFor[Tombstone]()) })
)

// ParseManifest reads a manifest, ours or devflow's; no bytes are an empty
// manifest. Errors are [ManifestError]. For a newer version the error is
// [errNewerSchema] and the manifest is what could be read of it. Absolute paths
// of earlier tools become relative; of two rows with one key the winner of
// [MergeManifests] stays.
func ParseManifest(path string, data []byte) (*Manifest, error) {
	m := &Manifest{raw: slices.Clone(data)}
	body := bytes.TrimPrefix(data, byteOrderMark)
	if len(bytes.TrimSpace(body)) == 0 {
		return m, nil
	}
	r := manifestReader{path: path, doc: body, m: m, rows: gathering{}}
	doc, err := jsonedit.Parse(body)
	if err != nil {
		return nil, r.syntaxError(err)
	}
	if !doc.IsObject() {
		return nil, &ManifestError{path, 1, errors.New("a manifest is a JSON object")}
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

// ParseManifestFiles reads the rows of layout files: one small manifest an
// observation, by path. A file that cannot be read is a problem and hides no
// other.
func ParseManifestFiles(files map[string][]byte) (*Manifest, []Problem) {
	m := &Manifest{}
	var problems []Problem
	for _, path := range slices.Sorted(maps.Keys(files)) {
		one, err := ParseManifest(path, files[path])
		if err != nil {
			problems = append(problems, ManifestProblem(path, err))
		}
		if one != nil {
			m = MergeManifests(m, one)
		}
	}
	return m, problems
}

// ManifestProblem returns what is wrong with a manifest file as a problem.
func ManifestProblem(path string, err error) Problem {
	p := Problem{Path: path, Rule: "manifest", Text: err.Error()}
	if at, ok := errors.AsType[*ManifestError](err); ok {
		p.Line, p.Text = at.Line, at.Err.Error()
	}
	if errors.Is(err, errNewerSchema) {
		p.Rule = "newer-schema"
	}
	return p
}

type manifestReader struct {
	path string
	doc  []byte
	m    *Manifest
	rows gathering
}

func (r manifestReader) lineAt(offset int) int {
	return 1 + bytes.Count(r.doc[:min(offset, len(r.doc))], []byte("\n"))
}

func (r manifestReader) syntaxError(err error) error {
	number := 0
	for line := range bytes.Lines(r.doc) {
		number++
		if isConflictMarker(bytes.TrimSpace(line)) {
			return &ManifestError{r.path, number, errors.New("a conflict marker of a merge; keep the rows of both sides and take out the marker lines")}
		}
	}
	if at, ok := errors.AsType[*jsonedit.SyntaxError](err); ok {
		return &ManifestError{r.path, at.Line, fmt.Errorf("not JSON: %s", at.Text)}
	}
	return &ManifestError{r.path, 0, err}
}

// newer reports a version above ours; schemaVersion is devflow's name of it.
func (r manifestReader) newer(doc jsonedit.Node) error {
	for _, name := range []string{"version", "schemaVersion"} {
		at, ok := doc.Member(name)
		if !ok {
			continue
		}
		var version float64
		if json.Unmarshal(r.doc[at.Start:at.End], &version) == nil && version > manifestVersion {
			return &ManifestError{r.path, r.lineAt(at.Start), errNewerSchema}
		}
	}
	return nil
}

func (r manifestReader) members(doc jsonedit.Node) error {
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
				r.m.unknown = unknownFields{}
			}
			r.m.unknown.add(member.Key, r.doc[member.Value.Start:member.Value.End])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r manifestReader) each(list jsonedit.Member, read func(jsonedit.Node) error) error {
	if string(r.doc[list.Value.Start:list.Value.End]) == "null" {
		return nil
	}
	if !list.Value.IsArray() {
		return &ManifestError{r.path, r.lineAt(list.KeyStart), fmt.Errorf("%q is not a list", list.Key)}
	}
	for _, elem := range list.Value.Elems {
		err := read(elem)
		if err == nil {
			continue
		}
		at := elem.Start
		if f, ok := errors.AsType[*fieldError](err); ok {
			at = f.start
		}
		return &ManifestError{r.path, r.lineAt(at), err}
	}
	return nil
}

func (r manifestReader) row(elem jsonedit.Node) error {
	var row Row
	unknown, err := rowFields().decode(r.doc, elem, &row)
	if err == nil {
		err = tidyRow(&row, unknown)
	}
	if err == nil {
		r.rows.meet(candidate{tomb: Tombstone{Row: row}, unknown: unknown})
	}
	return err
}

func (r manifestReader) tombstone(elem jsonedit.Node) error {
	var t Tombstone
	unknown, err := tombstoneFields().decode(r.doc, elem, &t)
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
func tidyRow(row *Row, unknown unknownFields) error {
	if row.ObservationID == "" || row.Type == "" {
		return errors.New("a row needs observationId and type")
	}
	row.Path = RepositoryPath(row.Path)
	if file, anchor, ok := strings.Cut(row.Path, "#"); ok && isAnchor(anchor) {
		row.Path = file
		row.Anchor = cmp.Or(row.Anchor, anchor)
	}
	if row.Anchor == "" {
		var anchor string
		if json.Unmarshal(unknown["anchorId"], &anchor) == nil {
			row.Anchor = anchor
		}
	}
	return nil
}

func isAnchor(s string) bool {
	kind, number, ok := strings.Cut(s, "-")
	return ok && (kind == "ADR" || kind == "PF") && number != "" && strings.Trim(number, "0123456789") == ""
}
