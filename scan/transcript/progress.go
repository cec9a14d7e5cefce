package transcript

import "bytes"

// longData is how much of a progress line must be left that it pays to look for the
// end of its data from the end of the line.
const longData = 512

// readProgress steps over the data of a progress line, which repeats what stands in
// other files, at length. The members behind it are texts, so its end is found from
// the line's. A progress line is no event, and neither is what is stepped over here
// if the line is damaged; an object that begins behind a whole one is looked for.
func (e *entry) readProgress(c *cursor) {
	if e.typ == "progress" && c.peek() == '{' && len(c.b)-c.i > longData {
		if end := dataEnd(c.b); end > c.i && !objectBehind(c.b[c.i:end]) {
			c.i = end
			return
		}
	}
	c.skip()
}

// dataEnd returns where the last object ends of a progress line that has only texts
// behind it, or -1.
func dataEnd(line []byte) int {
	rest, ok := bytes.CutSuffix(line, []byte{'}'})
	ours := false // as no other line has it
	for ok {
		var key []byte
		if rest, key, ok = withoutText(rest); ok {
			ours = ours || string(key) == "parentToolUseID"
		}
	}
	if !ours || !bytes.HasSuffix(rest, []byte{'}'}) {
		return -1
	}
	return len(rest)
}

// withoutText takes a member off the end of an object that is a text without
// escapes.
func withoutText(b []byte) (rest, key []byte, ok bool) {
	value, ok := bytes.CutSuffix(b, []byte{'"'})
	if !ok {
		return b, nil, false
	}
	from := bytes.LastIndexByte(value, '"')
	key, ok = bytes.CutSuffix(value[:max(from, 0)], []byte(`":`))
	if from = bytes.LastIndexByte(key, '"'); !ok || from < 1 || key[from-1] != ',' {
		return b, nil, false
	}
	return key[:from-1], key[from+1:], true
}

// objectBehind says whether an object may begin in b right behind another one.
func objectBehind(b []byte) bool {
	for {
		at := bytes.IndexByte(b, '{')
		if at < 0 {
			return false
		}
		before := at
		for before > 0 && b[before-1] <= ' ' {
			before--
		}
		if before > 0 && b[before-1] == '}' {
			return true
		}
		b = b[at+1:]
	}
}
