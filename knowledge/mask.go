package knowledge

import (
	"regexp"
	"strings"
	"sync"
)

// mask replaces one family of particulars.
type mask struct {
	number   bool                   // see ofNumber; no mask adds digits
	possible func(text string) bool // false: it replaces nothing; costs next to nothing
	replace  func(text string) string
}

const digits = "0123456789"

// newMask replaces what a pattern matches, which is compiled on first use.
func newMask(possible func(string) bool, pattern string, with func(string) string) mask {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
	return mask{possible: possible, replace: func(text string) string { return compiled().ReplaceAllStringFunc(text, with) }}
}

// ofNumber marks a mask that changes nothing in a text without digits.
func ofNumber(m mask) mask {
	m.number = true
	return m
}

// The masks in their order, which is part of the version: what an earlier one
// took a later one no longer sees.
var templateMasks = sync.OnceValue(func() []mask {
	return append([]mask{
		{possible: quotes, replace: maskQuotations},
	}, append(volatileMasks(), mask{possible: holding("<path>"), replace: maskBaseNames})...)
})

// volatileMasks are those without quotations and with the base names of paths:
// what is left still tells one module or file from another.
var volatileMasks = sync.OnceValue(func() []mask {
	fixed := func(possible func(string) bool, pattern, with string) mask {
		return newMask(possible, pattern, func(string) string { return with })
	}
	return []mask{
		fixed(holding("://"), `\b[a-z][a-z0-9+.-]*://[^\s"'<>)]+`, "<url>"),
		{possible: slashes, replace: maskPaths},
		ofNumber(fixed(columns, `:\d+:\d+\b`, ":<line>")),
		ofNumber(newMask(lines, `[\w.-]+\.\w+:\d+\b`, maskLine)),
		ofNumber(fixed(holding("(eval):"), `\(eval\):\d+`, "(eval):<line>")),
		fixed(dashes, `\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`, "<hex>"),
		ofNumber(newMask(longHex, `\b(?:0x)?[0-9a-f]{7,64}\b`, maskHex)),
		ofNumber(fixed(dots, `\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b`, "<ip>")),
		ofNumber(fixed(clocks, `\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\b|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b`, "<time>")),
		ofNumber(fixed(units, `\b\d+(?:\.\d+)? ?(?:ns|µs|ms|s|sec(?:ond)?s?|min(?:ute)?s?|h|hours?)\b`, "<duration>")),
		ofNumber(newMask(numbers, `[A-Za-z]*-?\d+(?:\.\d+)*\b`, maskNumber)),
	}
})

// What a text must hold for a mask to match anywhere.

func holding(literal string) func(string) bool {
	return func(text string) bool { return strings.Contains(text, literal) }
}

func quotes(text string) bool {
	double, single, back, curly := 0, 0, 0, false
	for i := range len(text) {
		switch text[i] {
		case '"':
			double++
		case '\'':
			single++
		case '`':
			back++
		case "“"[0]:
			curly = true
		}
	}
	return double > 1 || single > 1 || back > 1 || back > 0 && single > 0 || curly
}

func slashes(text string) bool {
	return strings.IndexByte(text, '/') >= 0 || strings.IndexByte(text, '\\') >= 0
}

// between says whether a mark stands before a digit, and behind what before likes.
func between(text string, before func(byte) bool, mark byte) bool {
	for i := 1; i+1 < len(text); i++ {
		if text[i] == mark && digit(text[i+1]) && before(text[i-1]) {
			return true
		}
	}
	return false
}

