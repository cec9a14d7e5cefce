// fingerprint Package fingerprint says which failures are of one kind.
package fingerprint

import (
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
)

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
// the file: SHA-256 of tool, command, class and [Template].
func (f Failure) Fingerprint() string {
	return knowledge.Digest(fingerprintVersion, fingerprintDigits, f.Tool, f.Command, f.Class, Template(f.Text))
}

// Template is an error's text without what differs from one occurrence to the
// next: its first two lines with quotations, URLs, paths, places in files,
// hashes, addresses, times, durations and numbers masked, in this order. Flags
// and the ids of rules stay.
func Template(text string) string { return masked(text, templateMasks) }

// Wording is a [Template] that keeps quotations and the base names of paths.
func Wording(text string) string { return masked(text, volatileMasks) }

func masked(text string, masks []mask) string {
	text = firstLines(escapes.ReplaceAllString(text, ""))
	for _, m := range masks {
		text = m.pattern.ReplaceAllStringFunc(text, m.replace)
	}
	return text
}

// firstLines returns the first lines that hold anything, with single blanks.
func firstLines(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" && len(lines) < templateLines {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
