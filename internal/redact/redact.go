// Package redact turns text from sessions into text that may be stored.
//
// A [Text] can only be built by a [Redactor], or by [Stored] from text that was
// redacted before it was written, so a value of that type is the compiler's
// proof that secrets were taken out before anything was stored.
//
// What is taken out: keys of known vendors by their shape, private key blocks,
// credentials in URLs, headers and command lines, values given to names that
// say they are secret, and personal data (home directories, the login name,
// e-mail addresses, private addresses and internal hosts). The rules are tables
// and small scanners behind one walk over the text, not regular expressions: next
// to no set-up cost, and linear time on any input.
package redact

import (
	"strings"
	"unicode/utf8"
)

// What stands for text that was taken out.
const (
	mark     = "[REDACTED]"
	markMail = "[EMAIL]"
	markIP   = "[IP]"
	markHost = "[HOST]"
	markUser = "[USER]"
)

// Redactor removes secrets and personal data. Home and User come in as values:
// the package reads no environment. A Redactor has no state and may be used by
// several goroutines.
type Redactor struct {
	Home string // home directory, shown as ~; empty: none
	User string // login name of the person at the machine; empty: none
	// Typed is set where a person typed the texts to be kept: of those only secrets of a
	// known form are taken out, and each is told to Typed.
	Typed func(secret string)
}

// ByPerson is the redactor of what a person typed earlier; it tells nobody.
var ByPerson = Redactor{Typed: func(string) {}}

// ByPerson says whether the texts are what a person typed.
func (r *Redactor) ByPerson() bool { return r != nil && r.Typed != nil }

// maxPasses bounds how often a text is looked at again. What one rule leaves
// may complete a match of another, such as an address beside a name.
const maxPasses = 8

// Text redacts s, without terminal codes. Bytes that are no UTF-8 become U+FFFD. Redacting what was
// redacted changes nothing.
//
// Redact first and shorten afterwards, with [Text.Cut]: half a key has no shape
// by which a rule could know it.
func (r *Redactor) Text(s string) Text {
	s = Unstyled(s)
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	for range maxPasses {
		t := newScanner(s)
		switch {
		case r.ByPerson():
			t.walk(knownForms(), false)
			t.tell(r.Typed)
		default:
			t.scan()
			t.scanDecoded(index(), true)
			if r != nil {
				t.person(r.Home, r.User)
			}
		}
		next := t.apply()
		if next == s {
			break
		}
		s = next
	}
	return Text{s}
}
