package calls

import (
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// lineBegin is how the line of a call begins; its id follows.
const lineBegin = `{"id":"`

// AppendLine appends a call to b as a line of JSON, with the fields in the order of
// [Call]. It is written by hand because a scan writes one for every tool call.
func AppendLine(b []byte, c *Call) []byte {
	o := members{append(b, '{')}
	o.text("id", c.ID)
	o.number("l", int64(c.Line))
	o.number("t", c.At)
	if c.Took != 0 {
		o.number("ms", c.Took)
	}
	if c.Bytes != 0 {
		o.number("n", int64(c.Bytes))
	}
	o.some("a", c.Agent)
	o.text("tool", c.Tool)
	o.some("in", c.Input)
	o.some("dir", c.Dir)
	o.text("o", string(c.Outcome))
	if c.Warned {
		o.key("w")
		o.b = append(o.b, "true"...)
	}
	o.some("out", c.Out)
	if c.Failure != nil {
		o.key("f")
		o.failure(c.Failure)
	}
	if len(c.Mends) > 0 {
		o.key("m")
		o.list('[', ']', len(c.Mends), func(i int) { o.mend(&c.Mends[i]) })
	}
	if len(c.Fired) > 0 {
		o.key("fired")
		o.list('[', ']', len(c.Fired), func(i int) { o.b = appendText(o.b, c.Fired[i]) })
	}
	return append(o.b, '}', '\n')
}

// members writes the members of an object, a comma before each but the first.
type members struct{ b []byte }

func (o *members) failure(f *Failure) {
	o.b = append(o.b, '{')
	o.text("p", f.Problem)
	o.some("prog", f.Program)
	o.some("target", f.Target)
	o.some("class", f.Class)
	o.some("say", f.Line)
	if len(f.Rules) > 0 {
		o.key("rules")
		rules := slices.Sorted(maps.Keys(f.Rules))
		o.list('{', '}', len(rules), func(i int) {
			o.b = append(appendText(o.b, rules[i]), ':')
			o.b = appendText(o.b, f.Rules[rules[i]])
		})
	}
	o.b = append(o.b, '}')
}

func (o *members) mend(m *Mend) {
	o.b = append(o.b, '{')
	o.text("c", m.Call)
	o.text("how", string(m.How))
	o.some("fix", m.Fix)
	if m.Named {
		o.key("named")
		o.b = append(o.b, "true"...)
	}
	o.some("rule", m.Rule)
	o.b = append(o.b, '}')
}

func (o *members) key(name string) {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(append(append(o.b, '"'), name...), '"', ':')
}

func (o *members) text(name, value string) {
	o.key(name)
	o.b = appendText(o.b, value)
}

// some writes a text that is not empty.
func (o *members) some(name, value string) {
	if value != "" {
		o.text(name, value)
	}
}

func (o *members) number(name string, value int64) {
	o.key(name)
	o.b = strconv.AppendInt(o.b, value, 10)
}

func (o *members) list(begin, end byte, n int, write func(i int)) {
	o.b = append(o.b, begin)
	for i := range n {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		write(i)
	}
	o.b = append(o.b, end)
}

// appendText writes a JSON string as package json does without the escapes for HTML.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		r, width := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, width = utf8.DecodeRuneInString(s[i:])
		}
		if escape := escapeOf(r, width); escape != "" {
			b = append(append(b, s[from:i]...), escape...)
			from = i + width
		}
		i += width
	}
	return append(append(b, s[from:]...), '"')
}

// escapeOf is what stands for a character that may not stand in a JSON string, or
// should not; else it is empty.
func escapeOf(r rune, width int) string {
	switch {
	case r == '"':
		return `\"`
	case r == '\\':
		return `\\`
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r == '\r':
		return `\r`
	case r == '\b':
		return `\b`
	case r == '\f':
		return `\f`
	case r < ' ':
		return `\u00` + string("0123456789abcdef"[r>>4]) + string("0123456789abcdef"[r&15])
	case r == utf8.RuneError && width == 1:
		return `\ufffd`
	case r == '\u2028':
		return `\u2028`
	case r == '\u2029':
		return `\u2029`
	}
	return ""
}
