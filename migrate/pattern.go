package migrate

import (
	"fmt"
	"regexp/syntax"
	"strings"
)

// A regular expression of JavaScript or Python becomes one of RE2, which knows
// no look-around and no back references:
//
//	as it is                what RE2 reads too, with the same meaning
//	P(?!X) at the end       P, unless P X
//	^(?!X)P at the front    ^P, unless ^X
//	(?<!X)P at the front    P, unless X P
//	P(?=X) at the end       P X
//	(?<=X)P at the front    X P
//	A(?!X)C                 A C, unless A X, where A cannot end in two places
//	\uXXXX \cX (?P=… \Z     \x{XXXX}, \x, refused, \z
//	flags i, m, s           (?i), (?m), (?s); g has no meaning here; others are refused
//	everything else         refused
//
// "Unless" silences where the pattern occurs twice in one command and only one
// occurrence is excepted; the originals would fire on the other one.

// Pattern is a translated regular expression.
type Pattern struct {
	Source string   // RE2
	Unless []string // RE2; any of them silences it
}

// Dialect is the language of a regular expression.
type Dialect int

// Dialects that are known.
const (
	JavaScript Dialect = iota
	Python
)

// Translate turns a regular expression into RE2 and conditions. The error says
// what of it has no counterpart.
func Translate(source, flags string, d Dialect) (Pattern, error) {
	prefix, err := prefixOf(flags)
	if err != nil {
		return Pattern{}, err
	}
	source, err = spelled(source, d)
	if err != nil {
		return Pattern{}, err
	}
	p, err := lookAround(source)
	if err != nil {
		return Pattern{}, err
	}
	p.Source = prefix + p.Source
	if err := readable(p.Source); err != nil {
		return Pattern{}, err
	}
	for i := range p.Unless {
		p.Unless[i] = prefix + p.Unless[i]
		if err := readable(p.Unless[i]); err != nil {
			return Pattern{}, err
		}
	}
	return p, nil
}

func readable(source string) error {
	if _, err := syntax.Parse(source, syntax.Perl); err != nil {
		return fmt.Errorf("%s: RE2 cannot read it (%w)", source, err)
	}
	return nil
}

func prefixOf(flags string) (string, error) {
	kept := ""
	for _, f := range flags {
		switch f {
		case 'i', 'm', 's':
			if !strings.ContainsRune(kept, f) {
				kept += string(f)
			}
		case 'g', 'd':
		default:
			return "", fmt.Errorf("the flag %q has no counterpart", f)
		}
	}
	if kept == "" {
		return "", nil
	}
	return "(?" + kept + ")", nil
}

// spelled replaces what the dialect writes differently, outside of look-around.
func spelled(source string, d Dialect) (string, error) {
	var b strings.Builder
	for i := 0; i < len(source); i++ {
		c := source[i]
		if c != '\\' || i+1 == len(source) {
			if d == Python && strings.HasPrefix(source[i:], "(?P=") || d == JavaScript && strings.HasPrefix(source[i:], "[^]") {
				return "", fmt.Errorf("%q has no counterpart", source[i:min(len(source), i+4)])
			}
			b.WriteByte(c)
			continue
		}
		i++
		switch next := source[i]; {
		case next >= '1' && next <= '9' || next == 'k' && d == JavaScript:
			return "", fmt.Errorf(`a reference to a group, \%c, has no counterpart`, next)
		case next == 'u' && i+4 < len(source) && hex(source[i+1:i+5]):
			b.WriteString(`\x{` + source[i+1:i+5] + `}`)
			i += 4
		case next == 'Z' && d == Python:
			b.WriteString(`\z`)
		case next == '_' || next == '\'' || next == '"' || next == ' ' || next >= 0x80: // an escape that means nothing
			b.WriteByte(next)
		default:
			b.WriteByte('\\')
			b.WriteByte(next)
		}
	}
	return b.String(), nil
}

func hex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF") == "" }

// look is one look-around group at the top level of a pattern.
type look struct {
	start, end int // of the group with its parentheses
	inner      string
	behind     bool
	negative   bool
}

