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
	for c.enter('{'); c.member(); {
		switch string(c.key) {
		case "command":
			a.readCommand(&c)
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
			if !edits {
				c.skip()
				continue
			}
			switch string(c.key) {
			case "old_string":
				a.Old = c.text()
			case "new_string":
				a.New = c.text()
			case "new_source":
				source = c.text()
			case "content":
				contents = c.text()
			case "edits":
				a.readEdits(&c)
			default:
				c.skip()
			}
		}
	}
	for _, p := range path {
		if a.Path == "" {
			a.Path = p
		}
	}
	a.New += source + contents
	return a
}

func (a *Arguments) readCommand(c *cursor) {
	if c.peek() != '[' {
		a.Command = c.text()
		return
	}
	words := true
	for c.enter('['); c.element(); {
		words = words && c.peek() == '"'
		a.Argv = append(a.Argv, c.text())
	}
	if !words || c.bad {
		a.Argv = nil
	}
}

func (a *Arguments) readEdits(c *cursor) {
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
		a.Edits = append(a.Edits, e)
	}
}
