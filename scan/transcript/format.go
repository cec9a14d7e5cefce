package transcript

import (
	"bytes"
	"fmt"
	"path"
	"strings"
)

// Format is the form in which an agent keeps a session.
type Format string

const (
	Claude    Format = "claude"   // Claude Code, one JSON object a line
	Codex     Format = "codex"    // Codex CLI, rollout files
	Gemini    Format = "gemini"   // Gemini CLI, one object or one object a line
	OpenCode  Format = "opencode" // exports and storage
	Qwen      Format = "qwen"
	Cursor    Format = "cursor"
	Copilot   Format = "copilot"
	Droid     Format = "droid"
	Pi        Format = "pi"
	WebExport Format = "claude-web" // a session of Claude Code on the web, exported as one object
	// Histories are what somebody typed, without the sessions.
	CodexHistory Format = "codex-history"
	Unknown      Format = ""
)

// agents are the formats' names for people.
var agents = map[Format]string{
	Claude: "Claude Code", Codex: "Codex CLI", Gemini: "Gemini CLI", OpenCode: "OpenCode", Qwen: "Qwen Code",
	Cursor: "Cursor", Copilot: "Copilot CLI", Droid: "Droid", Pi: "Pi", WebExport: "Claude Code on the web",
}

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
	return fmt.Sprintf("%s: a session of %s, which cannot be read yet", e.Path, agents[e.Format])
}

// HeadSize is how much of a file's beginning is enough for [Detect].
const HeadSize = 64 << 10

// Detect says whose session a file holds, from its path and the beginning of
// its content, which may end anywhere. Only formats that can be read come
// without an error; the others come with an *ErrFormat that names the agent.
// Content decides; the path only helps where a head says nothing.
func Detect(name string, head []byte) (Format, error) {
	f := detect(name, head)
	if readable[f] {
		return f, nil
	}
	return f, &ErrFormat{Path: name, Format: f}
}

// readable are the formats that have a reader.
var readable = map[Format]bool{Claude: true, Codex: true, Gemini: true, OpenCode: true, WebExport: true}

// maxHeadLines bounds how many lines are looked at. State lines that carry
// little may stand before the first message.
const maxHeadLines = 64

func detect(name string, head []byte) Format {
	rest := bytes.TrimPrefix(head, bom)
	for range maxHeadLines {
		rest = bytes.TrimLeft(rest, "\x00 \t\r\n")
		if len(rest) == 0 {
			break
		}
		line := rest
		nl := bytes.IndexByte(rest, '\n')
		if rest[0] == '{' {
			c := cursor{b: rest}
			if nl >= 0 {
				c.b = rest[:nl]
			}
			if f := keysOf(&c).format(); f != Unknown {
				return f
			}
			if c = (cursor{b: rest}); nl >= 0 && !complete(rest[:nl]) {
				// One object over several lines, which Claude Code does not write.
				if f := keysOf(&c).format(); f != Unknown && f != Claude {
					return f
				}
			}
		}
		if nl < 0 {
			break
		}
		rest = rest[len(line[:nl+1]):]
	}
	return byPath(name)
}

// trimHead takes off what may stand before the first object.
func trimHead(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, bom), "\x00 \t\r\n")
}

func cutLine(b []byte) (line, rest []byte, more bool) { return bytes.Cut(b, []byte("\n")) }

// complete says whether b begins with a whole object.
func complete(b []byte) bool {
	c := cursor{b: b}
	return c.skip()
}

