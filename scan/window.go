package scan

import (
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/inject"
	"github.com/lessons-cli/lessons/internal/shellwords"
	"github.com/lessons-cli/lessons/scan/transcript"
)

const (
	// windowSize is how many events back a detector can see.
	windowSize = 256
	// keepBytes is how much of a text stays in the window once it is not the
	// newest any more.
	keepBytes = 32 << 10
	// maxQuery is the longest input that is kept of tools with other arguments.
	maxQuery = 2 << 10
	// lookCalls and lookTime bound how far back a fix may lie from its error
	// (algorithms section 5).
	lookCalls = 8
	lookTime  = 30 * time.Minute
	// lookFar is how many calls back a failure may lie that edits mended, and
	// lookSteps how many events: so far from the window's end everything that
	// judges a result is in the window too.
	lookFar   = 24
	lookSteps = 140
)

// Step is one event in the window, with what detectors ask of it.
type Step struct {
	transcript.Event
	seq int // position in the file

	// Of calls.
	Command  string // of shell tools
	Path     string // of file tools, as the agent wrote it
	Old, New string // of edits; Old is empty for writes
	// What the agent said that the call is for, and, of tools that neither run
	// commands nor edit, what it asked for.
	Description, Query string
	call               *Step // of results
	end                *Step // of calls: their result or refusal, once it is there

	// What detectors asked before; a text is read once.
	shell    *shellScript
	commands []*shellwords.Command
	parsed   bool
	held     *inject.Held
	taught   map[int]*synthesis // by the number of the call that may mend it
	fault    *fault
	judged   bool
	// excused says that a result is a failure that was meant to be seen.
	excused bool
	heard   *speech // of a person's words
	told    *reply  // of the agent's text
	claimed *claimed
	again   again // of commands
}

// Window holds the last events of one file, newest last. Detectors read it.
type Window struct {
	steps []*Step
	seq   int
	calls map[string]*Step // by tool-use id, of calls in the window
	talk  talk
}

// NewWindow returns an empty window.
func NewWindow() *Window { return &Window{calls: map[string]*Step{}} }

// Push adds the next event of the file.
func (w *Window) Push(e transcript.Event) {
	if n := len(w.steps); n > 0 {
		w.steps[n-1].shrink()
	}
	if len(w.steps) == windowSize {
		oldest := w.steps[0]
		if w.calls[oldest.ToolUse] == oldest {
			delete(w.calls, oldest.ToolUse)
		}
		copy(w.steps, w.steps[1:])
		w.steps = w.steps[:windowSize-1]
	}
	s := &Step{Event: e, seq: w.seq}
	w.seq++
	switch e.Kind {
	case transcript.ToolCall:
		s.readInput()
		if e.ToolUse != "" {
			w.calls[e.ToolUse] = s
		}
	case transcript.ToolResult, transcript.Rejection:
		s.shrink() // what is judged now and what is judged after a resumed scan must be one text
		s.call = w.calls[e.ToolUse]
		if s.call != nil {
			s.call.end = s
			s.Tool = s.call.Tool
		} else {
			s.Tool = "" // a tool seen outside of the window is not known to a scan that starts here
		}
	}
	w.steps = append(w.steps, s)
	if s.Agent == "" {
		w.talk.add(s)
	}
}

// Last returns the newest step.
func (w *Window) Last() *Step { return w.steps[len(w.steps)-1] }

// Oldest returns the oldest step.
func (w *Window) Oldest() *Step { return w.steps[0] }

// Call returns the call that a result belongs to, or nil when it lies outside
// of the window.
func (w *Window) Call(result *Step) *Step {
	if result.call == nil || result.call.seq < w.steps[0].seq {
		return nil
	}
	return result.call
}

// Back yields the steps of one thread before the newest, newest first.
func (w *Window) Back(agent string) func(yield func(*Step) bool) {
	return w.before(w.Last(), agent)
}

// before yields the steps of one thread before a step of the window.
func (w *Window) before(s *Step, agent string) func(yield func(*Step) bool) {
	return func(yield func(*Step) bool) {
		for i := s.seq - w.steps[0].seq - 1; i >= 0; i-- {
			if w.steps[i].Agent == agent && !yield(w.steps[i]) {
				return
			}
		}
	}
}

// shellTools are the agents' names of the tool that runs a command line.
var shellTools = map[string]bool{
	"Bash": true, "PowerShell": true, "bash": true, "shell": true, "shell_command": true,
	"exec_command": true, "run_shell_command": true, "local_shell": true,
}

func isShell(tool string) bool { return shellTools[tool] }

// isEdit says whether a tool changes a file.
func isEdit(tool string) bool {
	switch tool {
	case "Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch", "replace", "write_file", "edit", "write":
		return true
	}
	return false
}

// readInput takes from a call's input what detectors need.
func (s *Step) readInput() {
	edits := isEdit(s.Tool)
	in := transcript.ReadArguments(s.Input, edits)
	switch {
	case isShell(s.Tool):
		s.Description = keep(in.Description)
	case !edits:
		s.Query = queryOf(s.Input)
	}
	s.Input = nil
	s.Path = strings.ReplaceAll(in.Path, `\`, "/")
	if isShell(s.Tool) {
		s.Command = commandOf(in)
	}
	if !edits {
		return
	}
	s.Old, s.New = in.Old, in.New
	for _, e := range in.Edits {
		s.Old += e.Old + "\n"
		s.New += e.New + "\n"
	}
	s.Old, s.New = keep(s.Old), keep(s.New)
}

// queryOf keeps what a tool was asked for, or, of long inputs, a mark by which
// two can be told apart.
func queryOf(input []byte) string {
	if len(input) <= maxQuery {
		return string(input)
	}
	h := fnv.New64a()
	_, _ = h.Write(input)
	return strconv.FormatUint(h.Sum64(), 36)
}

// commandOf is a command given as one string or as an argument vector.
func commandOf(in transcript.Arguments) string {
	argv := in.Argv
	if len(argv) == 3 && strings.HasPrefix(argv[1], "-") && strings.HasSuffix(argv[1], "c") {
		return keep(argv[2]) // bash -lc 'line'
	}
	if len(argv) > 0 {
		return keep(strings.Join(argv, " "))
	}
	return keep(in.Command)
}

func keep(s string) string {
	if len(s) > keepBytes {
		return ""
	}
	return s
}

// shrink frees what only the newest step needs. Long texts lose their middle at
// line boundaries, so that no secret is cut in two where its rule no longer
// sees it.
func (s *Step) shrink() {
	s.Text = middleOut(s.Text, keepBytes)
}

// middleOut returns at most n bytes of a text, in whole lines of its beginning
// and its end. A line that is longer than half of n is left out whole.
func middleOut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	head, tail := text[:n/2], text[len(text)-n/2:]
	head = head[:strings.LastIndexByte(head, '\n')+1]
	tail = tail[strings.IndexByte(tail, '\n')+1:]
	if len(tail) == n/2 {
		tail = ""
	}
	return strings.Clone(head + tail)
}
