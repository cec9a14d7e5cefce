// Package redact turns text from sessions into text that may be stored.
//
// A [Text] can only be built by a [Redactor], so a value of that type is the
// compiler's proof that secrets were taken out before anything was written.
package redact

// Text is text from which secrets and personal data were removed. Its zero
// value is the empty text.
type Text struct{ s string }

// String returns the redacted text.
func (t Text) String() string { return t.s }

// Redactor removes secrets and personal data. Home and User come in as values:
// the package reads no environment.
type Redactor struct {
	Home string // home directory, shown as ~; empty: none
	User string // login name of the person at the machine; empty: none
}
