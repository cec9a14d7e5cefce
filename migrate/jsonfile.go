package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

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
	f.refuseAll(lineOfOffset(f.data, at), "it is no complete JSON ("+err.Error()+"): nothing of it was imported")
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
