package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// Options say how to read. The zero value reads a file from its beginning.
type Options struct {
	From    Position // where r begins in its file
	MaxLine int      // bytes; 0: DefaultMaxLine
	// Whole says that nobody writes to the file any more, so that a last line
	// without a newline is read too. Otherwise it is left for the next time.
	Whole bool
	Seen  *Dedupe // what other files had already; nil: nothing
	// Meta is what the file's beginning says, see [Header], for a part that does
	// not hold it. Only formats that say it once need it.
	Meta Meta
	Name string // the file's path, where its place tells something
	// Texts says of which results the caller reads the text, by tool (empty when
	// the call is not known) and outcome. The others may come without one, because
	// most of a session is text that nobody asks for. nil: of all.
	Texts func(tool string, outcome Outcome) bool
	// Inputs says of which calls the caller reads more of the input than Arguments
	// say. The others may come without one. nil: of all.
	Inputs func(tool string) bool
	// ByCalls says that the caller knows calls and results by the ids of the calls,
	// and reads the message's id of none but the first event.
	ByCalls bool
}

// Meta is what the lines say about their session.
type Meta struct {
	Session string // the agent's id, raw
	Agent   string // id of the sub-agent whose file this is
	Cwd     string // where the session began
	Branch  string
	Version string // of the agent, the newest one
}

// Stats says what was read.
type Stats struct {
	Position      // behind the last line that was read: where to go on
	Meta     Meta // of the session
	Events   int  // emitted
	Machine  int  // texts in a person's place that are no person's: reminders, commands, hooks, sub-agents' prompts
	Copies   int  // events that Seen knew
	Bad      int  // pieces of lines that are no JSON objects
	TooLong  int  // lines beyond MaxLine, left out
	Torn     bool // the last line has no newline and was not read
	Unknown  int  // objects of a type that is not known
}

// ReadClaude reads a session file of Claude Code, or a part of one that begins
// at a line, and calls emit for each event in the order of the file. It holds
// one line at a time. Lines that cannot be read are counted and stepped over.
// An error is that of r, or that of emit, which ends the reading; the statistics
// are good up to there.
func ReadClaude(r io.Reader, opts Options, emit func(Event) error) (Stats, error) {
	c := &claude{
		emit:   emit,
		seen:   opts.Seen,
		texts:  opts.Texts,
		inputs: opts.Inputs,
		byCall: opts.ByCalls,
		lines:  newLineReader(r, opts.From, opts.MaxLine),
		calls:  newCalls(),
	}
	defer c.lines.close()
	defer c.calls.close()
	err := c.read(opts)
	c.stats.Position = c.lines.pos
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return c.stats, err
}

// claude is one file being read.
type claude struct {
	emit   func(Event) error
	seen   *Dedupe
	texts  func(tool string, outcome Outcome) bool // see Options
	inputs func(tool string) bool
	byCall bool
	lines  *lineReader
	stats  Stats
	calls  *calls
	queue  queue

	habits habits
	clock  clock
	blocks []block // of the current line
	lastID string  // of an event
	kept   store

	line     int   // number of the current line
	offset   int64 // of it
	boundary bool  // the last message was a compact_boundary
	err      error
}

func (c *claude) read(opts Options) error {
	for {
		before := c.lines.pos
		line, tooLong, err := c.lines.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err != nil {
			rest := bytes.Trim(line, "\x00 \t\r")
			if len(rest) == 0 {
				return err
			}
			if !opts.Whole {
				c.stats.Torn = true
				return err
			}
			c.lines.pos.Offset += int64(len(line))
		}
		c.line, c.offset = before.Line+1, before.Offset
		if before.Offset == 0 {
			line = bytes.TrimPrefix(line, bom)
		}
		if tooLong {
			c.stats.TooLong++
			c.truncated(line)
		} else {
			c.objects(line)
		}
		if c.err != nil {
			return c.err
		}
		if err != nil {
			return err
		}
	}
}

