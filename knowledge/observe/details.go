package observe

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// detailNames are the parts that details consist of (seed self-learning): of
// decisions the first four, of pitfalls the next four; the others are those of a
// [PROCESS_KNOWLEDGE] block.
var detailNames = []string{
	"context", "decision", "rationale", "consequences", "area", "issue", "impact", "resolution",
	"description", "heading", "format", "severity", "detection", "example", "validation", "evidence", "notes",
}

// FormatDetails joins names and values, given in turn, to "name: value; name:
// value". Parts without a value are left out. A value that holds what looks
// like the start of a further part keeps its words and loses the semicolon, so
// that [ParseDetails] returns the same parts.
func FormatDetails(namesAndValues ...string) string {
	size := lists.Sum(namesAndValues, func(text string) int { return len(text) + len("; ") })
	out := make([]byte, 0, size)
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		value := strings.TrimRight(strings.TrimSpace(namesAndValues[i+1]), "; ")
		if value == "" {
			continue
		}
		if len(out) > 0 {
			out = append(out, "; "...)
		}
		out = append(append(out, namesAndValues[i]...), ": "...)
		for {
			segment, rest, more := strings.Cut(value, ";")
			if out = append(out, segment...); !more {
				break
			}
			out, value = append(out, separatorBefore(rest)), rest
		}
	}
	return string(out)
}

// separatorBefore is a semicolon, unless a part would begin behind it.
func separatorBefore(text string) byte {
	segment, _, _ := strings.Cut(text, ";")
	if _, _, ok := detailPart(segment); ok {
		return ','
	}
	return ';'
}

// ParseDetails splits details into their parts by name. A part ends only where
// another known name follows a semicolon or begins a line: other semicolons
// belong to the text. What stands before the first name is under the empty one;
// of a name that occurs twice the values are joined.
func ParseDetails(details string) map[string]string {
	parts := map[string]string{}
	name := ""
	add := func(separator, text string) {
		if text = strings.TrimSpace(text); text == "" {
			return
		}
		if parts[name] != "" {
			text = parts[name] + separator + text
		}
		parts[name] = text
	}
	for line := range strings.Lines(details) {
		separator := "\n"
		for segment := range strings.SplitSeq(line, ";") {
			if n, value, ok := detailPart(segment); ok {
				name = n
				add("; ", value)
			} else {
				add(separator, segment)
			}
			separator = "; "
		}
	}
	return parts
}

// detailPart splits "name: value" of a known name, in any case.
func detailPart(segment string) (name, value string, ok bool) {
	if name, value, ok = strings.Cut(segment, ":"); !ok {
		return "", "", false
	}
	name = strings.ToLower(strings.TrimSpace(name))
	for _, known := range detailNames {
		if name == known {
			return name, value, true
		}
	}
	return "", "", false
}
