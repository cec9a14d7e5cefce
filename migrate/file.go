package migrate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/frontmatter"
)

// file is one file of another tool while a format reads it, with what came of it
// so far.
type file struct {
	format  string
	path    string
	data    []byte
	things  []Thing
	refused []Refusal
}

// Read takes a file apart. It never fails as a whole: what cannot be read is
// refused. Of a database it is given the rows as JSON (see [Tables]).
func (f Format) Read(path string, data []byte) ([]Thing, []Refusal) {
	file := &file{format: f.Name, path: path, data: data}
	f.read(file)
	return file.things, file.refused
}

func (f *file) add(things ...Thing) { f.things = append(f.things, things...) }

// refuse says why one thing of the file is not imported. Line 0: it has none.
func (f *file) refuse(line int, id, reason string) {
	f.refused = append(f.refused, Refusal{Path: f.path, Line: line, ID: id, Reason: reason})
}

// refuseAll says why nothing of the file is imported.
func (f *file) refuseAll(line int, reason string) { f.refuse(max(line, 1), "", reason) }

// source is the provenance of what stands in that line.
func (f *file) source(line int, id string) Source {
	return Source{Format: f.format, Path: f.path, Line: line, ID: id}
}

// base is the name of the file without its folders, stem without its ending too.
func (f *file) base() string { return path.Base(f.path) }
func (f *file) stem() string { return strings.TrimSuffix(f.base(), path.Ext(f.path)) }

// isText refuses what no text file can hold.
func (f *file) isText() bool {
	at := notText(f.data)
	if at >= 0 {
		f.refuseAll(knowledge.LineAt(f.data, at), "it is not UTF-8 text: save it as such, then import it again")
	}
	return at < 0
}

// matter reads the front matter of a text file, and refuses one that cannot be
// read.
func (f *file) matter() (frontmatter.Properties, bool) {
	if !f.isText() {
		return frontmatter.Properties{}, false
	}
	m, err := frontmatter.ReadProperties(f.path, f.data)
	if err != nil {
		line, text := matterFault(err)
		f.refuseAll(line, text)
	}
	return m, err == nil
}

// matterFault says where front matter is wrong, and how.
func matterFault(err error) (line int, reason string) {
	line = 1
	if parse, ok := errors.AsType[*knowledge.ParseError](err); ok {
		line, err = max(parse.Line, 1), errors.New(parse.Text)
	}
	return line, "its front matter cannot be read: " + err.Error()
}

// decoded yields those of the elements that are a T, and refuses the others.
func decoded[T any](f *file, list []element, noun string) iter.Seq2[element, *T] {
	return func(yield func(element, *T) bool) {
		for _, e := range list {
			value := new(T)
			if err := json.Unmarshal(e.Data, value); err != nil {
				var named struct{ ID string }
				_ = json.Unmarshal(e.Data, &named) // the id may be readable although the rest is not
				f.refuse(e.Line, cmp.Or(named.ID, e.Key), "the "+noun+" cannot be read: "+err.Error())
			} else if !yield(e, value) {
				return
			}
		}
	}
}

// element is one value of a JSON file with where it stands.
type element struct {
	Line int    // 1-based
	Key  string // its member name; empty in a list
	Data json.RawMessage
}

// isJSON refuses a file that is no JSON as a whole, with the line of the fault: of
// a truncated file nothing is imported.
func (f *file) isJSON() bool {
	if !f.isText() {
		return false
	}
	var all json.RawMessage
	err := json.Unmarshal(f.data, &all)
	if err == nil {
		return true
	}
	at := int64(len(bytes.TrimRight(f.data, " \t\r\n")))
	if fault, ok := errors.AsType[*json.SyntaxError](err); ok && fault.Offset < int64(len(f.data)) {
		at = fault.Offset - 1
	}
	f.refuseAll(knowledge.LineAt(f.data, int(at)), "it is no complete JSON ("+err.Error()+"): nothing of it was imported")
	return false
}

// elements lists the elements of a list, or the members of an object, that is a
// part of the file. It is found by its content, and comes first where that stands
// twice.
func (f *file) elements(part json.RawMessage) ([]element, error) {
	d := json.NewDecoder(bytes.NewReader(part))
	open, err := d.Token()
	if err != nil {
		return nil, err
	}
	object := open == json.Delim('{')
	if !object && open != json.Delim('[') {
		return nil, errors.New("neither a list nor an object")
	}
	var all []element
	start := max(bytes.Index(f.data, part), 0)
	line, counted := 1, 0
	for d.More() {
		e := element{}
		if object {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			e.Key = fmt.Sprint(key)
		}
		at := start + int(d.InputOffset())
		at += len(f.data[at:]) - len(bytes.TrimLeft(f.data[at:], " \t\r\n,:"))
		line += bytes.Count(f.data[counted:at], []byte("\n"))
		e.Line, counted = line, at
		if err := d.Decode(&e.Data); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}
