package transcript

import "encoding/json"

// Arguments are what detectors ask of a call's input, by the names that the
// agents' shell and file tools give them.
type Arguments struct {
	Command     string   // a command line
	Argv        []string // or an argument vector
	Description string   // what the call is for, in the agent's words
	Path        string
	Edit               // of tools that make one change
	Edits       []Edit // of tools that make several
}

// Edit is one change of a file. Old is empty where a whole file is written.
type Edit struct{ Old, New string }

// ReadArguments reads a call's input, as far as it is an object and whole. With
// edits it also reads what is put into files, which can be large.
func ReadArguments(input json.RawMessage, edits bool) Arguments {
	var (
		a                Arguments
		path             [4]string
		source, contents string
	)
	c := cursor{b: input}
	c.object(func(key []byte) (ok bool) {
		switch string(key) {
		case "command":
			return a.readCommand(&c)
		case "description":
			a.Description, ok = c.text()
		case "file_path":
			path[0], ok = c.text()
		case "filePath":
			path[1], ok = c.text()
		case "notebook_path":
			path[2], ok = c.text()
		case "path":
			path[3], ok = c.text()
		default:
			if !edits {
				return c.skip()
			}
			switch string(key) {
			case "old_string":
				a.Old, ok = c.text()
			case "new_string":
				a.New, ok = c.text()
			case "new_source":
				source, ok = c.text()
			case "content":
				contents, ok = c.text()
			case "edits":
				return a.readEdits(&c)
			default:
				ok = c.skip()
			}
		}
		return ok
	})
	for _, p := range path {
		if a.Path == "" {
			a.Path = p
		}
	}
	a.New += source + contents
	return a
}

func (a *Arguments) readCommand(c *cursor) (ok bool) {
	if c.peek() != '[' {
		a.Command, ok = c.text()
		return ok
	}
	words := true
	ok = c.array(func() bool {
		words = words && c.peek() == '"'
		word, ok := c.text()
		a.Argv = append(a.Argv, word)
		return ok
	})
	if !words || !ok {
		a.Argv = nil
	}
	return ok
}

func (a *Arguments) readEdits(c *cursor) bool {
	if c.peek() != '[' {
		return c.skip()
	}
	return c.array(func() bool {
		if c.peek() != '{' {
			return c.skip()
		}
		e := Edit{}
		ok := c.object(func(key []byte) (ok bool) {
			switch string(key) {
			case "old_string":
				e.Old, ok = c.text()
			case "new_string":
				e.New, ok = c.text()
			default:
				ok = c.skip()
			}
			return ok
		})
		a.Edits = append(a.Edits, e)
		return ok
	})
}
