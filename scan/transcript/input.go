package transcript

import (
	"encoding/json"
	"strings"
)

// Arguments are what most callers ask of a call's input, by the names that the
// agents' shell and file tools give it.
type Arguments struct {
	Command     string // a command line, or an argument vector as one
	Description string // what the call is for, in the agent's words
	Path        string
}

// ReadArguments reads a call's input, as far as it is an object and whole.
func ReadArguments(input json.RawMessage) Arguments {
	a := Arguments{}
	a.read(&cursor{b: input})
	return a
}

// read reads the input at the cursor and steps over it.
func (a *Arguments) read(c *cursor) {
	var path [4]string
	for c.enter('{'); c.member(); {
		switch string(c.key) {
		case "command":
			a.Command = commandAt(c)
		case "description":
			a.Description = c.text()
		case "file_path":
			path[0] = c.text()
		case "filePath":
			path[1] = c.text()
		case "notebook_path":
			path[2] = c.text()
		case "path":
			path[3] = c.text()
		default:
			c.skip()
		}
	}
	for _, p := range path {
		if a.Path == "" {
			a.Path = p
		}
	}
}

// commandAt reads a command given as one string or as an argument vector.
func commandAt(c *cursor) string {
	if c.peek() != '[' {
		return c.text()
	}
	var argv []string
	words := true
	for c.enter('['); c.element(); {
		words = words && c.peek() == '"'
		argv = append(argv, c.text())
	}
	switch {
	case !words || c.bad:
		return ""
	case len(argv) == 3 && strings.HasPrefix(argv[1], "-") && strings.HasSuffix(argv[1], "c"):
		return argv[2] // bash -lc 'line'
	}
	return strings.Join(argv, " ")
}

// Change is what a call's input puts into a file, which can be large.
type Change struct {
	Edit         // of tools that make one change
	Edits []Edit // of tools that make several
}

// Edit is one change of a file. Old is empty where a whole file is written.
type Edit struct{ Old, New string }

// ReadChange reads a call's input, as far as it is an object and whole.
func ReadChange(input json.RawMessage) Change {
	var (
		all              Change
		source, contents string
	)
	c := cursor{b: input}
	for c.enter('{'); c.member(); {
		switch string(c.key) {
		case "old_string":
			all.Old = c.text()
		case "new_string":
			all.New = c.text()
		case "new_source":
			source = c.text()
		case "content":
			contents = c.text()
		case "edits":
			all.readEdits(&c)
		default:
			c.skip()
		}
	}
	all.New += source + contents
	return all
}

func (all *Change) readEdits(c *cursor) {
	if c.peek() != '[' {
		c.skip()
		return
	}
	for c.enter('['); c.element(); {
		if c.peek() != '{' {
			c.skip()
			continue
		}
		e := Edit{}
		for c.enter('{'); c.member(); {
			switch string(c.key) {
			case "old_string":
				e.Old = c.text()
			case "new_string":
				e.New = c.text()
			default:
				c.skip()
			}
		}
		all.Edits = append(all.Edits, e)
	}
}
