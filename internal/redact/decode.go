package redact

import (
	"strconv"
	"strings"
)

// decoded is a text in which escapes are written out, with where each of its
// bytes stands in the text that it was made from. A secret in the query of an
// address or in JSON in HTML is found there.
type decoded struct {
	text  string
	place []int // one more than bytes: the end
}

// decode writes out %2F, \u002f, \/ and &quot;. It returns false where there is
// nothing of the kind.
func decode(s string) (decoded, bool) {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '\\') < 0 && strings.IndexByte(s, '&') < 0 {
		return decoded{}, false // most texts
	}
	first := escapeFrom(s, 0)
	if first == len(s) {
		return decoded{}, false
	}
	var out strings.Builder
	out.Grow(len(s))
	place := make([]int, 0, len(s)+1)
	for i, next := 0, first; i < len(s); {
		width, char := 1, s[i]
		if i == next {
			width, char = escape(s[i:])
			next = escapeFrom(s, i+width)
		}
		out.WriteByte(char)
		place = append(place, i)
		i += width
	}
	return decoded{out.String(), append(place, len(s))}, true
}

// escapeFrom returns where the first escape stands from at on, or the text's end.
func escapeFrom(s string, at int) int {
	for at < len(s) {
		next := strings.IndexAny(s[at:], `%\&`)
		if next < 0 {
			break
		}
		at += next
		if width, _ := escape(s[at:]); width > 0 {
			return at
		}
		at++
	}
	return len(s)
}

// entities are the characters that HTML and XML give a name.
var entities = []struct {
	text string
	char byte
}{{"&quot;", '"'}, {"&amp;", '&'}, {"&#39;", '\''}, {"&apos;", '\''}, {"&lt;", '<'}, {"&gt;", '>'}}

// escape reads the escape that s begins with: how long it is and which printable
// ASCII character it stands for.
func escape(s string) (width int, char byte) {
	code := ""
	switch {
	case s[0] == '%' && len(s) >= 3:
		width, code = 3, s[1:3]
	case strings.HasPrefix(s, `\u00`) && len(s) >= 6:
		width, code = 6, s[4:6]
	case strings.HasPrefix(s, `\/`):
		return 2, '/'
	case s[0] == '&':
		for _, e := range entities {
			if strings.HasPrefix(s, e.text) {
				return len(e.text), e.char
			}
		}
	}
	if code == "" {
		return 0, 0
	}
	n, err := strconv.ParseUint(code, 16, 7)
	if err != nil || n < ' ' || n > '~' {
		return 0, 0
	}
	return width, byte(n)
}

// scanDecoded looks at the text once more with its escapes written out.
func (t *scanner) scanDecoded(x *ruleIndex, personal bool) {
	d, ok := decode(t.s)
	if !ok {
		return
	}
	inner := newScanner(d.text)
	inner.walk(x, personal)
	for _, p := range inner.spans {
		t.replace(d.place[p.from], d.place[p.to], p.with)
	}
}
