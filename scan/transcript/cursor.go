package transcript

import (
	"bytes"
	"encoding/json"
)

// cursor walks JSON in place. Transcripts are large and mostly not wanted:
// a cursor decodes what it is asked for and steps over the rest. It compares
// keys exactly, where encoding/json folds case. It is lenient about what it
// steps over and never reads outside of b.
//
// An object is walked by
//
//	for c.enter('{'); c.member(); {
//		switch string(c.key) {
//		…
//		default:
//			c.skip()
//		}
//	}
//
// where each case steps over the member's value, and an array likewise with
// [cursor.element]. A walk ends early when what is there is no valid JSON: then
// c.bad is set, and whoever goes on finds nothing more.
type cursor struct {
	b   []byte
	i   int
	key []byte // of the member that was stepped to last
	bad bool

	fresh bool // nothing was read yet of the object or array that was entered last
}

// fail ends the walk at all depths.
func (c *cursor) fail() { c.i, c.bad, c.fresh = len(c.b), true, false }

// peek returns the next character that is no space, or 0 at the end.
func (c *cursor) peek() byte {
	if c.i < len(c.b) && c.b[c.i] > ' ' {
		return c.b[c.i]
	}
	return c.peekFar()
}

func (c *cursor) peekFar() byte {
	for ; c.i < len(c.b); c.i++ {
		switch c.b[c.i] {
		case ' ', '\t', '\r', '\n', 0:
		default:
			return c.b[c.i]
		}
	}
	return 0
}

// enter steps into the object or array at the cursor, which begins with open.
// Anything else is damage: ask [cursor.peek] before where another value may be.
func (c *cursor) enter(open byte) {
	if c.peek() != open {
		c.fail()
		return
	}
	c.i++
	c.fresh = true
}

// member steps to the value of the object's next member and sets c.key. It
// returns false behind the object, and when that is damaged.
func (c *cursor) member() bool {
	// As clients write it there is no space anywhere.
	b, i := c.b, c.i
	if !c.fresh {
		if i >= len(b) || b[i] != ',' {
			if i < len(b) && b[i] == '}' {
				c.i++
				return false
			}
			return c.memberFar()
		}
		i++
	}
	if i < len(b) && b[i] == '"' {
		if end := keyEnd(b, i+1); end >= 0 && end+1 < len(b) && b[end+1] == ':' {
			c.key, c.i, c.fresh = b[i+1:end], end+2, false
			return true
		}
	}
	return c.memberFar()
}

// past steps over members that stand behind the value before, if they are just
// these and another one follows. The caller knows what they say.
func (c *cursor) past(members string) bool {
	to := c.i + len(members)
	if c.fresh || to >= len(c.b) || c.b[to] != ',' || string(c.b[c.i:to]) != members {
		return false
	}
	c.i = to
	return true
}

// begin steps into the object at the cursor, up to the value of a member, if what
// stands there begins so.
func (c *cursor) begin(members string) bool {
	if to := c.i + len(members); to > len(c.b) || string(c.b[c.i:to]) != members {
		return false
	}
	c.i += len(members)
	c.fresh = false
	return true
}

// ahead steps to the value of the next member, if it is the one that clients write
// there.
func (c *cursor) ahead(member string) bool {
	to := c.i + len(member)
	if c.fresh || to > len(c.b) || string(c.b[c.i:to]) != member {
		return false
	}
	c.i = to
	return true
}

// same steps over the value at the cursor if it is one that was read before: an
// object or a text, which end with themselves.
func (c *cursor) same(earlier []byte) bool {
	if len(earlier) == 0 || earlier[0] != '{' && earlier[0] != '"' || !bytes.HasPrefix(c.b[c.i:], earlier) {
		return false
	}
	c.i += len(earlier)
	return true
}

func (c *cursor) memberFar() bool {
	if !c.more('}') {
		return false
	}
	raw, ok := c.quoted()
	if c.key = raw; !asIs(raw) {
		c.key = []byte(unquote(raw))
	}
	if !ok || c.peek() != ':' {
		c.fail()
		return false
	}
	c.i++
	return true
}

// element steps to the array's next element. It returns false behind the array,
// and when that is damaged.
func (c *cursor) element() bool { return c.more(']') }

// more steps over what stands before the next part of an object or array.
func (c *cursor) more(end byte) bool {
	fresh := c.fresh
	c.fresh = false
	switch next := c.peek(); {
	case next == end && next != 0:
		c.i++
		return false
	case fresh:
	case next == ',':
		c.i++
	default:
		c.fail()
	}
	return !c.bad
}

// quoted steps over the value at the cursor. Of a string it returns what stands
// between the quotes, escapes and all.
func (c *cursor) quoted() (raw []byte, ok bool) {
	if c.peek() != '"' {
		c.skip()
		return nil, false
	}
	from := c.i + 1
	end := closingQuote(c.b, from)
	if end < 0 {
		c.fail()
		return nil, false
	}
	c.i = end + 1
	return c.b[from:end], true
}

// text decodes the string at the cursor. A value that is no string gives "".
func (c *cursor) text() string {
	raw, _ := c.quoted()
	return unquote(raw)
}

// again decodes the string at the cursor, which is most often the one that an
// earlier line held there: no memory is taken then.
func (c *cursor) again(earlier string) string {
	raw, _ := c.quoted()
	if string(raw) == earlier {
		return earlier
	}
	return unquote(raw)
}

// word decodes the string at the cursor, which is most often the name of one of
// a few types or tools: no memory is taken then.
func (c *cursor) word() string {
	raw, _ := c.quoted()
	if len(raw) > 0 {
		for _, w := range frequent[raw[0]] {
			if string(raw) == w {
				return w
			}
		}
	}
	return unquote(raw)
}

// frequent are the names that sessions hold thousands of times, by their first
// letters.
var frequent = func() (all [256][]string) {
	for _, w := range []string{
		"user", "assistant", "progress", "system", "summary", "attachment", "file-history-snapshot", "queue-operation", "text", "thinking", "tool_use", "tool_result",
		"Bash", "Read", "Edit", "Write", "Grep", "Glob", "Task", "TodoWrite", "WebFetch",
	} {
		all[w[0]] = append(all[w[0]], w)
	}
	return all
}()

// flag decodes the boolean at the cursor; anything else is false.
func (c *cursor) flag() bool { return string(c.raw()) == "true" }

// raw steps over the value at the cursor and returns it as it stands, or
// nothing when it is damaged.
func (c *cursor) raw() json.RawMessage {
	c.peek()
	at := c.i
	if !c.skip() {
		return nil
	}
	return json.RawMessage(c.b[at:c.i])
}

// skip steps over the value at the cursor. Of objects and arrays it only counts
// brackets, so that depth costs no stack.
func (c *cursor) skip() bool {
	switch c.peek() {
	case 0, '}', ']', ',', ':':
	case '"':
		if end := closingQuote(c.b, c.i+1); end >= 0 {
			c.i = end + 1
			return true
		}
	case '{', '[':
		if end := closingBracket(c.b, c.i); end >= 0 {
			c.i = end + 1
			return true
		}
	default:
		from := c.i
		for c.i < len(c.b) && scalar[c.b[c.i]] {
			c.i++
		}
		if c.i > from {
			return true
		}
	}
	c.fail()
	return false
}