func digit(c byte) bool    { return '0' <= c && c <= '9' }
func letter(c byte) bool   { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func wordByte(c byte) bool { return digit(c) || letter(c) || c == '_' }

func columns(text string) bool { return between(text, digit, ':') }
func lines(text string) bool   { return between(text, wordByte, ':') }
func dots(text string) bool    { return strings.Count(text, ".") >= 3 && between(text, digit, '.') }
func clocks(text string) bool  { return between(text, digit, ':') || between(text, digit, '-') }
func dashes(text string) bool  { return strings.Count(text, "-") >= 4 }

func longHex(text string) bool {
	run := 0
	for i := range len(text) {
		if c := text[i]; digit(c) || 'a' <= c && c <= 'f' {
			if run++; run == 7 {
				return true
			}
			continue
		}
		run = 0
	}
	return false
}

// units finds a number before what may be the first letter of a unit.
func units(text string) bool {
	for i := range len(text) {
		if !digit(text[i]) {
			continue
		}
		rest := strings.TrimPrefix(text[i+1:], " ")
		if rest != "" && strings.IndexByte("nmsh\xc2", rest[0]) >= 0 {
			return true
		}
	}
	return false
}

func numbers(text string) bool { return strings.ContainsAny(text, digits) }

// maskQuotations masks what stands in one line between two quotation marks.
func maskQuotations(text string) string {
	var out strings.Builder
	done := 0
	for at := 0; at < len(text); {
		end := quotationEnd(text, at)
		if end < 0 {
			at++
			continue
		}
		out.WriteString(text[done:at])
		out.WriteString(maskQuoted(text[at:end]))
		at, done = end, end
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// quotationEnd returns where a quotation ends that begins at at, or -1. A single
// quote beside a letter is an apostrophe.
func quotationEnd(text string, at int) int {
	closers := ""
	switch text[at] {
	case '"':
		closers = "\""
	case '`':
		closers = "`'"
	case '\'':
		if at > 0 && wordByte(text[at-1]) {
			return -1
		}
		closers = "'"
	case "“"[0]:
		for _, marks := range [...][2]string{{"“", "”"}, {"‘", "’"}} {
			if strings.HasPrefix(text[at:], marks[0]) {
				return closedBy(text, at+len(marks[0]), marks[1])
			}
		}
		return -1
	default:
		return -1
	}
	end := closedBy(text, at+1, closers[:1])
	if len(closers) > 1 {
		if other := closedBy(text, at+1, closers[1:]); end < 0 || other >= 0 && other < end {
			end = other
		}
	}
	if text[at] == '\'' && end >= 0 && end < len(text) && wordByte(text[end]) {
		return -1
	}
	return end
}

// closedBy returns the end of the first mark in a line from from on, or -1.
func closedBy(text string, from int, mark string) int {
	line, _, _ := strings.Cut(text[from:], "\n")
	if i := strings.Index(line, mark); i >= 0 {
		return from + i + len(mark)
	}
	return -1
}

// maskBaseNames takes the base name behind the mark of a path.
func maskBaseNames(text string) string {
	const mark = "<path>"
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, mark)
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		out.WriteString(mark)
		text = strings.TrimLeftFunc(rest, func(c rune) bool { return !strings.ContainsRune("\t\n\f\r <>:,;)", c) })
	}
}

// maskQuoted keeps a quotation that is a flag or the id of a rule: they name
// the mistake.
func maskQuoted(m string) string {
	inner := strings.Trim(m, "\"'`“”‘’")
	if strings.HasPrefix(inner, "-") && !strings.ContainsAny(inner, " =") || ruleID().MatchString(inner) {
		return inner
	}
	return "<quoted>"
}

// maskPaths masks paths: words with slashes between, behind or before them, with
// what may lead to the first one (a home directory, a drive).
func maskPaths(text string) string {
	var out strings.Builder
	done := 0
	for {
		slash := strings.IndexAny(text[done:], `/\`)
		if slash < 0 {
			out.WriteString(text[done:])
			return out.String()
		}
		from, to := done+slash, done+slash+1
		switch {
		case from > done && text[from-1] == '~':
			from--
		case from > done+1 && text[from-1] == ':' && letter(text[from-2]):
			from -= 2
		default:
			for from > done && pathByte(text[from-1], "@.*?-") {
				from--
			}
		}
		for to < len(text) && pathByte(text[to], `@.*?/\{},+=&%[]-`) {
			to++
		}
		out.WriteString(text[done:from])
		out.WriteString(maskPath(text[from:to]))
		done = to
	}
}

func pathByte(c byte, besides string) bool { return wordByte(c) || strings.IndexByte(besides, c) >= 0 }

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