// byPath knows files whose head is empty or does not say enough.
func byPath(name string) Format {
	slashed := strings.ReplaceAll(name, `\`, "/")
	base := path.Base(slashed)
	switch {
	case strings.HasPrefix(base, "rollout-") && strings.HasSuffix(base, ".jsonl"):
		return Codex
	case strings.Contains(slashed, "/.gemini/"):
		return Gemini
	case strings.Contains(slashed, "/storage") && (strings.Contains(slashed, "/part/") || strings.Contains(slashed, "/message/")) && strings.HasSuffix(base, ".json"):
		return OpenCode
	case strings.Contains(slashed, "/.claude/projects/") && strings.HasSuffix(base, ".jsonl"):
		return Claude
	}
	return Unknown
}

// keys is what the top level of one object tells about its writer.
type keys struct {
	seen map[string]bool
	typ  string // value of "type"
	role string // value of "message.role"
	in   map[string]bool
}

// keysOf reads the top level of the object at c, as far as it goes.
func keysOf(c *cursor) keys {
	k := keys{seen: map[string]bool{}, in: map[string]bool{}}
	for c.enter('{'); c.member(); {
		name := string(c.key)
		k.seen[name] = true
		switch {
		case name == "type" && c.peek() == '"':
			k.typ = c.text()
		case (name == "message" || name == "data" || name == "info") && c.peek() == '{':
			for c.enter('{'); c.member(); {
				sub := string(c.key)
				k.in[name+"."+sub] = true
				if sub == "role" && c.peek() == '"' {
					k.role = c.text()
				} else {
					c.skip()
				}
			}
		default:
			c.skip()
		}
	}
	return k
}

// format decides. Codex comes first: its lines have a type too. Qwen's lines
// have the keys of Claude Code's around messages of Gemini's form.
func (k keys) format() Format {
	s := k.seen
	switch {
	case k.typ == "session_meta" || s["payload"] && s["type"] && s["timestamp"] && !s["sessionId"], s["record_type"] && !s["sessionId"],
		!s["type"] && s["id"] && s["timestamp"] && s["instructions"],
		codexItems[k.typ] && s["call_id"] && !s["sessionId"]:
		return Codex
	case s["session_id"] && s["ts"] && s["text"] && !s["type"]:
		return CodexHistory
	case s["projectHash"] || s["$set"] || s["$rewindTo"] || k.typ == "gemini" || s["startTime"] && s["lastUpdated"] && s["sessionId"]:
		return Gemini
	case s["info"] && (s["messages"] || k.in["info.projectID"] || k.in["info.directory"]) || s["projectID"] && s["directory"] ||
		s["messageID"] && s["sessionID"] || s["sessionID"] && s["role"] || s["project_id"] && s["directory"]:
		return OpenCode
	case s["loglines"]:
		return WebExport
	case k.typ == "session.start" || s["data"] && strings.HasPrefix(k.typ, "session."):
		return Copilot
	case k.typ == "session_start" || k.typ == "message" && (s["session_id"] || s["parentId"] || s["text"]) || k.typ == "tool_call" && s["toolName"] || k.typ == "system" && s["session_id"]:
		return Droid
	case k.typ == "session" && s["id"] && s["cwd"]:
		return Pi
	case s["uuid"] && s["sessionId"] && (k.in["message.parts"] || k.role == "model" || k.typ == "tool_result" || s["systemPayload"]):
		return Qwen
	case s["role"] && k.in["message.content"] && !s["type"]:
		return Cursor
	case k.typ == "system" && !s["uuid"]:
		return Unknown // others have such lines too
	case claudeTypes[k.typ] && (s["sessionId"] || s["uuid"] || s["leafUuid"] || s["snapshot"] || k.in["message.role"] && s["message"]):
		return Claude
	case !s["type"] && s["sessionId"] && s["requestId"] && k.in["message.role"]:
		return Claude
	}
	return Unknown
}

// codexItems are the items that stand by themselves in Codex's first versions.
var codexItems = map[string]bool{
	"function_call": true, "function_call_output": true, "local_shell_call": true, "custom_tool_call": true, "custom_tool_call_output": true,
}

// claudeTypes are the line types by which a file is known as Claude Code's.
// Unknown ones do not harm when they stand beside them.
var claudeTypes = map[string]bool{
	"user": true, "assistant": true, "system": true, "summary": true, "attachment": true, "progress": true,
	"queue-operation": true, "file-history-snapshot": true, "file-history-delta": true, "last-prompt": true,
	"mode": true, "permission-mode": true, "ai-title": true, "custom-title": true, "agent-name": true, "pr-link": true,
	"tag": true, "cost-state": true, "saved_hook_context": true, "bridge-session": true, "content-replacement": true,
}
