package transcript

import (
	"bufio"
	"errors"
	"io"
)

// Layout is how a session is kept: in whose form, and as lines or as one object.
type Layout struct {
	Format Format
	Object bool // one object with a list of messages: Event.Line is an index from 0
}

// Identify says how the session in a file is kept, on the terms of [Detect].
func Identify(name string, head []byte) (Layout, error) {
	f, err := Detect(name, head)
	l := Layout{Format: f}
	switch f {
	case OpenCode, WebExport:
		l.Object = true
	case Gemini:
		l.Object = startsWithMessages(head)
	}
	return l, err
}

// startsWithMessages says whether a head begins with an object that holds a list
// of messages, or with one that goes over several lines.
func startsWithMessages(head []byte) bool {
	c := cursor{b: trimHead(head)}
	if keysOf(&c).seen["messages"] {
		return true
	}
	line, _, more := cutLine(trimHead(head))
	return more && !complete(line)
}

// Resumes says whether reading may begin in the middle of a file. Others are
// read whole again when they have changed.
func (l Layout) Resumes() bool { return !l.Object && (l.Format == Claude || l.Format == Codex) }

// Read reads a session kept in this layout, see the readers of the formats.
func (l Layout) Read(r io.Reader, opts Options, emit func(Event) error) (Stats, error) {
	switch {
	case l.Format == Claude:
		return ReadClaude(r, opts, emit)
	case l.Format == Codex:
		return ReadCodex(r, opts, emit)
	case l.Format == Gemini && l.Object:
		return ReadGeminiObject(r, opts, emit)
	case l.Format == Gemini:
		return ReadGemini(r, opts, emit)
	case l.Format == OpenCode:
		return ReadOpenCode(r, opts, emit)
	case l.Format == WebExport:
		return ReadWeb(r, opts, emit)
	}
	return Stats{Position: opts.From}, &ErrFormat{Path: opts.Name, Format: l.Format}
}

// errSeen ends the reading of a header.
var errSeen = errors.New("a message was seen")

// Header reads what the beginning of a file says about its session, up to the
// first message.
func (l Layout) Header(r io.Reader, opts Options) (Meta, error) {
	stats, err := l.Read(r, opts, func(Event) error { return errSeen })
	if errors.Is(err, errSeen) {
		err = nil
	}
	return stats.Meta, err
}

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
	l, err := Identify(name, head)
	if err != nil {
		return Stats{Position: opts.From}, err
	}
	opts.Name = name
	return l.Read(buffered, opts, emit)
}
