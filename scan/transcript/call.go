package transcript

import (
	"encoding/json"
	"sync"
)

// maxCalls bounds how many calls wait for their results.
const maxCalls = 512

// call is a tool call whose result is awaited.
type call struct {
	id      string
	tool    string
	command string          // of shell calls: the line, unless nobody could make sense of it
	input   json.RawMessage // of questions
	denied  bool            // by a hook, before it ran
}

// shellLine is the command line by which a call's result is judged.
func shellLine(tool string, in Arguments, input json.RawMessage) string {
	if !runsCommands(tool) || len(input) > 2*maxShell {
		return ""
	}
	return in.Command
}

// runsCommands says whether a tool runs command lines.
func runsCommands(tool string) bool { return tool == "Bash" || tool == "PowerShell" }

// calls holds the open calls, the oldest of which is forgotten when there are
// too many.
type calls struct {
	open  map[string]call
	order []string
}

func newCalls() *calls { return callPool.Get().(*calls) }

// callPool keeps the memory from one file to the next.
var callPool = sync.Pool{New: func() any { return &calls{open: map[string]call{}} }}

// close forgets all calls. Nothing can be asked afterwards.
func (c *calls) close() {
	clear(c.open)
	clear(c.order)
	c.order = c.order[:0]
	callPool.Put(c)
}

func (c *calls) add(made call) {
	id := made.id
	if id == "" {
		return
	}
	if old, again := c.open[id]; again {
		made.denied = made.denied || old.denied
		c.open[id] = made
		return
	}
	c.open[id] = made
	c.order = append(c.order, id)
	if len(c.order) > 2*maxCalls {
		c.forget()
	}
}

// forget drops the older half.
func (c *calls) forget() {
	cut := len(c.order) - maxCalls
	for _, id := range c.order[:cut] {
		delete(c.open, id)
	}
	c.order = append(c.order[:0], c.order[cut:]...)
}

// take returns a call and what is known of it. It stays known: a result may
// come twice.
func (c *calls) take(id string) call { return c.open[id] }

// takeRaw is take for an id that is not decoded. The call that it returns has the
// id, known or not.
func (c *calls) takeRaw(raw []byte) call {
	if asIs(raw) {
		if made, ok := c.open[string(raw)]; ok {
			return made
		}
	}
	made := c.take(unquote(raw))
	made.id = unquote(raw)
	return made
}

// deny notes that a hook refused a call.
func (c *calls) deny(id string) {
	if made, ok := c.open[id]; ok {
		made.denied = true
		c.open[id] = made
	}
}

// maxQueue bounds the queue of texts and the memory of those sent.
const maxQueue = 64

// queue is what the person typed while the agent was at work.
type queue struct {
	waiting []string
	gone    []string // sent as events already
}

func (q *queue) add(text string) {
	if len(q.waiting) == maxQueue {
		q.waiting = q.waiting[1:]
	}
	q.waiting = append(q.waiting, text)
}

// next takes the oldest text.
func (q *queue) next() string {
	if len(q.waiting) == 0 {
		return ""
	}
	text := q.waiting[0]
	q.waiting = q.waiting[1:]
	return text
}

func (q *queue) sent(text string) {
	if len(q.gone) == maxQueue {
		q.gone = q.gone[1:]
	}
	q.gone = append(q.gone, text)
}

// delivered says whether a text was sent before, and forgets it.
func (q *queue) delivered(text string) bool {
	for i, g := range q.gone {
		if g == text {
			q.gone = append(q.gone[:i], q.gone[i+1:]...)
			return true
		}
	}
	return false
}
