package migrate

import (
	"encoding/json"
	"errors"
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
		f.refuseAll(lineOfOffset(f.data, int64(at)), "it is not UTF-8 text: save it as such, then import it again")
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
				f.refuse(e.Line, orElse(named.ID, e.Key), "the "+noun+" cannot be read: "+err.Error())
			} else if !yield(e, value) {
				return
			}
		}
	}
}