// objects reads what a line holds: one object, several in a row, or, after a
// crash, the beginning of one with another behind it.
func (c *claude) objects(line []byte) {
	for c.err == nil {
		cur := cursor{b: line}
		if cur.peek() == 0 {
			return
		}
		e := entry{habit: &c.habits, blocks: c.blocks[:0]}
		whole := cur.peek() == '{' && e.read(&cur)
		c.blocks = e.blocks
		if whole {
			c.entry(&e)
			line = line[cur.i:]
			continue
		}
		c.stats.Bad++
		next := restart(line[1:])
		if next < 0 {
			return
		}
		line = line[1+next:]
	}
}

// restart finds the last place in a damaged line where an object of the top
// level begins, or -1.
func restart(line []byte) int {
	at := -1
	for _, begin := range []string{`{"parentUuid":`, `{"type":"user"`, `{"type":"assistant"`, `{"type":"summary"`} {
		at = max(at, bytes.LastIndex(line, []byte(begin)))
	}
	if at < 0 {
		return -1
	}
	cur, e := cursor{b: line, i: at}, entry{}
	if !e.read(&cur) || cur.peek() != 0 || e.session == "" && len(e.uuid) == 0 {
		return -1 // a part of the damaged object
	}
	return at
}

// truncated takes from the beginning of a line that is too long what keeps a
// call and its result together. The content of such a line is a picture or a
// file, not words.
func (c *claude) truncated(line []byte) {
	cur, e := cursor{b: line}, entry{}
	e.read(&cur)
	if e.typ != "user" || len(e.uuid) == 0 && e.session == "" && len(e.blocks) == 0 {
		return
	}
	c.note(&e)
	for _, b := range e.blocks {
		if b.typ == "tool_result" && len(b.toolUse) > 0 {
			b.content, b.start = nil, nil
			c.result(&e, &b)
		}
	}
}

// note keeps what a line says about the session.
func (c *claude) note(e *entry) {
	m := &c.stats.Meta
	if m.Session == "" {
		m.Session = e.session
	}
	if m.Cwd == "" {
		m.Cwd = e.cwd
	}
	if m.Branch == "" {
		m.Branch = e.branch
	}
	if m.Agent == "" {
		m.Agent = e.agent
	}
	if e.version != "" {
		m.Version = e.version
	}
}

// entry turns one object into events.
func (c *claude) entry(e *entry) {
	c.note(e)
	boundary := c.boundary
	switch e.typ {
	case "user", "assistant":
		c.boundary = false
	}
	switch e.typ {
	case "user":
		c.user(e, boundary)
	case "assistant":
		c.assistant(e)
	case "system":
		if e.subtype == "compact_boundary" {
			c.boundary = true
			c.send(e, &Event{Kind: Compaction})
		}
	case "attachment":
		c.attachment(e)
	case "queue-operation":
		c.queued(e)
	case "progress", "file-history-snapshot":
	default:
		if !claudeTypes[e.typ] {
			c.stats.Unknown++
		}
	}
}

// send fills in what all events of a line share, and emits.
func (c *claude) send(e *entry, ev *Event) {
	if c.err != nil {
		return
	}
	ev.Line, ev.Offset, ev.Session, ev.Agent, ev.Cwd = c.line, c.offset, e.session, e.thread(), e.cwd
	ev.Time = c.clock.read(e.stamp)
	if !c.byCall || ev.ToolUse == "" || c.lastID == "" {
		ev.ID = c.id(e)
	}
	if ev.ID == "" {
		ev.ID = ev.ToolUse
	}
	if c.seen != nil && !c.seen.first(ev) {
		c.stats.Copies++
		return
	}
	c.stats.Events++
	c.err = c.emit(*ev)
}

// id decodes the id of a message, which all events of its lines share.
func (c *claude) id(e *entry) string {
	if string(e.uuid) != c.lastID {
		c.lastID = c.kept.text(e.uuid)
	}
	return c.lastID
}

func (c *claude) assistant(e *entry) {
	if e.apiError || e.model == "<synthetic>" {
		c.stats.Machine++
		return
	}
	for i := range e.blocks {
		switch b := &e.blocks[i]; b.typ {
		case "text":
			if strings.TrimSpace(b.text) != "" {
				c.send(e, &Event{Kind: Assistant, Text: b.text})
			}
		case "tool_use":
			ev := Event{Kind: ToolCall, ToolUse: c.kept.text(b.id), Tool: b.name, Arguments: b.args, Exit: -1}
			if c.inputs == nil || c.inputs(b.name) {
				ev.Input = c.kept.clone(b.input)
			}
			c.calls.add(call{id: ev.ToolUse, tool: b.name, command: shellLine(b.name, b.args, b.input)})
			c.send(e, &ev)
		}
	}
}

