package redact

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Text is text from which secrets and personal data were removed. Its zero
// value is the empty text. It has no UnmarshalJSON on purpose: decoding would
// go round the proof; see [Stored].
type Text struct{ s string }

// Marked says whether something was taken out of a text.
func Marked(s string) bool { return strings.Contains(s, mark) }

// Stored declares that s was redacted before: it comes from a file that only
// redacted text is written to. Text from anywhere else goes through a
// [Redactor].
func Stored(s string) Text { return Text{s} }

// String returns the redacted text.
func (t Text) String() string { return t.s }

// Clone returns the text in memory of its own: one that was left as it is may be a
// part of a large text, and would keep all of that.
func (t Text) Clone() Text { return Text{strings.Clone(t.s)} }

// IsZero says whether the text is empty; encoding/json's omitzero asks it.
func (t Text) IsZero() bool { return t.s == "" }

// MarshalJSON encodes the text as a JSON string.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal(t.s) }

const ellipsis = "…"

// Cut returns the text in at most n bytes. A longer text ends in "…" then, if
// n leaves room for it. Neither a character nor a redaction mark is cut in two.
func (t Text) Cut(n int) Text {
	if len(t.s) <= n {
		return t
	}
	end := ellipsis
	if n < len(end) {
		end = ""
	}
	at := max(0, n-len(end))
	for at > 0 && !utf8.RuneStart(t.s[at]) {
		at--
	}
	for _, m := range []string{mark, markMail, markIP, markHost, markUser} {
		from := max(0, at-len(m)+1)
		if i := strings.Index(t.s[from:min(len(t.s), at+len(m)-1)], m); i >= 0 && from+i < at && at < from+i+len(m) {
			at = from + i
		}
	}
	return Text{t.s[:at] + end}
}
