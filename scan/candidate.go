package scan

import (
	"time"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// Kind names the detector's claim: what a candidate is.
type Kind string

const (
	SelfReport     Kind = "self-report"     // #lesson or #decision of the agent
	Block          Kind = "block"           // [PROCESS_KNOWLEDGE] of the agent
	Note           Kind = "note"            // what the agent means to hold to, in its own words
	ErrorFix       Kind = "error-fix"       // a tool failed, a changed call worked
	Hang           Kind = "hang"            // a call timed out or never came back
	SelfDiagnosis  Kind = "self-diagnosis"  // the agent names a cause
	UserCorrection Kind = "user-correction" // the person says that something is wrong
	Decision       Kind = "decision"        // the person settles a question
	Instruction    Kind = "instruction"     // the person says how things are done
	Workflow       Kind = "workflow"        // the person describes ordered steps
)

// Candidate is something a session may teach, as `lessons scan --json` prints
// it. All texts are redacted.
type Candidate struct {
	File       string          `json:"file"`
	Line       int             `json:"line"`                 // of the fix or the words; 1-based, 0-based message index in one-object files
	ErrorLine  *int            `json:"error_line,omitempty"` // of the failing result or the refused call
	Kind       Kind            `json:"kind"`
	Tool       string          `json:"tool,omitempty"`
	Trigger    *lesson.Trigger `json:"trigger,omitempty"`
	Mistake    string          `json:"mistake,omitempty"`
	Fix        string          `json:"fix,omitempty"`
	Confidence float64         `json:"confidence"` // the lesson's, 0..1
	Priority   int             `json:"priority"`   // 1..10
	Why        []string        `json:"why"`        // every term of the two scores
	Unfit      string          `json:"unfit,omitempty"`
	// Observation is the id of the observation that took the evidence.
	Observation string `json:"observation"`
}

// finding is what a detector yields: raw text of the session that has not been
// redacted and therefore never leaves this package.
type finding struct {
	kind      Kind
	line      int
	errorLine int // 0: none
	at        time.Time
	tool      string

	typ       knowledge.Type
	origin    observe.Origin
	title     string // empty: made from the mistake
	area      string // path in the repository that the finding is about
	mistake   string
	mistaken  string // the mistake in words that are the same in every session; empty: as in mistake
	fix       string
	context   string   // of decisions
	rationale string   // of decisions
	parts     []string // names and texts of further details, in turn
	quotes    []string
	trigger   *lesson.Trigger
	examples  lesson.Examples
	failure   *fingerprint.Failure // raw, of a call that failed
	tags      []string
	marks     []observe.Mark
	unfit     string // what it lacks to be written down
	judged    bool   // package statement read it, and says what it lacks
	written   bool   // the repository says it because the person wanted it
	mend      *mend  // of a call that failed
	rule      string // of a linter or compiler, that was broken
	meant     bool   // the fix is another spelling of what failed

	lessonKind lesson.Kind
	level      lesson.Level
	items      []string

	// A finding may also be one of these two, and nothing else.
	cancel string // takes back this session's lessons that begin so
	flaw   *Flaw  // a tagged block that cannot be read
}

// mend is the part of a fix that the call log keeps beside the call that worked.
type mend struct {
	call  string // that failed
	how   calls.How
	named bool   // the failure names what it changed
	rule  string // that was followed, where the failure is a linter's or compiler's
}

// Detector looks for one kind of event. Detect is called after each event of a
// session, in order, and says what that event completes. It must be a function
// of the window alone: no state, no clock, and no second answer for what an
// earlier event completed.
type Detector interface {
	Detect(w *Window) []finding
}

// listeners returns the detectors that answer to a kind of event, in the order in
// which their findings are recorded.
func listeners(kind transcript.EventKind) []Detector {
	switch kind {
	case transcript.Assistant:
		return ofAssistants[:]
	case transcript.ToolCall:
		return ofCalls[:]
	case transcript.ToolResult:
		return ofResults[:]
	case transcript.User:
		return ofPersons[:]
	case transcript.Rejection:
		return ofRejections[:]
	}
	return nil
}

var (
	ofAssistants = [...]Detector{reports{}, notes{}, corrections{}, diagnoses{}, decisions{}}
	ofCalls      = [...]Detector{corrections{}, diagnoses{}, statements{}}
	ofResults    = [...]Detector{errorFixes{}, hangs{}, decisions{}}
	ofPersons    = [...]Detector{hangs{}, interrupts{}, statements{}, decisions{}, workflows{}, routines{}}
	ofRejections = [...]Detector{rejections{}, statements{}, decisions{}}
)
