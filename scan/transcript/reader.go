package transcript

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/internal/shell"
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

// reader reads one file. It has what all agents share: it takes the file apart into
// objects, pairs results with calls, judges how calls ended, leaves copies out, and
// keeps count.
type reader struct {
	form  *format
	opts  Options
	emit  func(Event) error
	stats Stats
	calls calls
	err   error // of emit: it ends the reading

	// Of what is being read now.
	current object  // of the top level
	undated *object // whose id and time are read when an event needs them
	line    int
	offset  int64
	time    time.Time
	id      string // of the message
	session string
	agent   string // sub-agent
	cwd     string
}

func newReader(f *format, opts Options, emit func(Event) error) *reader {
	if opts.MaxLine <= 0 {
		opts.MaxLine = DefaultMaxLine
	}
	r := &reader{form: f, opts: opts, emit: emit}
	if m := opts.Meta; m.Session != "" {
		r.stats.Meta = m
		r.session, r.agent, r.cwd = m.Session, m.Agent, m.Cwd
	}
	return r
}

// lines reads objects line by line. It holds one line at a time. Lines that cannot be
// read are counted and stepped over.
func (r *reader) lines(in io.Reader, form lineForm) error {
	buffered, release := Buffered(in)
	defer release()
	lines := newLineReader(buffered, r.opts.From, r.opts.MaxLine)
	defer func() { r.stats.Position = lines.pos }()
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
			if !r.opts.Whole {
				r.stats.Torn = true
				return nil
			}
			lines.pos.Offset += int64(len(line))
		}
		if before.Offset == 0 {
			line = bytes.TrimPrefix(line, bom)
		}
		r.line, r.offset = before.Line+1, before.Offset
		switch {
		case !tooLong:
			r.objects(line, form)
			r.asked(line)
		case form.cut != nil:
			form.cut(form.common.of(line))
			fallthrough
		default:
			r.stats.TooLong++
		}
		if r.err != nil || err != nil {
			return r.err
		}
	}
}

// objects reads what stands on one line: one object, several in a row, or, after a
// crash, the beginning of one with another behind it.
func (r *reader) objects(line []byte, form lineForm) {
	for r.err == nil {
		c := cursor{b: line}
		if c.peek() == 0 {
			return
		}
		o := &r.current
		*o = object{}
		if form.common.read(&c, o); !c.bad {
			form.step(line[:c.i], o)
			line = line[c.i:]
			continue
		}
		r.stats.Bad++
		next := -1
		for _, begin := range form.begins {
			next = max(next, bytes.LastIndex(line[1:], []byte(begin)))
		}
		if next < 0 {
			return
		}
		line = line[1+next:]
		// What begins there may be a part of the damaged object, and is none then.
		if c := (cursor{b: line}); !c.skip() || c.peek() != 0 {
			return
		} else if o := form.common.of(line); !o[fSession].present() && !o[fID].present() {
			return
		}
	}
}

// about notes what the file says about its session. The first word counts: a
// fork repeats the session that it comes from.
func (r *reader) about(session, agent, cwd, branch, version string) {
	if r.session == "" {
		r.session, r.agent = session, agent
	}
	m := &r.stats.Meta
	m.Session, m.Agent = r.session, r.agent
	r.cwd = first(&m.Cwd, cwd)
	first(&m.Branch, branch)
	if version != "" {
		m.Version = version
	}
}

// first sets a text that is not known yet.
func first(known *string, text string) string {
	if *known == "" {
		*known = text
	}
	return *known
}

// send fills in what all events share, and emits.
func (r *reader) send(ev Event) {
	if r.err != nil {
		return
	}
	if o := r.undated; o != nil {
		r.undated, r.time, r.id = nil, o[fTime].stamp(), o[fID].text()
	}
	ev.Line, ev.Offset, ev.Session, ev.Agent, ev.Cwd, ev.ID = r.line, r.offset, r.session, r.agent, r.cwd, r.id
	if ev.Time.IsZero() {
		ev.Time = r.time
	}
	if ev.ID == "" {
		ev.ID = ev.ToolUse
	}
	if r.opts.Seen != nil && !r.opts.Seen.first(&ev) {
		r.stats.Copies++
		return
	}
	r.stats.Events++
	r.err = r.emit(ev)
}

