package transcript

import "bytes"

// longData is how much of a progress line must be left that it pays to look for the
// end of its data from the end of the line.
const longData = 512

// readProgress steps over the data of a progress line, which repeats what stands in
// other files, at length. The members behind it are texts, so its end is found from
// the line's, and where they say nothing that is wanted they are stepped over too. A
// progress line is no event, and neither is what is stepped over here if the line is
// damaged; an object that begins behind a whole one is looked for.
func (e *entry) readProgress(c *cursor) {
	if e.typ == "progress" && c.peek() == '{' && len(c.b)-c.i > longData {
		if data, next := dataEnd(c.b); data > c.i && !objectBehind(c.b[c.i:data]) {
			c.i = next
			return
		}
	}
	c.skip()
}

// dataEnd returns where the last object inside a progress line ends, if only texts
// stand behind it, or -1, and from where on the line says something that is wanted.
func dataEnd(line []byte) (end, next int) {
	end = bytes.LastIndexByte(line[:max(len(line)-1, 0)], '}') + 1
	rest := cursor{b: line, i: end}
	ours, known := false, true // ours: as no other line has it
	for rest.member() {
		switch string(rest.key) {
		case "parentToolUseID":
			ours = true
		case "toolUseID", "uuid", "timestamp":
		default:
			known = false
		}
		if rest.peek() != '"' {
			return -1, -1
		}
		rest.skip()
	}
	if rest.bad || rest.i < len(line) || !ours {
		return -1, -1
	}
	if known {
		return end, len(line) - 1
	}
	return end, end
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
