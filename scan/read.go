package scan

import (
	"encoding/json"
	"errors"
	"io"
	"math"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// errEnough ends a reading that has what it wanted.
var errEnough = errors.New("enough was read")

// readEvents reads the events of a session file, or of a part that begins at a
// line. What the file itself repeats is left out.
func readEvents(l transcript.Layout, r io.Reader, opts transcript.Options, yield func(transcript.Event) error) (transcript.Stats, error) {
	opts.Whole = true // what is torn was cut off, see wholeSession
	if !l.Object {
		opts.Seen = &transcript.Dedupe{}
	}
	return l.Read(r, opts, yield)
}

// wholeSession returns how much of a file can be read, and how much of that is
// certain to stay as it is: whole lines. What stands behind the last newline is
// read too if it is a whole object, and read again when the file has grown.
func wholeSession(l transcript.Layout, f io.ReadSeeker, size int64) (end, stays int64, err error) {
	if l.Object {
		return math.MaxInt64, 0, nil // it ends where it ends
	}
	stays, err = wholeLines(f, size)
	if err != nil || stays == size || size-stays > transcript.DefaultMaxLine {
		return stays, stays, err
	}
	if _, err := f.Seek(stays, io.SeekStart); err != nil {
		return 0, 0, err
	}
	rest := make([]byte, size-stays)
	if _, err := io.ReadFull(f, rest); err != nil {
		return 0, 0, err
	}
	if json.Valid(rest) {
		return size, stays, nil
	}
	return stays, stays, nil
}
