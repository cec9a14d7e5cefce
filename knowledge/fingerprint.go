package knowledge

import (
	"regexp"
	"strings"
	"sync"
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
// the file: SHA-256 of tool, command, class and [Template] (algorithms section 5).
func (f Failure) Fingerprint() string {
	return fingerprintVersion + digest(fingerprintDigits, f.Tool, f.Command, f.Class, Template(f.Text))
}

// mask replaces one family of particulars.
type mask struct {
	needs   string // characters of which a text holds one, or the mask changes nothing
	pattern *regexp.Regexp
	with    func(match string) string
}

const digits = "0123456789"

// The masks in their order, which is part of the version: what an earlier one
// took a later one no longer sees.
var templateMasks = sync.OnceValue(func() []mask {
	fixed := func(needs, pattern, with string) mask {
		return mask{needs, regexp.MustCompile(pattern), func(string) string { return with }}
	}
	return append([]mask{
		{"\"`“‘'", regexp.MustCompile("\"[^\"\n]*\"|`[^`'\n]*[`']|“[^”\n]*”|‘[^’\n]*’|\\B'[^'\n]*'\\B"), maskQuoted},
	}, append(volatileMasks(), fixed("<", `<path>[^\s<>:,;)]*`, "<path>"))...)
})

// volatileMasks are those without quotations and with the base names of paths:
// what is left still tells one module or file from another.
var volatileMasks = sync.OnceValue(func() []mask {
	fixed := func(needs, pattern, with string) mask {
		return mask{needs, regexp.MustCompile(pattern), func(string) string { return with }}
	}
	return []mask{
		fixed("/", `\b[a-z][a-z0-9+.-]*://[^\s"'<>)]+`, "<url>"),
		{`/\`, regexp.MustCompile(`(?:~|\.{1,2}|[A-Za-z]:|[\w@.*?-]*)?[/\\][\w@.*?/\\{},+=&%\[\]-]*`), maskPath},
		fixed(":", `:\d+:\d+\b`, ":<line>"),
		{":", regexp.MustCompile(`[\w.-]+\.\w+:\d+\b`), maskLine},
		fixed("(", `\(eval\):\d+`, "(eval):<line>"),
		fixed("-", `\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`, "<hex>"),
		{digits, regexp.MustCompile(`\b(?:0x)?[0-9a-f]{7,64}\b`), maskHex},
		fixed(digits, `\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b`, "<ip>"),
		fixed(digits, `\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\b|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b`, "<time>"),
		fixed(digits, `\b\d+(?:\.\d+)? ?(?:ns|µs|ms|s|sec(?:ond)?s?|min(?:ute)?s?|h|hours?)\b`, "<duration>"),
		{digits, regexp.MustCompile(`[A-Za-z]*-?\d+(?:\.\d+)*\b`), maskNumber},
	}
})

// maskQuoted keeps a quotation that is a flag or the id of a rule: they name
// the mistake.
func maskQuoted(m string) string {
	inner := strings.Trim(m, "\"'`“”‘’")
	if strings.HasPrefix(inner, "-") && !strings.ContainsAny(inner, " =") || ruleID().MatchString(inner) {
		return inner
	}
	return "<quoted>"
}

// maskPath leaves the base name behind a mark. A blank between slashes, a
// fraction and a lone slash are no paths.
func maskPath(m string) string {
	slashed := strings.ReplaceAll(m, `\`, "/")
	base := strings.Trim(slashed[strings.LastIndexByte(strings.TrimRight(slashed, "/"), '/')+1:], "/")
	if strings.Trim(slashed, "/") == "" || strings.Trim(slashed, "0123456789/") == "" {
		return m
	}
	if strings.ContainsAny(base, "*?[{") {
		base = ""
	}
	return "<path>" + base
}

// maskLine takes the line behind a file's name, and leaves ports to addresses.
func maskLine(m string) string {
	file, _, _ := strings.Cut(m, ":")
	if strings.Trim(file, "0123456789.") == "" {
		return m
	}
	return file + ":<line>"
}

// maskHex keeps words that happen to be spelled with the letters a to f.
func maskHex(m string) string {
	if !strings.ContainsAny(m, digits) {
		return m
	}
	return "<hex>"
}

// maskNumber keeps the numbers that are part of a rule's id, such as TS2345.
func maskNumber(m string) string {
	if ruleID().MatchString(m) {
		return m
	}
	first := strings.IndexAny(m, digits)
	return m[:first] + "<n>"
}

var ruleID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Z]{1,8}-?\d{2,5}|[a-z]+(?:/[a-z]+)?(?:-[a-z]+)+|[a-z]+/[a-z][a-z-]+)$`)
})

var escapes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]") })

// Template is an error's text without what differs from one occurrence to the
// next: its first two lines with quotations, URLs, paths, places in files,
// hashes, addresses, times, durations and numbers masked, in this order. Flags
// and the ids of rules stay.
func Template(text string) string { return masked(text, templateMasks()) }

// wording is a [Template] that keeps quotations and the base names of paths.
func wording(text string) string { return masked(text, volatileMasks()) }

func masked(text string, masks []mask) string {
	lines := make([]string, 0, templateLines)
	if strings.Contains(text, "\x1b") {
		text = escapes().ReplaceAllString(text, "")
	}
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
		if len(lines) == templateLines {
			break
		}
	}
	text = strings.Join(lines, "\n")
	for _, m := range masks {
		if strings.ContainsAny(text, m.needs) {
			text = m.pattern.ReplaceAllStringFunc(text, m.with)
		}
	}
	return text
}
