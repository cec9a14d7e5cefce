package inject

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/redact"
)

// Act is what a trace is about.
type Act string

const (
	ActRun     Act = "run"     // a command line ran
	ActRead    Act = "read"    // a file tool read
	ActWrite   Act = "write"   // a file tool wrote
	ActOther   Act = "other"   // another tool ran
	ActBlocked Act = "blocked" // a guard held something back: a violation
	ActAllowed Act = "allowed" // a person let something pass a guard

	ActTold     Act = "told"     // a lesson was delivered
	ActWithheld Act = "withheld" // it would have been: see [Withheld]
)

// toolActs are what tools do.
var toolActs = map[string]Act{"Bash": ActRun, "PowerShell": ActRun, "Read": ActRead, "Edit": ActWrite, "Write": ActWrite}

// ActOf is what a call of a tool does.
func ActOf(tool string) Act { return cmp.Or(toolActs[tool], ActOther) }

// Outcome is how a tool call ended.
type Outcome string

const (
	OK      Outcome = "ok"
	Failed  Outcome = "failed"
	Unclear Outcome = "unclear" // the agent does not say
)

// Trace is one thing that happened in a session, a line of its events.jsonl.
// Hooks after tool calls append them, guards read them.
//
// Of a command the program and sub-command are stored in clear, of its flags and
// operands only hashes keyed by the session: enough to tell whether a required
// command ran. Paths are stored in clear, those inside the repository only. A name or
// path that is a secret by its form is left out. Of a call that failed, command and
// output are stored too, redacted first and then shortened.
type Trace struct {
	At      int64    `json:"at"` // Unix milliseconds
	Act     Act      `json:"act"`
	Tool    string   `json:"tool,omitempty"`
	Outcome Outcome  `json:"outcome,omitempty"`
	Wrong   bool     `json:"wrong,omitempty"` // the answer says that the call was wrong, and no lesson knows it
	Runs    []Run    `json:"runs,omitempty"`
	Paths   []string `json:"paths,omitempty"`   // repository-relative, slashes
	Agent   string   `json:"agent,omitempty"`   // type of the sub-agent
	Sub     string   `json:"sub,omitempty"`     // hash of the sub-agent's id; empty: the main agent
	Lesson  string   `json:"lesson,omitempty"`  // that blocked, allowed, was told or withheld
	Moment  Moment   `json:"moment,omitempty"`  // of a delivery
	Bytes   int      `json:"bytes,omitempty"`   // likewise
	Score   int      `json:"score,omitempty"`   // likewise, where lessons are scored
	Session string   `json:"session,omitempty"` // its name in the call log, of what is kept beyond the session
	Call    string   `json:"call,omitempty"`    // the call's id there
	Took    int64    `json:"ms,omitempty"`      // milliseconds, where the agent says so
	In      string   `json:"in,omitempty"`      // of a command that failed, at most [MaxIn] bytes of it
	Out     string   `json:"out,omitempty"`     // of a call that failed, at most [MaxOut] bytes of what came back
}

// How much is stored of a failed call's words, in bytes.
const (
	MaxIn  = 200
	MaxOut = 500
)

// Bounds of a session's traces. A file that is full becomes the old one; of both
// the newest tracesTail bytes are read.
const (
	maxTraceLine  = 4 << 10
	maxTraceFile  = 1 << 20
	tracesTail    = 256 << 10
	maxTracePaths = 16
	maxTracePath  = 300 // bytes
	maxTraceWord  = 80  // bytes
	tracesFile    = "events.jsonl"
	tracesOld     = "events.old.jsonl"
)

// Note appends traces in one write. Evidence that cannot be stored is missing
// later, which a guard's onError answers for.
func (s *Session) Note(traces ...Trace) error {
	var lines []byte
	for _, t := range traces {
		if s.agent != mainAgent {
			t.Sub = s.agent[:8]
		}
		line, err := t.line()
		if err != nil {
			return err
		}
		lines = append(lines, line...)
	}
	if len(lines) == 0 {
		return nil
	}
	dir, err := s.create()
	if err != nil {
		return err
	}
	name := filepath.Join(dir, tracesFile)
	if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && info.Size() > maxTraceFile {
		_ = os.Rename(name, filepath.Join(dir, tracesOld))
	}
	return appendTo(name, lines)
}

