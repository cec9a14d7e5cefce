package transcript

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent/tools"
)

// Format is the form in which an agent keeps a session.
type Format string

const (
	Claude    Format = "claude"   // Claude Code, one JSON object a line
	Codex     Format = "codex"    // Codex CLI, rollout files
	Gemini    Format = "gemini"   // Gemini CLI, one object or one object a line
	OpenCode  Format = "opencode" // exports and storage
	Copilot   Format = "copilot"  // GitHub Copilot CLI, events one a line
	Qwen      Format = "qwen"
	Cursor    Format = "cursor"
	Droid     Format = "droid"
	Pi        Format = "pi"
	WebExport Format = "claude-web" // a session of Claude Code on the web, exported as one object
	// Histories are what somebody typed, without the sessions.
	CodexHistory Format = "codex-history"
	Unknown      Format = ""
)

// format is one agent's way to keep a session. One that has neither lines nor a
// document is known, and cannot be read yet.
type format struct {
	id       Format
	name     string                     // for people
	is       func(keys) bool            // says whether an object of the top level is this agent's
	lies     func(name string) bool     // says so of a path with slashes, where the content says nothing
	lines    func(*reader) lineForm     // begins to read a file of lines
	document func(*reader) documentForm // begins to read a file that is one object
	resumes  bool                       // reading may begin in the middle of a file
	tools    tools.Names
	wording  wording
}

// lineForm is how the lines of a file are read.
type lineForm struct {
	common *shape                   // what is read of each object
	step   func(v value, o *object) // does what an object means
	cut    func(o *object)          // takes what is left of an object that is too long; may be nil
	begins []string                 // how an object begins that stands behind a damaged one
}

// documentForm is how a file that is one object is read.
type documentForm struct {
	list    string                    // the key of its messages
	message func(value)               // reads one of them
	head    func(key string, v value) // reads what stands beside them; may be nil
	piece   string                    // what an object without messages is; empty: a session without any
}

// formats are all that are known, in the order in which they are tried.
var formats = []*format{
	&codexFormat,
	{id: CodexHistory, is: func(k keys) bool { return k.has("session_id", "ts", "text") && !k.has("type") }},
	&geminiFormat, &openCodeFormat, &webFormat, &copilotFormat,
	{id: Droid, name: "Droid", is: func(k keys) bool {
		return k.typ == "session_start" || k.typ == "message" && (k.has("session_id") || k.has("parentId") || k.has("text")) ||
			k.typ == "tool_call" && k.has("toolName") || k.typ == "system" && k.has("session_id")
	}},
	{id: Pi, name: "Pi", is: func(k keys) bool { return k.typ == "session" && k.has("id", "cwd") }},
	{id: Qwen, name: "Qwen Code", is: func(k keys) bool { // the keys of Claude Code around messages of Gemini's form
		return k.has("uuid", "sessionId") && (k.has("message.parts") || k.role == "model" || k.typ == "tool_result" || k.has("systemPayload"))
	}},
	{id: Cursor, name: "Cursor", is: func(k keys) bool { return k.has("role", "message.content") && !k.has("type") }},
	&claudeFormat,
}

// formatOf returns a format by its id; that of Unknown is empty.
func formatOf(id Format) *format {
	for _, f := range formats {
		if f.id == id {
			return f
		}
	}
	return &format{}
}

func (f *format) readable() bool { return f.lines != nil || f.document != nil }

// ErrFormat refuses a file that cannot be read as a session. Format is Unknown
// when nothing about the file was recognised.
type ErrFormat struct {
	Path   string
	Format Format
	Why    string // when it is more than that
}

func (e *ErrFormat) Error() string {
	if e.Why != "" {
		return e.Path + ": " + e.Why
	}
	if e.Format == CodexHistory {
		return e.Path + ": the prompt history of Codex CLI, which holds no session; those lie in the folder sessions beside it"
	}
	if e.Format == Unknown {
		return fmt.Sprintf("%s: no session of a known agent", e.Path)
	}
	return fmt.Sprintf("%s: a session of %s, which cannot be read yet", e.Path, formatOf(e.Format).name)
}

// HeadSize is how much of a file's beginning is enough for [Detect].
const HeadSize = 64 << 10

// Detect says whose session a file holds, from its path and the beginning of
// its content, which may end anywhere. Only formats that can be read come
// without an error; the others come with an *ErrFormat that names the agent.
// Content decides; the path only helps where a head says nothing.
func Detect(name string, head []byte) (Format, error) {
	f := detect(name, head)
	if f.readable() {
		return f.id, nil
	}
	return f.id, &ErrFormat{Path: name, Format: f.id}
}

// maxHeadLines bounds how many lines are looked at. State lines that carry
// little may stand before the first message.
const maxHeadLines = 64

func detect(name string, head []byte) *format {
	rest := bytes.TrimPrefix(head, bom)
	for range maxHeadLines {
		rest = trimHead(rest)
		line, behind, more := bytes.Cut(rest, []byte{'\n'})
		if f := keysOf(line).format(); f != nil {
			return f
		}
		if more && !complete(line) {
			// One object over several lines, which Claude Code does not write.
			if f := keysOf(rest).format(); f != nil && f.id != Claude {
				return f
			}
		}
		if !more {
			break
		}
		rest = behind
	}
	slashed := strings.ReplaceAll(name, `\`, "/")
	for _, f := range formats {
		if f.lies != nil && f.lies(slashed) {
			return f
		}
	}
	return &format{}
}

// trimHead takes off what may stand before the first object.
func trimHead(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, bom), "\x00 \t\r\n")
}

// complete says whether b begins with a whole object.
func complete(b []byte) bool {
	c := cursor{b: b}
	return c.skip()
}

// inFolder says whether a file lies below a folder, and ends so.
func inFolder(folder, end string) func(string) bool {
	return func(name string) bool {
		return strings.Contains(name, folder) && strings.HasSuffix(path.Base(name), end)
	}
}

// keys is what the top level of one object tells about its writer.
type keys struct {
	seen map[string]bool // with those of message, data and info as "message.role"
	typ  string          // value of "type"
	role string          // value of "message.role"
}

func (k keys) has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !k.seen[name] })
}

// keysOf reads the top level of the object that b begins with, as far as it goes.
func keysOf(b []byte) keys {
	k := keys{seen: map[string]bool{}}
	c := cursor{b: b}
	for c.enter('{'); c.member(); {
		name := string(c.key)
		k.seen[name] = true
		switch {
		case name == "type" && c.peek() == '"':
			k.typ = c.text()
		case (name == "message" || name == "data" || name == "info") && c.peek() == '{':
			for c.enter('{'); c.member(); {
				inner := name + "." + string(c.key)
				k.seen[inner] = true
				if v := c.value(); inner == "message.role" || inner == "data.role" || inner == "info.role" {
					k.role = v.text()
				}
			}
		default:
			c.skip()
		}
	}
	return k
}

func (k keys) format() *format {
	for _, f := range formats {
		if f.is != nil && f.is(k) {
			return f
		}
	}
	return nil
}
