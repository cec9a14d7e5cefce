package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// element is one value of a JSON file with where it stands.
type element struct {
	Line int    // 1-based
	Key  string // its member name; empty in a list
	Data json.RawMessage
}

// checkJSON refuses a file that is no JSON as a whole, with the line of the
// fault: of a truncated file nothing is imported.
func checkJSON(name string, data []byte) *Refusal {
	if r, bad := notText(name, data); bad {
		return &r
	}
	var all json.RawMessage
	err := json.Unmarshal(data, &all)
	if err == nil {
		return nil
	}
	line := lineOfOffset(data, int64(len(bytes.TrimRight(data, " \t\r\n"))))
	var fault *json.SyntaxError
	if errors.As(err, &fault) && fault.Offset < int64(len(data)) {
		line = lineOfOffset(data, fault.Offset-1)
	}
	return &Refusal{Path: name, Line: line, Reason: "it is no complete JSON (" + err.Error() + "): nothing of it was imported"}
}

// elements lists the elements of a list, or the members of an object, of a file
// that [checkJSON] passed. offset is where raw begins in data.
func elements(data []byte, raw json.RawMessage, offset int64) ([]element, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	open, err := d.Token()
	if err != nil {
		return nil, err
	}
	object := open == json.Delim('{')
	if !object && open != json.Delim('[') {
		return nil, errors.New("neither a list nor an object")
	}
	var all []element
	line, counted := 1, int64(0)
	for d.More() {
		e := element{}
		if object {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			e.Key = fmt.Sprint(key)
		}
		at := offset + d.InputOffset()
		for at < int64(len(data)) && bytes.IndexByte([]byte(" \t\r\n,:"), data[at]) >= 0 {
			at++
		}
		line += bytes.Count(data[counted:at], []byte("\n"))
		counted = at
		e.Line = line
		if err := d.Decode(&e.Data); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	if _, err := d.Token(); err != nil && err != io.EOF {
		return nil, err
	}
	return all, nil
}

// offsetOf is where a member's value begins in the file; raw is a part of data by
// its content and comes first where it stands twice.
func offsetOf(data []byte, raw json.RawMessage) int64 {
	return int64(max(bytes.Index(data, raw), 0))
}
