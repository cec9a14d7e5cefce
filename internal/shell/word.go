package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is one word of a simple command.
type word struct {
	text    string // its value, or for a dynamic word its text as written
	dynamic bool   // only the shell knows its value
}

func words(line string, args []*syntax.Word) []word {
	out := make([]word, 0, len(args))
	for _, a := range args {
		text, ok := literal(a)
		if !ok {
			text = source(line, a)
		}
		out = append(out, word{text: text, dynamic: !ok})
	}
	return out
}

// literal returns the value of a word that the shell would not change.
func literal(w *syntax.Word) (string, bool) {
	if w == nil {
		return "", false
	}
	if len(w.Parts) == 1 {
		return literalPart(w.Parts[0]) // as nearly all
	}
	var b strings.Builder
	for _, part := range w.Parts {
		text, ok := literalPart(part)
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

func literalPart(part syntax.WordPart) (string, bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		return unescape(p.Value), true
	case *syntax.SglQuoted:
		return p.Value, true
	case *syntax.DblQuoted:
		var b strings.Builder
		for _, q := range p.Parts {
			lit, ok := q.(*syntax.Lit)
			if !ok {
				return "", false
			}
			b.WriteString(unescapeQuoted(lit.Value))
		}
		return b.String(), true
	}
	return "", false
}

// assignment returns NAME=value; ok is false when only the shell knows the
// value.
func assignment(a *syntax.Assign) (string, bool) {
	if a.Name == nil {
		if a.Value == nil {
			return "", false
		}
		return literal(a.Value)
	}
	if a.Naked {
		return a.Name.Value, true
	}
	if a.Array != nil || a.Index != nil || a.Value == nil {
		return a.Name.Value + "=", true
	}
	value, ok := literal(a.Value)
	return a.Name.Value + "=" + value, ok
}

// unescape removes the shell's backslashes.
func unescape(s string) string { return withoutBackslashes(s, "") }

// unescapeQuoted removes the backslashes that mean something between double
// quotes.
func unescapeQuoted(s string) string { return withoutBackslashes(s, "$`\"\\\n") }

// withoutBackslashes removes those before some characters, or before all.
func withoutBackslashes(s, before string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (before == "" || strings.IndexByte(before, s[i+1]) >= 0) {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// isAssignment says whether a word is NAME=value.
func isAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && isName(name)
}
