package transcript

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// value is one JSON value of a transcript, not decoded. What is asked of a
// value of another type is empty: readers take what they know and step over the
// rest. A nil value is one that is not there.
type value []byte

// pick returns the values of an object's keys, in their order. The last of
// several equal keys counts, as everywhere.
func (v value) pick(keys ...string) []value {
	found := make([]value, len(keys))
	c := cursor{b: v}
	if c.peek() != '{' {
		return found
	}
	for c.enter('{'); c.member(); {
		member := c.value()
		if i := slices.IndexFunc(keys, func(key string) bool { return key == string(c.key) }); i >= 0 {
			found[i] = member
		}
	}
	return found
}

// get walks down the keys of nested objects.
func (v value) get(path ...string) value {
	for _, key := range path {
		v = v.pick(key)[0]
	}
	return v
}

// first returns the first character, 0 of nothing.
func (v value) first() byte {
	c := cursor{b: v}
	return c.peek()
}

// quoted returns what stands between the quotes of a string, escapes and all.
func (v value) quoted() []byte {
	end := len(v) - 1
	if end < 1 || v[0] != '"' || v[end] != '"' || v[end-1] == '\\' && closingQuote(v, 1) != end {
		return nil
	}
	return v[1:end]
}

// text decodes a string.
func (v value) text() string { return unquote(v.quoted()) }

// again decodes a string that is most often the one that was decoded before.
func (v value) again(before string) string {
	if raw := v.quoted(); string(raw) != before {
		return unquote(raw)
	}
	return before
}

// flag decodes a boolean.
func (v value) flag() bool { return string(bytes.TrimSpace(v)) == "true" }

// number decodes a whole number; ok is false for anything else.
func (v value) number() (n int, ok bool) {
	n, err := strconv.Atoi(string(bytes.TrimSpace(v)))
	return n, err == nil
}

// present says whether there is a value other than null.
func (v value) present() bool {
	b := bytes.TrimSpace(v)
	return len(b) > 0 && string(b) != "null"
}

// each calls f for the elements of an array.
func (v value) each(f func(value)) {
	c := cursor{b: v}
	if c.peek() != '[' {
		return
	}
	for c.enter('['); c.element(); {
		f(c.value())
	}
}

// list returns the elements of an array.
func (v value) list() []value {
	var all []value
	v.each(func(e value) { all = append(all, e) })
	return all
}

// members calls f for the members of an object.
func (v value) members(f func(key string, member value)) {
	c := cursor{b: v}
	if c.peek() != '{' {
		return
	}
	for c.enter('{'); c.member(); {
		f(string(c.key), c.value())
	}
}

// stamp decodes a time: a text in RFC 3339, or milliseconds since 1970.
func (v value) stamp() time.Time {
	if v.first() == '"' {
		t, _ := time.Parse(time.RFC3339Nano, v.text())
		return t
	}
	ms, err := strconv.ParseFloat(string(bytes.TrimSpace(v)), 64)
	if err != nil || ms <= 0 || ms > 1e15 {
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}

// parts joins the texts of a message's content: a text, a part with a text, or
// a list of them.
func (v value) parts() string {
	switch v.first() {
	case '"':
		return v.text()
	case '{':
		return v.get("text").text()
	}
	var all []string
	v.each(func(part value) {
		if part.first() == '[' {
			return // no list of lists: parts may lie at any depth
		}
		if s := part.parts(); s != "" {
			all = append(all, s)
		}
	})
	return strings.Join(all, "\n")
}

// input returns a copy of a value that is valid JSON, else nothing.
func (v value) input() json.RawMessage {
	if len(v) == 0 || !json.Valid(v) {
		return nil
	}
	return append(json.RawMessage(nil), v...)
}

// encode returns a text, or an object of them, as JSON.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts always encode
	}
	return b
}
