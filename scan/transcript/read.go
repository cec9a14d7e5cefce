package transcript

import (
	"bufio"
	"io"
)

// Read reads a session file of any agent whose format is known: it looks at the
// beginning of r, see [Detect], and passes on to that format's reader. Name is
// the file's path. A format that cannot be read is an *ErrFormat; nothing is
// emitted then. An empty file is empty in every format.
func Read(name string, r io.Reader, opts Options, emit func(Event) error) (Stats, error) {
	buffered := bufio.NewReaderSize(r, HeadSize)
	head, err := buffered.Peek(HeadSize)
	if len(head) == 0 {
		if err == io.EOF {
			err = nil
		}
		return Stats{Position: opts.From}, err
	}
	if _, err := Detect(name, head); err != nil {
		return Stats{Position: opts.From}, err
	}
	return ReadClaude(buffered, opts, emit)
}