func (c *claude) user(e *entry, boundary bool) {
	if e.compactSummary {
		if !boundary {
			c.send(e, &Event{Kind: Compaction})
		}
		c.stats.Machine++
		return
	}
	for i := range e.blocks {
		switch b := &e.blocks[i]; b.typ {
		case "tool_result":
			c.result(e, b)
		case "text":
			c.words(e, b.text)
		}
	}
}

// words emits what a text in a person's place says: an interruption, a person's
// words, or nothing when a program wrote it.
func (c *claude) words(e *entry, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if rest, ok := interrupted(text); ok {
		c.send(e, &Event{Kind: Interrupt})
		if rest == "" {
			return
		}
		text = rest
	}
	said := ""
	if !e.byMachine() {
		said = Words(text)
	}
	if said == "" {
		c.stats.Machine++
		return
	}
	if c.queue.delivered(said) {
		return // emitted when it was taken from the queue
	}
	c.send(e, &Event{Kind: User, Text: said})
}

// result emits the end of a call.
func (c *claude) result(e *entry, b *block) {
	made := c.calls.takeRaw(b.toolUse)
	r := Result{Tool: made.tool, Command: made.command, IsError: b.isError, Denial: e.denied, Version: e.version, Extra: e.result}
	if r.Denial == "" && b.isError && made.denied {
		r.Denial = "hook"
	}
	extra := r.extra(b.content)
	silent := r.endsWithout(b.start, extra)
	if !silent {
		r.Text = b.words()
	}
	outcome, exit := r.judge(extra)
	if silent && (made.id == "" || c.texts == nil || c.texts(made.tool, outcome)) {
		r.Text = b.words()
	}
	ev := Event{Kind: ToolResult, ToolUse: made.id, Tool: made.tool, Text: r.Text, Outcome: outcome, Exit: exit}
	if outcome == Rejected {
		ev.Kind, ev.Text = Rejection, RejectionWords(r.Text)
	}
	c.send(e, &ev)
}

// attachment takes two things from what the client attaches: what the person
// typed while the agent was at work, and that a hook refused a call.
func (c *claude) attachment(e *entry) {
	a := e.attached
	switch a.typ {
	case "queued_command":
		if a.mode != "" && a.mode != "prompt" {
			c.stats.Machine++
			return
		}
		c.words(e, a.prompt)
	case "hook_success", "hook_blocking_error":
		if a.toolUse != "" && (a.typ == "hook_blocking_error" || denies(a.stdout)) && (a.event == "" || a.event == "PreToolUse" || a.event == "PermissionRequest") {
			c.calls.deny(a.toolUse)
		}
	}
}

// denies says whether a hook's answer refuses the call.
func denies(stdout string) bool {
	if !strings.Contains(stdout, "block") && !strings.Contains(stdout, "deny") && !strings.Contains(stdout, `\u`) {
		return false // without the word, however it is written
	}
	var answer struct {
		Decision string `json:"decision"`
		Output   struct {
			Permission string `json:"permissionDecision"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal([]byte(strings.TrimSpace(stdout)), &answer) != nil {
		return false
	}
	return answer.Decision == "block" || answer.Output.Permission == "deny"
}

// queued follows what the person types while the agent is at work. A text that
// is removed from the queue went to the agent in the middle of its turn, which
// older versions record nowhere else; one that is dequeued comes as a message.
func (c *claude) queued(e *entry) {
	switch e.operation {
	case "enqueue":
		c.queue.add(e.content)
	case "dequeue":
		c.queue.next()
	case "popAll":
		c.queue = queue{}
	case "remove":
		if said := Words(c.queue.next()); said != "" {
			c.queue.sent(said)
			c.send(e, &Event{Kind: User, Text: said})
		}
	}
}
