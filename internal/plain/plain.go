// Package plain makes text fit to be shown: what people see of this program has
// no character that a terminal obeys or that nobody sees, and a field of a line
// stays on its line. A [Printer] is the one way to standard output and standard
// error; what is an answer to an agent goes through [Visible].
package plain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Block is text of several lines. A [Printer] keeps its line breaks; those of
// every other argument become blanks.
type Block string

// Line is a text as a field of a line: what can be seen of it, without tabs and
// line breaks.
func Line(text string) string {
	return lineBreaks.Replace(strings.TrimRight(Visible(text), "\n"))
}

var lineBreaks = strings.NewReplacer("\n", " ", "\t", " ")

// Sprintf makes a block of a format of our own and of fields.
func Sprintf(format string, args ...any) Block {
	shown := make([]any, len(args))
	for i, arg := range args {
		shown[i] = arg
		if !isNumber(arg) {
			shown[i] = field{arg}
		}
	}
	return Block(fmt.Sprintf(format, shown...))
}

// isNumber says whether a value is a number or a truth value that shows itself
// as one.
func isNumber(v any) bool {
	switch v.(type) {
	case nil, error, fmt.Stringer, fmt.Formatter:
		return false
	}
	kind := reflect.TypeOf(v).Kind()
	return kind >= reflect.Bool && kind <= reflect.Complex128
}

// field formats a value as it would format itself, on one line.
type field struct{ value any }

func (f field) Format(s fmt.State, verb rune) {
	format := fmt.FormatString(s, verb)
	switch block, ok := f.value.(Block); {
	case ok:
		fmt.Fprintf(s, format, Visible(string(block)))
	case verb == 's' || verb == 'v' || verb == 'q':
		fmt.Fprintf(s, format, Line(fmt.Sprint(f.value)))
	default:
		fmt.Fprintf(s, format, f.value)
	}
}

// Marshal is a value as JSON, on a line or on several where each is indented by indent. HTML's
// characters stand as they are: models and people read it.
func Marshal(v any, indent string) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// JSON is JSON in which the characters that [Visible] removes are escapes: what
// reads it gets them, and who looks at it sees them.
func JSON(data []byte) []byte {
	if plainASCII(string(data)) {
		return data
	}
	out := make([]byte, 0, len(data)+64)
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		switch {
		case !joiner(r) && r != 0xfe0e && r != 0xfe0f && !invisible(r):
			out = append(out, data[:n]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		data = data[n:]
	}
	return out
}
