package scan

import (
	"errors"
	"io"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// errEnough ends a reading that has what it wanted.
var errEnough = errors.New("enough was read")

// readEvents reads the events of a session file, or of a part that begins at a
// line. What the file itself repeats is left out.
func readEvents(r io.Reader, yield func(transcript.Event) error) error {
	_, err := transcript.ReadClaude(r, transcript.Options{Seen: new(transcript.Dedupe)}, yield)
	return err
}

// formatOf says why a file cannot be read, or nil when it can. The error is a
// *transcript.ErrFormat or that of f.
func formatOf(name string, f io.ReadSeeker) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	head := make([]byte, transcript.HeadSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return err
	}
	_, err = transcript.Detect(name, head[:n])
	return err
}
