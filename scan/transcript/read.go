package transcript

import (
	"bytes"
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
	id, err := Detect(name, head)
	f := formatOf(id)
	l := Layout{Format: id, Object: f.document != nil}
	if f.lines != nil && f.document != nil {
		l.Object = startsWithMessages(head)
	}
	return l, err
}

// startsWithMessages says whether a head begins with an object that holds a list
// of messages, or with one that goes over several lines.
func startsWithMessages(head []byte) bool {
	head = trimHead(head)
	line, _, more := bytes.Cut(head, []byte{'\n'})
	return keysOf(head).has("messages") || more && !complete(line)
}

// Resumes says whether reading may begin in the middle of a file. Others are
// read whole again when they have changed.
func (l Layout) Resumes() bool { return !l.Object && formatOf(l.Format).resumes }

// Read reads a session kept in this layout, or a part of one that begins at a line,
// and calls emit for each event in the order of the file. An error is that of r, or
// that of emit, which ends the reading; the statistics are good up to there.
func (l Layout) Read(r io.Reader, opts Options, emit func(Event) error) (Stats, error) {
	f := formatOf(l.Format)
	in := newReader(f, opts, emit)
	var err error
	switch {
	case l.Object && f.document != nil:
		err = in.document(r, f.document(in))
	case !l.Object && f.lines != nil:
		err = in.lines(r, f.lines(in))
	default:
		return Stats{Position: opts.From}, &ErrFormat{Path: opts.Name, Format: l.Format}
	}
	return in.stats, err
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
	buffered, release := Buffered(r)
	defer release()
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
