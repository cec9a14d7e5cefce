package transcript

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"time"
)

// feed is what the readers share that translate another agent's form: it fills
// in what all events of a session have, leaves copies out, and keeps count.
type feed struct {
	emit  func(Event) error
	seen  *Dedupe
	stats Stats
	calls *calls
	words func(string) string // what a person wrote in a text

	line    int
	offset  int64
	time    time.Time
	id      string // of the message
	session string
	agent   string // sub-agent
	cwd     string
	err     error
}

func newFeed(opts Options, emit func(Event) error) *feed {
	f := &feed{emit: emit, seen: opts.Seen, calls: newCalls(), words: Words}
	if m := opts.Meta; m.Session != "" {
		f.stats.Meta = m
		f.session, f.agent, f.cwd = m.Session, m.Agent, m.Cwd
	}
	return f
}

// about notes what the file says about its session. The first word counts: a
// fork repeats the session that it comes from.
func (f *feed) about(session, agent, cwd, branch, version string) {
	if f.session == "" {
		f.session, f.agent = session, agent
	}
	if f.cwd == "" {
		f.cwd = cwd
	}
	m := &f.stats.Meta
	m.Session, m.Agent, m.Cwd = f.session, f.agent, f.cwd
	if m.Branch == "" {
		m.Branch = branch
	}
	if version != "" {
		m.Version = version
	}
}

func (f *feed) send(ev Event) {
	if f.err != nil {
		return
	}
	ev.Line, ev.Offset, ev.Session, ev.Agent, ev.Cwd, ev.ID = f.line, f.offset, f.session, f.agent, f.cwd, f.id
	if ev.Time.IsZero() {
		ev.Time = f.time
	}
	if ev.ID == "" {
		ev.ID = ev.ToolUse
	}
	if f.seen != nil && !f.seen.first(&ev) {
		f.stats.Copies++
		return
	}
	f.stats.Events++
	f.err = f.emit(ev)
}

// user emits a person's words. What a program wrote in their place, and what
// another agent asks of a sub-agent, only counts.
func (f *feed) user(text string) {
	said := ""
	if f.agent == "" && !strings.HasPrefix(strings.TrimSpace(text), "[lessons] ") {
		said = f.words(text)
	}
	if said == "" {
		f.stats.Machine++
		return
	}
	f.send(Event{Kind: User, Text: said})
}

// call emits a tool call in everybody's words, see [canonical].
func (f *feed) call(id, tool string, input value) {
	name, in := canonical(tool, input)
	args := ReadArguments(in)
	made := call{id: id, tool: name, command: shellLine(name, args, in)}
	if name == asks && len(in) <= 2*maxShell {
		made.input = in
	}
	f.calls.add(made)
	f.send(Event{Kind: ToolCall, ToolUse: id, Tool: name, Input: in, Arguments: args, Exit: -1})
}

// ended is how a call ended, as its agent tells.
type ended struct {
	text    string
	exit    int     // status of a command; -1: the agent gives none
	failed  bool    // the agent calls it an error
	outcome Outcome // when the agent's own word for it says more than a status
	said    string  // of a rejection: the person's words
	time    time.Time
}

// result emits the end of a call. Where the agent's own words for it decide
// nothing, the status does, on the same terms for every agent.
func (f *feed) result(id string, e ended) {
	made := f.calls.take(id)
	if made.tool == asks {
		e.text = answered(value(made.input), e.text)
	}
	if e.outcome == Unsaid {
		e.outcome, e.exit = judge(made, e)
	}
	ev := Event{Kind: ToolResult, ToolUse: id, Tool: made.tool, Text: e.text, Outcome: e.outcome, Exit: e.exit, Time: e.time}
	if e.outcome == Rejected {
		ev.Kind, ev.Text = Rejection, e.said
	}
	f.send(ev)
}

// lines reads the lines of r one by one and calls object for each object in
// them, with the rest of the line given up where it is no JSON.
func (f *feed) lines(r io.Reader, opts Options, object func(value)) error {
	lines := newLineReader(r, opts.From, opts.MaxLine)
	defer lines.close()
	defer func() { f.stats.Position = lines.pos }()
	for {
		before := lines.pos
		line, tooLong, err := lines.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err != nil {
			if len(bytes.Trim(line, "\x00 \t\r")) == 0 {
				return nil
			}
			if !opts.Whole {
				f.stats.Torn = true
				return nil
			}
			lines.pos.Offset += int64(len(line))
		}
		if before.Offset == 0 {
			line = bytes.TrimPrefix(line, bom)
		}
		f.line, f.offset = before.Line+1, before.Offset
		if tooLong {
			f.stats.TooLong++
		} else {
			f.objects(line, object)
		}
		if f.err != nil || err != nil {
			return f.err
		}
	}
}

// objects calls object for what stands on one line: one object, or several.
func (f *feed) objects(line []byte, object func(value)) {
	for f.err == nil {
		c := cursor{b: line}
		if c.peek() == 0 {
			return
		}
		raw := c.raw()
		if c.bad || raw[0] != '{' {
			f.stats.Bad++
			return
		}
		object(value(raw))
		line = line[c.i:]
	}
}

// object reads a session that is one object: head gets the members before the
// messages, message each message. Line is the message's index.
func (f *feed) object(r io.Reader, opts Options, head func(key string, v value), message func(value)) error {
	return readObject(r, opts, "messages", &f.stats, head, func(index int, v value) error {
		f.line = index
		message(v)
		return f.err
	})
}
