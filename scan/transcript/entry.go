package transcript

import (
	"bytes"
	"encoding/json"
	"time"
)

// entry is one object of a session file, as far as it is wanted.
type entry struct {
	typ, subtype, operation, content string

	uuid, session, agent, cwd, branch, version string

	time time.Time

	sidechain, meta, compactSummary, apiError bool

	plan   bool   // holds a plan of the agent that the person accepted
	origin string // who wrote a user line, in newer versions
	denied string // why a call was refused, in newer versions

	model    string
	blocks   []block
	result   *extra // toolUseResult
	attached attached

	partial bool    // the object is only the beginning of one
	habit   *habits // of the file
}

// habits are values that nearly all lines of a file share.
type habits struct{ session, agent, cwd, branch, version, model string }

// keep notes the values of an entry for the next one.
func (h *habits) keep(e *entry) {
	for _, v := range []struct {
		to    *string
		value string
	}{{&h.session, e.session}, {&h.agent, e.agent}, {&h.cwd, e.cwd}, {&h.branch, e.branch}, {&h.version, e.version}, {&h.model, e.model}} {
		if v.value != "" {
			*v.to = v.value
		}
	}
}

// block is one part of a message's content.
type block struct {
	typ     string // text, tool_use, tool_result, …
	text    string // of texts and results
	id      string // of calls
	name    string
	input   json.RawMessage
	toolUse string // of results: the call's id
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
	h := e.habit
	return c.object(func(key []byte) (ok bool) {
		switch string(key) {
		case "type":
			e.typ, ok = c.kind()
		case "subtype":
			e.subtype, ok = c.text()
		case "operation":
			e.operation, ok = c.text()
		case "content":
			e.content, ok = c.text()
		case "uuid":
			e.uuid, ok = c.text()
		case "sessionId":
			e.session, ok = c.again(h.session)
		case "agentId":
			e.agent, ok = c.again(h.agent)
		case "cwd":
			e.cwd, ok = c.again(h.cwd)
		case "gitBranch":
			e.branch, ok = c.again(h.branch)
		case "version":
			e.version, ok = c.again(h.version)
		case "timestamp":
			e.time, ok = c.time()
		case "isSidechain":
			e.sidechain, ok = c.flag()
		case "isMeta":
			e.meta, ok = c.flag()
		case "isCompactSummary":
			e.compactSummary, ok = c.flag()
		case "isApiErrorMessage":
			e.apiError, ok = c.flag()
		case "planContent":
			e.plan = c.peek() == '"'
			ok = c.skip()
		case "toolDenialKind":
			e.denied, ok = c.text()
		case "origin":
			ok = e.readOrigin(c)
		case "message":
			ok = e.readMessage(c)
		case "toolUseResult":
			e.result, ok = readExtra(c)
		case "attachment":
			ok = e.readAttachment(c)
		default:
			ok = c.skip()
		}
		return ok
	})
}

func (e *entry) readOrigin(c *cursor) bool {
	if c.peek() != '{' {
		return c.skip()
	}
	return c.object(func(key []byte) (ok bool) {
		if string(key) == "kind" {
			e.origin, ok = c.text()
			return ok
		}
		return c.skip()
	})
}

func (e *entry) readMessage(c *cursor) bool {
	if c.peek() != '{' {
		return c.skip()
	}
	return c.object(func(key []byte) (ok bool) {
		switch string(key) {
		case "model":
			e.model, ok = c.again(e.habit.model)
		case "content":
			ok = e.readContent(c)
		default:
			ok = c.skip()
		}
		return ok
	})
}

// readContent reads a text or a list of blocks.
func (e *entry) readContent(c *cursor) bool {
	switch c.peek() {
	case '"':
		s, ok := c.text()
		e.blocks = append(e.blocks, block{typ: "text", text: s})
		return ok
	case '[':
		return c.array(func() bool {
			if c.peek() != '{' {
				return c.skip()
			}
			b := block{}
			ok := b.read(c)
			if ok || e.partial {
				e.blocks = append(e.blocks, b)
			}
			return ok
		})
	}
	return c.skip()
}

func (b *block) read(c *cursor) bool {
	return c.object(func(key []byte) (ok bool) {
		switch string(key) {
		case "type":
			b.typ, ok = c.kind()
		case "text":
			b.text, ok = c.text()
		case "id":
			b.id, ok = c.text()
		case "name":
			b.name, ok = c.text()
		case "input":
			var raw json.RawMessage
			raw, ok = c.raw()
			b.input = bytes.Clone(raw)
		case "tool_use_id":
			b.toolUse, ok = c.text()
		case "is_error":
			b.isError, ok = c.flag()
		case "content":
			b.text, ok = contentText(c)
		default:
			ok = c.skip()
		}
		return ok
	})
}

// contentText reads a result's content: a text, or blocks of which the texts
// are joined by newlines.
func contentText(c *cursor) (string, bool) {
	if c.peek() != '[' {
		return c.text()
	}
	all := ""
	ok := c.array(func() bool {
		if c.peek() != '{' {
			return c.skip()
		}
		text := ""
		ok := c.object(func(key []byte) (ok bool) {
			if string(key) == "text" {
				text, ok = c.text()
				return ok
			}
			return c.skip()
		})
		if all != "" && text != "" {
			all += "\n"
		}
		all += text
		return ok
	})
	return all, ok
}

func (e *entry) readAttachment(c *cursor) bool {
	if c.peek() != '{' {
		return c.skip()
	}
	a := &e.attached
	return c.object(func(key []byte) (ok bool) {
		switch string(key) {
		case "type":
			a.typ, ok = c.text()
		case "prompt":
			a.prompt, ok = contentText(c)
		case "commandMode":
			a.mode, ok = c.text()
		case "hookEvent":
			a.event, ok = c.text()
		case "toolUseID":
			a.toolUse, ok = c.text()
		case "stdout":
			a.stdout, ok = c.text()
		default:
			ok = c.skip()
		}
		return ok
	})
}
