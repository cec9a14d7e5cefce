package observe

import (
	"bufio"
	"bytes"
	"io"
	"slices"
)

// Bytes returns the log as it is to be written. A log that was not changed
// gives the bytes it was read from.
func (l *Log) Bytes() []byte {
	var out bytes.Buffer
	_ = l.Write(&out) // memory can be written
	return out.Bytes()
}

// Write is [Log.Bytes] bit by bit.
func (l *Log) Write(to io.Writer) error {
	out := bufio.NewWriterSize(to, windowSize)
	_, _ = out.Write(l.mark) // the first failure comes at the end again
	eol := l.lineEnd()
	open := false // the line before has no line end
	skip := map[*logLine]bool{}
	var w window
	for _, line := range l.lines {
		if skip[line] {
			continue
		}
		raw := w.bytes(line.place)
		if line.touched {
			raw = line.encode(raw, eol)
			for _, t := range l.twins[line] {
				skip[t] = true
			}
		}
		if open {
			_, _ = out.WriteString(eol)
		}
		if _, err := out.Write(raw); err != nil {
			return err
		}
		open = len(raw) > 0 && raw[len(raw)-1] != '\n'
	}
	return out.Flush()
}

func (l *Log) lineEnd() string {
	i := slices.IndexFunc(l.lines, func(line *logLine) bool { return line.size > 0 })
	if i >= 0 && bytes.HasSuffix(l.lines[i].bytes(), []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
