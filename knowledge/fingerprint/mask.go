package fingerprint

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// mask replaces one family of particulars.
type mask struct {
	pattern *automata.Pattern
	replace func(match string) string
}

func newMask(pattern string, replace func(string) string) mask {
	return mask{automata.New(pattern), replace}
}

// by replaces every match by the same word.
func by(word string) func(string) string { return func(string) string { return word } }

// The masks in their order, which is part of the version: what an earlier one
// took a later one no longer sees.
var templateMasks = append(append([]mask{
	newMask("\"[^\"\n]*\"|`[^`'\n]*[`']|“[^”\n]*”|‘[^’\n]*’|\\B'[^'\n]*'\\B", maskQuoted),
}, volatileMasks...), newMask(`<path>[^\s<>:,;)]*`, by("<path>")))

// volatileMasks are those without quotations and with the base names of paths:
// what is left still tells one module or file from another.
var volatileMasks = []mask{
	newMask(`\b[a-z][a-z0-9+.-]*://[^\s"'<>)]+`, by("<url>")),
	newMask(`(?:~|\.{1,2}|[A-Za-z]:|[\w@.*?-]*)?[/\\][\w@.*?/\\{},+=&%\[\]-]*`, maskPath),
	newMask(`:\d+:\d+\b`, by(":<line>")),
	newMask(`[\w.-]+\.\w+:\d+\b`, maskLine),
	newMask(`\(eval\):\d+`, by("(eval):<line>")),
	newMask(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`, by("<hex>")),
	newMask(`\b(?:0x)?[0-9a-f]{7,64}\b`, maskHex),
	newMask(`\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b`, by("<ip>")),
	newMask(`\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\b|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b`, by("<time>")),
	newMask(`\b\d+(?:\.\d+)? ?(?:ns|µs|ms|s|sec(?:ond)?s?|min(?:ute)?s?|h|hours?)\b`, by("<duration>")),
	newMask(`[A-Za-z]*-?\d+(?:\.\d+)*\b`, maskNumber),
}

var (
	escapes = automata.New("\x1b\\[[0-9;?]*[A-Za-z]")
	ruleID  = automata.New(`^(?:[A-Z]{1,8}-?\d{2,5}|[a-z]+(?:/[a-z]+)?(?:-[a-z]+)+|[a-z]+/[a-z][a-z-]+)$`)
)

const digits = "0123456789"

// maskQuoted keeps a quotation that is a flag or the id of a rule: they name
// the mistake.
func maskQuoted(m string) string {
	inner := strings.Trim(m, "\"'`“”‘’")
	if strings.HasPrefix(inner, "-") && !strings.ContainsAny(inner, " =") || ruleID.MatchString(inner) {
		return inner
	}
	return "<quoted>"
}

// maskPath leaves the base name behind a mark. A blank between slashes, a
// fraction and a lone slash are no paths.
func maskPath(m string) string {
	slashed := strings.ReplaceAll(m, `\`, "/")
	base := strings.Trim(slashed[strings.LastIndexByte(strings.TrimRight(slashed, "/"), '/')+1:], "/")
	if strings.Trim(slashed, "/") == "" || strings.Trim(slashed, digits+"/") == "" {
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
	if strings.Trim(file, digits+".") == "" {
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
	if ruleID.MatchString(m) {
		return m
	}
	return m[:strings.IndexAny(m, digits)] + "<n>"
}
