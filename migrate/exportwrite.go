package migrate

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Write writes the export as JSON in which nothing is hidden. Equal knowledge has equal
// bytes. The log, which may be very large, is written as it is read.
func (e Export) Write(to io.Writer) error {
	head, err := e.withoutLog()
	if err != nil {
		return err
	}
	if e.log == nil || e.log.Len() == 0 {
		_, err := to.Write(head)
		return err
	}
	field, content, err := logContent(e.log, to)
	if err != nil {
		return err
	}
	open := strings.TrimSuffix(string(head), "\n}\n") + ",\n  \"log\": {\n    \"" + field + "\": \""
	if _, err := io.WriteString(to, open); err != nil {
		return err
	}
	if err := e.log.Write(content); err != nil {
		return err
	}
	if err := content.Close(); err != nil {
		return err
	}
	_, err = io.WriteString(to, "\"\n  }\n}\n")
	return err
}

// withoutLog is the export as JSON, without a log that is still to be read.
func (e Export) withoutLog() ([]byte, error) {
	data, err := plain.Marshal(e, "  ")
	return plain.JSON(append(data, '\n')), err
}

// logContent is the field of an [ExportText] that can hold the log, and what writes its
// value between the quotation marks.
func logContent(log *observe.Log, to io.Writer) (field string, content io.WriteCloser, err error) {
	valid := true
	look := &wholeLines{each: func(lines []byte) error {
		valid = valid && utf8.Valid(lines)
		return nil
	}}
	if err := log.Write(look); err != nil {
		return "", nil, err
	}
	if _ = look.Close(); !valid {
		return "base64", base64.NewEncoder(base64.StdEncoding, to), nil
	}
	return "text", &wholeLines{each: func(lines []byte) error {
		quoted, err := plain.Marshal(string(lines), "")
		if err == nil {
			_, err = to.Write(plain.JSON(quoted[1 : len(quoted)-1]))
		}
		return err
	}}, nil
}

// wholeLines passes on what is written to it in whole lines; the last may lack its end.
type wholeLines struct {
	each func(lines []byte) error
	rest []byte
}

func (w *wholeLines) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	end := bytes.LastIndexByte(w.rest, '\n') + 1
	if end == 0 {
		return len(p), nil
	}
	err := w.each(w.rest[:end])
	w.rest = append(w.rest[:0], w.rest[end:]...)
	return len(p), err
}

func (w *wholeLines) Close() error { return w.each(w.rest) }
