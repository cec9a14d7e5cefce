package knowledge

import "strings"

// fingerprintVersion stands before every fingerprint. Other masks are another
// version: old fingerprints are never computed anew, so that an update does not
// regroup what was counted.
const fingerprintVersion = "fp1:"

const (
	fingerprintDigits = 20
	templateLines     = 2
)

// Failure is what a call that failed looked like, as far as it says which
// mistake it was. Text is redacted before it comes here: no secret takes part in
// a hash.
type Failure struct {
	Tool    string // the kind of tool: agents have several names for a shell
	Command string // program and sub-command; empty for other tools
	Class   string // of the error, such as "usage"
	Text    string // the salient lines; the first two count
}

// Fingerprint names the kind of failure, whatever the session, the machine and
// the file: SHA-256 of tool, command, class and [Template] (algorithms section 5).
func (f Failure) Fingerprint() string { return f.fingerprint(Template(f.Text)) }

func (f Failure) fingerprint(template string) string {
	return prefixedDigest(fingerprintVersion, fingerprintDigits, f.Tool, f.Command, f.Class, template)
}

// Template is an error's text without what differs from one occurrence to the
// next: its first two lines with quotations, URLs, paths, places in files,
// hashes, addresses, times, durations and numbers masked, in this order. Flags
// and the ids of rules stay.
func Template(text string) string { return masked(text, templateMasks()) }

// wording is a [Template] that keeps quotations and the base names of paths.
func wording(text string) string { return masked(text, volatileMasks()) }

func masked(text string, masks []mask) string {
	if strings.Contains(text, "\x1b") {
		text = escapes().ReplaceAllString(text, "")
	}
	text = firstLines(text)
	numbered := strings.ContainsAny(text, digits)
	for _, m := range masks {
		if (numbered || !m.number) && m.possible(text) {
			text = m.replace(text)
		}
	}
	return text
}

// firstLines returns the first lines that hold anything, with single blanks.
func firstLines(text string) string {
	out := make([]byte, 0, 256) // of most
	lines := 0
	for line := range strings.Lines(text) {
		begun := false
		for word := range strings.FieldsSeq(line) {
			switch {
			case begun:
				out = append(out, ' ')
			case lines > 0:
				out = append(out, '\n')
			}
			begun, out = true, append(out, word...)
		}
		if begun {
			if lines++; lines == templateLines {
				break
			}
		}
	}
	return string(out)
}