// line is the trace within maxTraceLine, with its line end. A call of very many
// commands or files keeps those that fit: what is not there is no evidence.
func (t Trace) line() ([]byte, error) {
	var paths []string
	for _, p := range t.Paths {
		if len(paths) < maxTracePaths && len(p) <= maxTracePath && inRepository(p) && !redact.HoldsKey(p) {
			paths = append(paths, p)
		}
	}
	t.Paths = paths
	if max(len(t.Tool), len(t.Agent), len(t.Lesson)) > maxTraceWord {
		t.Tool, t.Agent, t.Lesson = clip(t.Tool), clip(t.Agent), clip(t.Lesson)
	}
	t.Tool, t.Agent = telling(t.Tool), telling(t.Agent)
	for {
		line, err := json.Marshal(t)
		switch {
		case err != nil, len(line) < maxTraceLine:
			return append(line, '\n'), err
		case t.In+t.Out != "": // words are for people, the rest is evidence
			t.In, t.Out = "", ""
			continue
		case len(t.Runs)+len(t.Paths) == 0:
			return append(line, '\n'), nil
		}
		t.Runs, t.Paths = t.Runs[:len(t.Runs)/2], t.Paths[:len(t.Paths)/2]
	}
}

// telling is a name, or "?" where it could be a secret.
func telling(name string) string {
	if redact.HoldsKey(name) {
		return "?"
	}
	return name
}

func clip(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxTraceWord)], "") }

// inRepository: a slash path below the root.
func inRepository(p string) bool {
	return p != "." && fs.ValidPath(p) && !strings.Contains(p, `\`) && (len(p) < 2 || p[1] != ':')
}

// Traces returns what the session did, oldest first: the newest part of it when
// there is much. Lines that cannot be read are left out.
func (s *Session) Traces() []Trace {
	var all []Trace
	for _, dir := range s.existing() {
		data := TailOfFile(filepath.Join(dir, tracesFile), tracesTail)
		if len(data) < tracesTail/2 {
			data = append(TailOfFile(filepath.Join(dir, tracesOld), int64(tracesTail-len(data))), data...)
		}
		all = append(all, ParseTraces(data)...)
	}
	return all
}

// What counts as lately: the last traces of a session, read from a tail of its file.
const (
	latelyTail  = 16 << 10
	latelyCount = 10
)

// Lately returns what this agent did last, oldest first. Hooks ask it after each call:
// without a call that was wrong there is nothing to parse.
func (s *Session) Lately() []Trace {
	var last []Trace
	for _, dir := range s.existing() {
		data := TailOfFile(filepath.Join(dir, tracesFile), latelyTail)
		if bytes.Contains(data, []byte(`"wrong":true`)) {
			last = append(last, ParseTraces(data)...)
		}
	}
	last = slices.DeleteFunc(last, func(t Trace) bool { return t.Lesson != "" || (t.Sub == "") != (s.agent == mainAgent) })
	return last[max(0, len(last)-latelyCount):]
}

// CallsWithoutEdit counts what this agent did in the session; edited says that it edited.
func (s *Session) CallsWithoutEdit() (n int, edited bool) {
	for _, t := range s.Traces() {
		switch {
		case t.Lesson != "", (t.Sub == "") != (s.agent == mainAgent), t.Sub != "" && t.Sub != s.agent[:8]:
		case t.Act == ActWrite:
			return n, true
		default:
			n++
		}
	}
	return n, false
}

// ParseTraces reads the lines of an events file.
func ParseTraces(data []byte) []Trace {
	var all []Trace
	for line := range bytes.Lines(data) {
		var t Trace
		if len(line) <= 2*maxTraceLine && json.Unmarshal(line, &t) == nil && t.Act != "" {
			all = append(all, t)
		}
	}
	return all
}

// TailOfFile returns the last whole lines of a regular file within limit bytes.
func TailOfFile(name string, limit int64) []byte {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	cut := info.Size() > limit
	if cut {
		if _, err := f.Seek(-limit, io.SeekEnd); err != nil {
			return nil
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil
	}
	if cut {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	return data
}

// Recorded are the traces of all sessions of a work tree that the call log has use for:
// those that say which session it is there. It is for commands, never for hooks.
func Recorded(places Places) []Trace {
	var all []Trace
	for _, dir := range places.sessions() {
		if private(dir) != nil {
			continue
		}
		entries, _ := os.ReadDir(dir) // a folder that cannot be read holds nothing
		for _, e := range entries {
			if own := filepath.Join(dir, e.Name()); len(e.Name()) != 32 || private(own) != nil {
				continue
			}
			for _, name := range []string{tracesOld, tracesFile} {
				data := TailOfFile(filepath.Join(dir, e.Name(), name), 2*maxTraceFile)
				if bytes.Contains(data, []byte(`"session":"`)) {
					all = append(all, slices.DeleteFunc(ParseTraces(data), func(t Trace) bool { return t.Session == "" })...)
				}
			}
		}
	}
	return all
}