// lookAround takes the look-around groups out of a pattern.
func lookAround(source string) (Pattern, error) {
	looks, alternatives, err := findLooks(source)
	switch {
	case err != nil:
		return Pattern{}, err
	case len(looks) == 0:
		return Pattern{Source: source}, nil
	case alternatives:
		return Pattern{}, fmt.Errorf("%s: look-around beside alternatives has no counterpart: it belongs to one of them only", source)
	}
	bare, at := "", 0
	var p Pattern
	for i, l := range looks {
		before, after := bare+source[at:l.start], without(source[l.end:], looks[i+1:], l.end)
		front := strings.Trim(before, "^") == "" || strings.Trim(before, "^") == `\b`
		switch {
		case l.negative && !l.behind && (front || after == "" || fixedEnd(before)):
			if after == "" && !front && variableEnd(before) {
				return Pattern{}, fmt.Errorf("%s: what stands before %s may end in several places", source, source[l.start:l.end])
			}
			p.Unless = append(p.Unless, before+group(l.inner))
		case l.negative && l.behind && before == "":
			p.Unless = append(p.Unless, group(l.inner)+after)
		case !l.negative && !l.behind && after == "":
			before += group(l.inner)
		case !l.negative && l.behind && before == "":
			before = group(l.inner)
		default:
			return Pattern{}, fmt.Errorf("%s: %s has no counterpart in this place", source, source[l.start:l.end])
		}
		bare, at = before, l.end
	}
	p.Source = bare + source[at:]
	return p, nil
}

// without is the rest of a pattern without later look-around groups.
func without(rest string, later []look, offset int) string {
	for i := len(later) - 1; i >= 0; i-- {
		rest = rest[:later[i].start-offset] + rest[later[i].end-offset:]
	}
	return rest
}

func group(inner string) string { return "(?:" + inner + ")" }

// variableEnd says whether a pattern ends in a repetition, so that matching it
// could stop early to let what follows succeed.
func variableEnd(source string) bool {
	return source != "" && strings.ContainsRune("*+?}", rune(source[len(source)-1])) && !strings.HasSuffix(source, `\*`) &&
		!strings.HasSuffix(source, `\+`) && !strings.HasSuffix(source, `\?`) && !strings.HasSuffix(source, `\}`)
}

// fixedEnd says whether what follows cannot move where a pattern ends: blanks
// are the one repetition in which nobody stops halfway.
func fixedEnd(source string) bool { return !variableEnd(source) || strings.HasSuffix(source, `\s+`) }

// findLooks lists the look-around groups at the top level, and says whether there
// are alternatives at that level. One inside of another group is an error.
func findLooks(source string) (looks []look, alternatives bool, err error) {
	depth, class, open := 0, false, -1
	for i := 0; i < len(source); i++ {
		switch c := source[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
			if strings.HasPrefix(source[i:], "[]") || strings.HasPrefix(source[i:], "[^]") {
				return nil, false, fmt.Errorf("%s: an empty class has no counterpart", source)
			}
		case c == '(':
			if l, ok := lookAt(source, i); ok && open < 0 {
				if depth > 0 {
					return nil, false, fmt.Errorf("%s: look-around inside of a group has no counterpart", source)
				}
				looks, open = append(looks, l), depth
			} else if ok {
				return nil, false, fmt.Errorf("%s: look-around inside of look-around has no counterpart", source)
			}
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return nil, false, fmt.Errorf("%s: a parenthesis too many", source)
			}
			if open == depth {
				l := &looks[len(looks)-1]
				l.end, open = i+1, -1
				l.inner = source[l.start+len("(?!") : i]
				if l.behind {
					l.inner = source[l.start+len("(?<!") : i]
				}
				if i+1 < len(source) && strings.ContainsRune("*+?{", rune(source[i+1])) {
					return nil, false, fmt.Errorf("%s: repeated look-around has no counterpart", source)
				}
			}
		case c == '|' && depth == 0:
			alternatives = true
		}
	}
	if depth != 0 {
		return nil, false, fmt.Errorf("%s: a parenthesis is missing", source)
	}
	return looks, alternatives, nil
}

func lookAt(source string, i int) (look, bool) {
	for _, l := range []struct {
		mark             string
		behind, negative bool
	}{{"(?!", false, true}, {"(?=", false, false}, {"(?<!", true, true}, {"(?<=", true, false}} {
		if strings.HasPrefix(source[i:], l.mark) {
			return look{start: i, behind: l.behind, negative: l.negative}, true
		}
	}
	return look{}, false
}
