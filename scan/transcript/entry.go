package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
)

// entry is one object of a session file, as far as it is wanted. It holds parts
// of the line, which are decoded when they are used.
type entry struct {
	lasting

	typ, subtype, operation, content string

	uuid, parent, stamp []byte // as they stand

	meta, compactSummary, apiError bool

	plan   bool   // holds a plan of the agent that the person accepted
	origin string // who wrote a user line, in newer versions
	denied string // why a call was refused, in newer versions

	model    string
	blocks   []block
	result   []byte // toolUseResult, as it stands, and perhaps more behind it
	attached attached

	habit *habits // of the file
}

// block is one part of a message's content.
type block struct {
	typ     string // text, tool_use, tool_result, …
	text    string // of texts
	id      []byte // of calls, as it stands
	name    string
	input   json.RawMessage // as it stands
	args    Arguments       // what it says
	toolUse []byte          // of results: the call's id, as it stands
	content []byte          // of results, as it stands
	start   []byte          // of results: the first text of it, as it stands
	alone   bool            // of results: start is its only text
	isError bool
}

// attached is what an attachment line carries.
type attached struct {
	typ, prompt, mode, event, toolUse, stdout string
}

// thread names the thread that the line belongs to: empty for the main one.
// Older versions keep sub-agents in the main file without naming them.
func (e *entry) thread() string {
	if e.agent == "" && e.sidechain {
		return "sidechain"
	}
	return e.agent
}

// byMachine says whether the whole line is a program's, whatever its text.
func (e *entry) byMachine() bool {
	return e.meta || e.plan || e.thread() != "" || e.origin != "" && e.origin != "human"
}

// read decodes the object at the cursor. It returns false when that is not
// valid; what came before the damage is kept.
func (e *entry) read(c *cursor) bool {
	if e.habit == nil {
		e.habit = &habits{}
	}
	e.habit.begin()
	if c.begin(`{"parentUuid":`) { // as nearly all lines
		e.readOn(c)
	} else {
		c.enter('{')
	}
	for at := c.i; c.member(); at = c.i {
		switch string(c.key) {
		case "type":
			e.typ = c.word()
		case "subtype":
			e.subtype = c.text()
		case "operation":
			e.operation = c.text()
		case "content":
			e.content = c.text()
		case "uuid":
			e.uuid, _ = c.quoted()
		case "parentUuid":
			e.readOn(c)
		case "timestamp":
			e.stamp, _ = c.quoted()
		case "isMeta":
			e.meta = c.flag()
		case "isCompactSummary":
			e.compactSummary = c.flag()
		case "isApiErrorMessage":
			e.apiError = c.flag()
		case "planContent":
			e.plan = c.peek() == '"'
			c.skip()
		case "toolDenialKind":
			e.denied = c.text()
		case "origin":
			e.readOrigin(c)
		case "message":
			e.readMessage(c)
		case "toolUseResult":
			e.readResult(c)
		case "attachment":
			e.readAttachment(c)
		case "data":
			e.readProgress(c)
		default:
			if isLasting(c.key) {
				e.habit.read(c, at, &e.lasting)
			} else {
				c.skip()
			}
		}
	}
	return !c.bad
}

// readOn reads the parent, and the members behind it in the order in which nearly all
// lines have them. Where a line has others, they are read by their names.
func (e *entry) readOn(c *cursor) {
	if e.parent, _ = c.quoted(); c.peek() == ',' {
		e.habit.again(c, c.i, &e.lasting)
	}
	if c.past(`,"type":"user"`) {
		e.typ = "user"
	}
	switch {
	case c.ahead(`,"message":`):
		e.readMessage(c)
		if c.ahead(`,"requestId":`) {
			c.skip()
		}
		if c.past(`,"type":"assistant"`) {
			e.typ = "assistant"
		}
	case c.past(`,"type":"progress"`):
		e.typ = "progress"
		if c.ahead(`,"data":`) {
			e.readProgress(c)
		}
		if c.ahead(`,"toolUseID":`) {
			c.skip()
		}
		if c.ahead(`,"parentToolUseID":`) {
			c.skip()
		}
	default:
		return
	}
	if c.ahead(`,"uuid":`) {
		e.uuid, _ = c.quoted()
	}
	if c.ahead(`,"timestamp":`) {
		e.stamp, _ = c.quoted()
	}
	if c.ahead(`,"toolUseResult":`) {
		e.readResult(c)
	}
	if c.ahead(`,"sourceToolAssistantUUID":`) {
		c.skip()
	}
}

// readResult steps over toolUseResult, which is a third of all that a session
// holds: files as they were before an edit, mostly. No two results have the same
// parent, so where the end of the line names the one that its beginning does it
// is the end of this object, and nothing in between need be looked at.
func (e *entry) readResult(c *cursor) {
	if at, last := e.endsAt(c.b), ends[c.peek()]; last != 0 && at-1 > c.i && c.b[at-1] == last {
		e.result, c.i = c.b[c.i:at], at
	} else {
		e.result = c.raw()
	}
}

// ends are the characters that end an object and an array. A text ends like other
// members that may stand behind it.
var ends = [256]byte{'{': '}', '[': ']'}

// endsAt returns where the part of a line begins that names the parent again, or
// -1.
func (e *entry) endsAt(line []byte) int {
	rest, ok := bytes.CutSuffix(e.habit.withoutEnd(line), []byte{'"'})
	if !ok || len(e.parent) == 0 {
		return -1
	}
	if rest, ok = bytes.CutSuffix(rest, e.parent); !ok {
		return -1
	}
	if rest, ok = bytes.CutSuffix(rest, []byte(`,"sourceToolAssistantUUID":"`)); !ok {
		return -1
	}
	return len(rest)
}

