package transcript

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// ReadOpenCode reads a session of OpenCode in the form in which the client
// exports it: one object with info and messages. Event.Line is the index of the
// message, from 0. A single message or part, of which OpenCode's storage is
// made, is an *ErrFormat.
func ReadOpenCode(r io.Reader, opts Options, emit func(Event) error) (Stats, error) {
	o := &openCode{feed: newFeed(opts, emit), used: map[string]bool{}}
	o.words = openCodeWords
	err := o.object(r, opts, o.head, o.message)
	if errors.Is(err, errNoMessages) {
		err = &ErrFormat{Path: opts.Name, Format: OpenCode, Why: "a piece of a session of OpenCode; scan the folder storage that it lies in, or what opencode export prints"}
	}
	return o.stats, err
}

// openCode is one session being read.
type openCode struct {
	*feed
	used map[string]bool // ids of calls
}

// head reads what a session says about itself. One with a parent is that of a
// sub-agent.
func (o *openCode) head(key string, v value) {
	if key != "info" {
		return
	}
	f := v.pick("id", "parentID", "directory", "version")
	id, parent := f[0].text(), f[1].text()
	if parent != "" {
		o.about(parent, id, f[2].text(), "", f[3].text())
		return
	}
	o.about(id, "", f[2].text(), "", f[3].text())
}

func (o *openCode) message(m value) {
	v := m.pick("info", "parts")
	f := v[0].pick("id", "role", "time", "summary", "error", "sessionID")
	o.id = f[0].text()
	if o.session == "" {
		o.about(f[5].text(), "", "", "", "")
	}
	created, completed := f[2].get("created").stamp(), f[2].get("completed").stamp()
	o.time = created
	role := f[1].text()
	v[1].each(func(part value) { o.part(role, f[3].flag(), part) })
	if name := f[4].get("name").text(); name == "MessageAbortedError" || name == "AbortError" {
		o.time = completed
		if completed.IsZero() {
			o.time = created
		}
		o.send(Event{Kind: Interrupt})
	}
}

func (o *openCode) part(role string, summary bool, p value) {
	f := p.pick("type", "text", "synthetic", "ignored")
	switch f[0].text() {
	case "text":
		text := f[1].text()
		switch {
		case strings.TrimSpace(text) == "":
		case f[2].flag() || f[3].flag() || summary:
			o.stats.Machine++
		case role == "user":
			o.user(text)
		case role == "assistant":
			o.send(Event{Kind: Assistant, Text: text})
		}
	case "tool":
		o.tool(p)
	case "compaction":
		o.send(Event{Kind: Compaction})
	case "subtask":
		o.stats.Machine++ // a command that the person called
	case "reasoning", "step-start", "step-finish", "file", "patch", "snapshot", "agent", "retry", "":
	default:
		o.stats.Unknown++
	}
}

// tool emits a call and its end, which stand in one part.
func (o *openCode) tool(p value) {
	f := p.pick("callID", "tool", "state")
	id, name := o.unique(f[0].text()), f[1].text()
	s := f[2].pick("status", "input", "output", "error", "metadata", "time")
	start, end := s[5].get("start").stamp(), s[5].get("end").stamp()
	if !start.IsZero() {
		o.time = start
	}
	o.call(id, name, s[1])
	e := ended{exit: -1, time: end}
	switch s[0].text() {
	case "completed":
		e.text = withoutOurs(s[2].text())
		e.finished(tools[name] == "Bash", s[4])
		if name == "invalid" {
			e.outcome = NotRun
		}
	case "error":
		e.text, e.failed = s[3].text(), true
		e.broken()
	default:
		return
	}
	o.result(id, e)
}

// unique returns an id under which a result finds its call, whatever the file
// says: call and result stand in one place.
func (o *openCode) unique(id string) string {
	if id == "" || o.used[id] {
		id = fmt.Sprintf("%s#%d", id, len(o.used))
	}
	o.used[id] = true
	return id
}

// finished reads what stands beside an output.
func (e *ended) finished(shell bool, metadata value) {
	if !shell {
		return
	}
	m := metadata.pick("exit", "output")
	if n, ok := m[0].number(); ok {
		e.exit = n
		e.failed = n != 0
	}
	switch notes := tailOf(e.text, "<bash_metadata>", "<shell_metadata>", "(Command timed out", "(Command was aborted"); {
	case strings.Contains(notes, "exceeding timeout"), strings.Contains(notes, "exceeded timeout"), strings.Contains(notes, "timed out after"):
		e.outcome = TimedOut
	case strings.Contains(notes, "aborted"):
		e.outcome = Interrupted
	}
	if e.outcome != Unsaid {
		e.text = strings.TrimSpace(bashNotes.Replace(e.text))
		return
	}
	if m[1].first() == '"' {
		if out := m[1].text(); out != "" && len(out) >= len(e.text) || strings.HasPrefix(e.text, out) {
			e.text = out
		}
	}
}

// bashNotes takes the marks off what OpenCode remarks behind an output.
var bashNotes = strings.NewReplacer("<bash_metadata>\n", "", "\n</bash_metadata>", "", "<shell_metadata>\n", "", "\n</shell_metadata>", "")

// tailOf returns a text from the last of some marks on.
func tailOf(text string, marks ...string) string {
	for _, m := range marks {
		if at := strings.LastIndex(text, m); at >= 0 {
			return text[at:]
		}
	}
	return ""
}

// openCodeSays are texts by which OpenCode says what became of a call that did
// not come to its end.
var openCodeSays = []sentinel{
	{"The user rejected permission to use this specific tool call", false, Rejected},
	{"The user rejected", false, Rejected},
	{"The user dismissed this question", false, Rejected},
	{"User rejected", false, Rejected},
	{"The user has specified a rule which prevents", false, Blocked},
	{"The user has specifically restricted access", false, Blocked},
	{"This command references paths outside of", false, Blocked},
	{"[lessons]", false, Blocked},
	{"Tool execution aborted", false, Interrupted},
	{"Tool execution was interrupted", false, Interrupted},
	{"The operation was aborted", false, Interrupted},
	{"The arguments provided to the tool are invalid", true, NotRun},
	{"Model tried to call unavailable tool", false, NotRun},
	{"was called with invalid arguments", true, NotRun},
}

func (e *ended) broken() {
	for _, s := range openCodeSays {
		if strings.HasPrefix(e.text, s.text) || s.inside && strings.Contains(firstLine(e.text), s.text) {
			e.outcome = s.outcome
			break
		}
	}
	if e.outcome == Rejected {
		if _, said, ok := strings.Cut(e.text, "with the following feedback:"); ok {
			e.said = Words(said)
		}
	}
}

// openCodeStarts are beginnings of texts that OpenCode writes in a user's place.
var openCodeStarts = []string{
	"Summarize the task tool output above", "The following tool was executed by the user", "<system-reminder>",
	"Continue if you have next steps", "What did we do so far?", "Provide a detailed prompt for continuing our conversation",
}

// openCodeWords returns what a person wrote in a text in a user's place.
func openCodeWords(text string) string {
	text = strings.TrimSpace(text)
	for _, s := range openCodeStarts {
		if strings.HasPrefix(text, s) {
			return ""
		}
	}
	return Words(text)
}
