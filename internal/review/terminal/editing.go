package terminal

import "io"

// editing is the person's editor as something that has the terminal for a while.
type editing struct {
	edit  func(name string, text []byte, line int) ([]byte, error)
	name  string
	text  []byte
	line  int
	after []byte
}

// Run opens the editor and waits for it.
func (e *editing) Run() (err error) {
	e.after, err = e.edit(e.name, e.text, e.line)
	return err
}

// The editor takes the process's own streams.

func (e *editing) SetStdin(io.Reader)  {}
func (e *editing) SetStdout(io.Writer) {}
func (e *editing) SetStderr(io.Writer) {}