func (e *entry) readOrigin(c *cursor) {
	if c.peek() != '{' {
		c.skip()
		return
	}
	for c.enter('{'); c.member(); {
		if string(c.key) == "kind" {
			e.origin = c.text()
		} else {
			c.skip()
		}
	}
}

func (e *entry) readMessage(c *cursor) {
	if c.peek() != '{' {
		c.skip()
		return
	}
	switch { // as they nearly always begin
	case c.begin(`{"role":"user","content":`):
		e.readContent(c)
	case c.begin(`{"model":`):
		e.readModel(c)
		if c.ahead(`,"id":`) {
			c.skip()
		}
		if c.ahead(`,"type":"message","role":"assistant","content":`) {
			e.readContent(c)
		}
		c.past(`,"stop_reason":null,"stop_sequence":null`)
		if c.ahead(`,"usage":`) {
			e.habit.readUsage(c)
		}
	default:
		c.enter('{')
	}
	for c.member() {
		switch string(c.key) {
		case "model":
			e.readModel(c)
		case "content":
			e.readContent(c)
		case "usage":
			e.habit.readUsage(c)
		default:
			c.skip()
		}
	}
}

func (e *entry) readModel(c *cursor) {
	e.model = c.again(e.habit.model)
	e.habit.model = e.model
}

// readContent reads a text or a list of blocks.
func (e *entry) readContent(c *cursor) {
	switch c.peek() {
	case '"':
		e.blocks = append(e.blocks, block{typ: "text", text: c.text()})
	case '[':
		for c.enter('['); c.element(); {
			if c.peek() != '{' {
				c.skip()
				continue
			}
			e.blocks = append(e.blocks, block{})
			e.blocks[len(e.blocks)-1].read(c)
		}
	default:
		c.skip()
	}
}

func (b *block) read(c *cursor) {
	switch { // as they nearly always begin
	case c.begin(`{"tool_use_id":`):
		b.toolUse, _ = c.quoted()
		if c.past(`,"type":"tool_result"`) {
			b.typ = "tool_result"
		}
		if c.ahead(`,"content":`) {
			b.readContent(c)
		}
	case c.begin(`{"type":"tool_use","id":`):
		b.typ = "tool_use"
		b.id, _ = c.quoted()
		if c.ahead(`,"name":`) {
			b.name = c.word()
		}
		if c.ahead(`,"input":`) {
			b.readInput(c)
		}
	case c.begin(`{"type":"text","text":`):
		b.typ = "text"
		b.text = c.text()
	case c.begin(`{"type":"thinking","thinking":`):
		b.typ = "thinking"
		c.skip()
	default:
		c.enter('{')
	}
	for c.member() {
		switch string(c.key) {
		case "type":
			b.typ = c.word()
		case "text":
			b.text = c.text()
		case "id":
			b.id, _ = c.quoted()
		case "name":
			b.name = c.word()
		case "input":
			b.readInput(c)
		case "tool_use_id":
			b.toolUse, _ = c.quoted()
		case "is_error":
			b.isError = c.flag()
		case "content":
			b.readContent(c)
		default:
			c.skip()
		}
	}
}

// readInput reads a call's input while it steps over it. What is no object, or no
// proper one, is stepped over by its brackets.
func (b *block) readInput(c *cursor) {
	c.peek()
	walk := *c
	if b.args.read(&walk); walk.bad {
		b.input = c.raw()
		return
	}
	b.input = c.b[c.i:walk.i]
	*c = walk
}

// readContent steps over a result's content. It is decoded when somebody asks for
// the text: texts of results are most of what a session holds, and few are asked
// for.
func (b *block) readContent(c *cursor) {
	c.peek()
	from, texts, first := c.i, 0, b.start == nil
	eachText(c, func(raw []byte) {
		if texts++; b.start == nil {
			b.start = raw
		}
	})
	b.alone = texts == 1 && first
	b.content = c.b[min(from, c.i):c.i]
}

// words returns a result's text.
func (b *block) words() string {
	if b.alone || len(b.content) > 0 && b.content[0] == '"' {
		return unquote(b.start)
	}
	return contentText(&cursor{b: b.content})
}

// contentText decodes a result's content. Several texts are joined by newlines.
func contentText(c *cursor) string {
	first := ""
	var all strings.Builder // of several
	eachText(c, func(raw []byte) {
		text := unquote(raw)
		if first == "" {
			first = text
			return
		}
		if all.Len() == 0 {
			all.WriteString(first)
		}
		all.WriteString("\n" + text)
	})
	if all.Len() > 0 {
		return all.String()
	}
	return first
}

// eachText calls f for what stands in the file of each text of a content: a text,
// or blocks with texts.
func eachText(c *cursor, f func(raw []byte)) {
	if c.peek() != '[' {
		raw, _ := c.quoted()
		f(raw)
		return
	}
	for c.enter('['); c.element(); {
		if c.peek() != '{' {
			c.skip()
			continue
		}
		var text []byte
		for c.enter('{'); c.member(); {
			if string(c.key) == "text" {
				text, _ = c.quoted()
			} else {
				c.skip()
			}
		}
		if len(text) > 0 {
			f(text)
		}
	}
}

func (e *entry) readAttachment(c *cursor) {
	if c.peek() != '{' {
		c.skip()
		return
	}
	a := &e.attached
	for c.enter('{'); c.member(); {
		switch string(c.key) {
		case "type":
			a.typ = c.text()
		case "prompt":
			a.prompt = contentText(c)
		case "commandMode":
			a.mode = c.text()
		case "hookEvent":
			a.event = c.text()
		case "toolUseID":
			a.toolUse = c.text()
		case "stdout":
			a.stdout = c.text()
		default:
			c.skip()
		}
	}
}
