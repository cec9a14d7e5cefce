// Package calls is the compact log of tool calls: what was called, how it ended, and
// which failure it mended. One file holds one session. Everything that is derived of
// calls (problems, what triggers hit, replay) is derived from this log when it is read,
// so no order and no split of scans can change it.
package calls

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/lessons-cli/lessons/knowledge"
)

// Outcome is how a call ended, as far as it counts.
type Outcome string

const (
	OK          Outcome = "ok"
	Failed      Outcome = "failed"
	Masked      Outcome = "masked"      // a pipe or "|| true" hides the exit status
	Refused     Outcome = "refused"     // by a person or a policy
	Stopped     Outcome = "stopped"     // by a lesson
	Interrupted Outcome = "interrupted" // by a person, or because another call failed
	Unknown     Outcome = "unknown"     // nobody knows, or it was meant to fail
)

// Call is one tool call of a session. Who makes one redacts its texts.
type Call struct {
	ID      string   `json:"id"`            // within its session, the same in every copy of it
	Line    int      `json:"l"`             // of the result in its file
	At      int64    `json:"t"`             // of the result, Unix milliseconds; 0: not known
	Took    int64    `json:"ms,omitempty"`  // from call to result, in milliseconds
	Bytes   int      `json:"n,omitempty"`   // of the result
	Agent   string   `json:"a,omitempty"`   // sub-agent, hashed; empty: the main thread
	Tool    string   `json:"tool"`          // in the common vocabulary: Bash, Edit, Read, Skill
	Input   string   `json:"in,omitempty"`  // command line, path, or what was asked for
	Dir     string   `json:"dir,omitempty"` // working directory below the root; "..": outside
	Outcome Outcome  `json:"o"`
	Warned  bool     `json:"w,omitempty"`     // it worked, and warned
	Out     string   `json:"out,omitempty"`   // the line that warns, or what somebody told of the result
	Failure *Failure `json:"f,omitempty"`     // where the result says that it failed
	Mends   []Mend   `json:"m,omitempty"`     // failures that it mended, by their calls
	Fired   []string `json:"fired,omitempty"` // lessons that stopped it
}

// IDOf names a call within its session by the agent's own id of it, or by its line
// where there is none: copies of the session give it the same name.
func IDOf(toolUse string, line int) string {
	if toolUse == "" {
		return "l" + strconv.Itoa(line)
	}
	return knowledge.CallHash(toolUse)
}

// Failure is what a call that failed says of it.
type Failure struct {
	Problem string            `json:"p"`                // the problem's id
	Program string            `json:"prog,omitempty"`   // of a command line, the program that failed
	Target  string            `json:"target,omitempty"` // sub-command, script, package script, skill, path that is not there
	Class   string            `json:"class,omitempty"`
	Line    string            `json:"say,omitempty"`   // the line of the output that says what is wrong
	Rules   map[string]string `json:"rules,omitempty"` // of a linter or compiler, each with a line that says so
}

// Mend is how a call mended one that failed.
type Mend struct {
	Call  string `json:"c"`               // id of the failed call
	How   How    `json:"how"`             // in what way
	Fix   string `json:"fix,omitempty"`   // in words
	Named bool   `json:"named,omitempty"` // the failure names what it changed
	Rule  string `json:"rule,omitempty"`  // which of the failure's rules the fix follows
}

// How says in what way a mend differs from what failed.
type How string

const (
	ByArguments How = "arguments" // the same program, called in another way
	ByOther     How = "other"     // another program, script or tool
	ByRun       How = "run"       // the same call, after something else ran
	BySetting   How = "setting"   // the same call, in another folder or with another environment
	ByEdit      How = "edit"      // the same call, after files were changed
	ByTarget    How = "target"    // the same tool on another file or for something else
)

// Session is what the log knows of one session.
type Session struct {
	Name  string // hashed
	Calls []Call // by time, then line
}

// Start is when the session's first call that has a time ended, in Unix milliseconds; 0: not known.
func (s *Session) Start() int64 {
	for _, c := range s.Calls {
		if c.At != 0 {
			return c.At
		}
	}
	return 0
}

// Spans says whether a moment lies within the session, as far as its calls tell, or
// shortly around it.
func (s *Session) Spans(at time.Time) bool {
	if len(s.Calls) == 0 {
		return false
	}
	const around = 10 * 60 * 1000
	ms := at.UnixMilli()
	return s.Start() != 0 && s.Start()-around <= ms && ms <= s.Calls[len(s.Calls)-1].At+around
}

// inOrder takes of each call what is said of it last, and sorts by time, then line.
func inOrder(all []Call) []Call {
	last := make(map[string]int, len(all))
	for i := range all {
		last[all[i].ID] = i
	}
	kept := all[:0]
	for i, c := range all {
		if last[c.ID] == i {
			kept = append(kept, c)
		}
	}
	slices.SortFunc(kept, func(a, b Call) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Line, b.Line), cmp.Compare(a.ID, b.ID))
	})
	return kept
}

// Sort puts sessions in the order in which they began.
func Sort(all []Session) {
	slices.SortFunc(all, func(a, b Session) int {
		return cmp.Or(cmp.Compare(a.Start(), b.Start()), cmp.Compare(a.Name, b.Name))
	})
}