// wrote emits a person's words. What a program wrote in their place, and what
// another agent asks of a sub-agent, only counts.
func (r *reader) wrote(text string) {
	text = redact.Unstyled(text)
	words := ""
	if r.agent == "" && !strings.HasPrefix(strings.TrimSpace(text), ours) {
		words = r.form.wording.words(text)
	}
	if words == "" {
		r.stats.Machine++
		return
	}
	r.send(Event{Kind: User, Text: words})
}

// says emits what the agent says.
func (r *reader) says(text string) {
	text = redact.Unstyled(text)
	if strings.TrimSpace(text) != "" {
		r.send(Event{Kind: Assistant, Text: text})
	}
}

// asked emits what a hook of ours asked the agent. Each agent keeps that elsewhere, and
// none as a message, so it is found by its first words and its name, eight hex digits.
func (r *reader) asked(line []byte) {
	for {
		_, rest, found := bytes.Cut(line, []byte(ours+"ask "))
		if !found {
			return
		}
		if name, _, ok := bytes.Cut(rest[:min(len(rest), 9)], []byte(":")); ok && len(name) == 8 && len(bytes.Trim(name, "0123456789abcdef")) == 0 {
			r.send(Event{Kind: Asked, Text: string(name)})
		}
		line = rest
	}
}

func (r *reader) compacted(*object)   { r.send(Event{Kind: Compaction}) }
func (r *reader) interrupted(*object) { r.send(Event{Kind: Interrupt}) }
func (r *reader) byMachine(*object)   { r.stats.Machine++ }

// called emits a tool call under everybody's names, see [canonical].
func (r *reader) called(id, tool string, input value) {
	name, in := canonical(r.form.tools, tool, input)
	args := ReadArguments(in)
	made := call{tool: name}
	if runsCommands(name) && len(in) <= maxInput {
		made.command = args.Command
	}
	if name == asks && len(in) <= maxInput {
		made.input = value(in)
	}
	r.calls.add(id, made)
	r.send(Event{Kind: ToolCall, ToolUse: id, Tool: name, Input: in, Arguments: args, Exit: -1})
}

// ended is how a call ended, as its agent tells.
type ended struct {
	text    string
	exit    int         // status of a command; -1: the agent gives none
	failed  bool        // the agent calls it an error
	outcome Outcome     // when the agent's own word for it says more than a status
	said    string      // of a rejection: the person's words
	line    *shell.Line // of a command, where judging took it apart
	time    time.Time
}

// result emits the end of a call. Where the agent's own words for it decide
// nothing, the status does, on the same terms for every agent.
func (r *reader) result(id string, e ended) {
	made := r.calls.open[id]
	e.text, e.said = redact.Unstyled(e.text), redact.Unstyled(e.said)
	if made.tool == asks {
		e.text = answered(made.input, e.text)
	}
	if e.outcome == Unsaid {
		e.judge(made)
	}
	ev := Event{Kind: ToolResult, ToolUse: id, Tool: made.tool, Text: e.text, Outcome: e.outcome, Exit: e.exit, Time: e.time, Parsed: e.line}
	if e.outcome == Rejected {
		ev.Kind, ev.Text = Rejection, e.said
	}
	r.send(ev)
}

// maxInput is the longest input of a call, in bytes, that is kept for its result.
const maxInput = 32 << 10

// maxCalls bounds how many calls wait for their results.
const maxCalls = 512

// call is a tool call whose result is awaited.
type call struct {
	tool    string
	command string // of shell calls: the line by which the result is judged
	input   value  // of questions
	denied  bool   // by a hook, before it ran
}

// runsCommands says whether a tool runs command lines.
func runsCommands(tool string) bool { return tool == "Bash" || tool == "PowerShell" }

// calls holds the open calls, the oldest of which are forgotten when there are
// too many. A call stays known after its result, which may come twice.
type calls struct {
	open  map[string]call
	order []string
}

func (c *calls) add(id string, made call) {
	if id == "" {
		return
	}
	if c.open == nil {
		c.open = map[string]call{}
	}
	if old, again := c.open[id]; again {
		made.denied = made.denied || old.denied
	} else if c.order = append(c.order, id); len(c.order) > 2*maxCalls {
		for _, old := range c.order[:maxCalls] {
			delete(c.open, old)
		}
		c.order = slices.Delete(c.order, 0, maxCalls)
	}
	c.open[id] = made
}

// deny notes that a hook refused a call.
func (c *calls) deny(id string) {
	if made, ok := c.open[id]; ok {
		made.denied = true
		c.open[id] = made
	}
}
