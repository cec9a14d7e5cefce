package scan

import (
	"hash/maphash"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/shell"
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
	// lookCalls and lookTime bound how far back a fix may lie from its error.
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

	call  *Step // of results
	end   *Step // of calls: their result or refusal, once it is there
	facts facts
}

// Window holds the last events of one file, newest last. Detectors read it.
type Window struct {
	steps []*Step
	seq   int
	open  []*Step // results that failed and that nothing has mended since, oldest first
	fixes []fix   // of the newest step, in the order of the failures
}

// Push adds the next event of the file.
func (w *Window) Push(e *transcript.Event) {
	if n := len(w.steps); n > 0 {
		w.steps[n-1].shrink()
	}
	if len(w.steps) == windowSize {
		*w.steps[0] = Step{seq: w.steps[0].seq} // its result or call may still point to it
		w.steps = w.steps[1:]
	}
	s := &Step{Event: *e, seq: w.seq}
	w.seq++
	switch e.Kind {
	case transcript.ToolCall:
		s.readInput()
	case transcript.ToolResult, transcript.Rejection:
		s.shrink() // what is judged now and what is judged after a resumed scan must be one text
		s.call = w.called(e.ToolUse)
		if s.call != nil {
			s.call.end = s
			s.Tool = s.call.Tool
			if e.Parsed != nil { // judging the result took it apart
				s.call.facts.line.get(func() *shell.Line { return e.Parsed })
			}
		} else {
			s.Tool = "" // a tool seen outside of the window is not known to a scan that starts here
		}
	}
	w.steps = append(w.steps, s)
	w.fixes = w.fixes[:0]
	if s.Kind == transcript.ToolResult {
		w.settle(s)
	}
}

// called returns the last call of the window with an id. It is nearly always one
// of the last steps.
func (w *Window) called(id string) *Step {
	if id == "" {
		return nil
	}
	for _, s := range slices.Backward(w.steps) {
		if s.Kind == transcript.ToolCall && s.ToolUse == id {
			return s
		}
	}
	return nil
}

// Last returns the newest step.
func (w *Window) Last() *Step { return w.steps[len(w.steps)-1] }

// Call returns the call that a result belongs to, or nil when it lies outside
// of the window.
func (w *Window) Call(result *Step) *Step {
	if result.call == nil || result.call.seq < w.steps[0].seq {
		return nil
	}
	return result.call
}

// before yields the steps of one thread before a step of the window, newest first.
func (w *Window) before(s *Step, agent string) iter.Seq[*Step] { return w.back(s.seq, agent) }

// back yields the steps of one thread before a place in the file, newest first.
func (w *Window) back(seq int, agent string) iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		for _, s := range slices.Backward(w.steps[:seq-w.steps[0].seq]) {
			if s.Agent == agent && !yield(s) {
				return
			}
		}
	}
}

// isShell says whether a tool runs a command line.
func isShell(tool string) bool { return tool == "Bash" || tool == "PowerShell" }

// isEdit says whether a tool changes a file.
func isEdit(tool string) bool {
	switch tool {
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		return true
	}
	return false
}

// readInput keeps of a call's arguments what detectors need. What few ask for
// stays in the input, unless that is long.
func (s *Step) readInput() {
	s.Path = strings.ReplaceAll(s.Path, `\`, "/")
	if isShell(s.Tool) {
		s.Command, s.Description = keep(s.Command), keep(s.Description)
		s.Input = nil
		return
	}
	s.Command, s.Description = "", ""
	switch {
	case !isEdit(s.Tool):
		if len(s.Input) > maxQuery {
			s.Input = markOf(s.Input)
		}
	case len(s.Input) > 2*keepBytes:
		s.change()
	}
}

// replacement is what a call took out of a file and put into it. Old is empty for
// writes. Of several changes each ends its line.
type replacement struct{ old, new string }

func replacementOf(in transcript.Change) replacement {
	e := replacement{in.Old, in.New}
	for _, one := range in.Edits {
		e.old += one.Old + "\n"
		e.new += one.New + "\n"
	}
	return replacement{keep(e.old), keep(e.new)}
}

// query is what a tool was asked for that neither runs commands nor edits, or,
// of long inputs, a mark by which two can be told apart.
func (s *Step) query() []byte {
	if isEdit(s.Tool) {
		return nil
	}
	return s.Input
}

var markSeed = maphash.MakeSeed() // two marks are compared within one window

func markOf(input []byte) []byte {
	return strconv.AppendUint(nil, maphash.Bytes(markSeed, input), 36)
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
	s.Text = MiddleOut(s.Text, keepBytes)
}

// MiddleOut returns at most n bytes of a text, in whole lines of its beginning
// and its end. A line that is longer than half of n is left out whole.
func MiddleOut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	head, tail := text[:n/2], text[len(text)-n/2:]
	head = head[:strings.LastIndexByte(head, '\n')+1]
	tail = tail[strings.IndexByte(tail, '\n')+1:]
	if len(tail) == n/2 {
		tail = ""
	}
	if head == "" || tail == "" {
		return strings.Clone(head + tail) // what is left out must not be kept
	}
	return head + tail
}
