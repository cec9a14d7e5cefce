package transcript

import "encoding/json"

// Arguments are what most callers ask of a call's input, by the names that the
// agents' shell and file tools give it.
type Arguments struct {
	Command     string // a command line, or an argument vector as one
	Description string // what the call is for, in the agent's words
	Path        string
}

// ReadArguments reads a call's input, as far as it is an object and whole.
func ReadArguments(input json.RawMessage) Arguments {
	f := value(input).pick("command", "description", "file_path", "filePath", "notebook_path", "path")
	a := Arguments{Command: commandLine(f[0]), Description: f[1].text()}
	for _, path := range f[2:] {
		first(&a.Path, path.text())
	}
	return a
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
	f := value(input).pick("old_string", "new_string", "new_source", "content", "edits")
	all := Change{Edit: Edit{f[0].text(), f[1].text() + f[2].text() + f[3].text()}}
	f[4].each(func(edit value) {
		if edit.first() == '{' {
			e := edit.pick("old_string", "new_string")
			all.Edits = append(all.Edits, Edit{e[0].text(), e[1].text()})
		}
	})
	return all
}
