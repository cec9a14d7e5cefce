// Package trace is what happened between agents and people that the next session can learn
// from: corrections, violations, decisions, approvals. Most are derived from what is known
// already, when they are asked for; agents and people add others.
package trace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/jsonlines"
	"github.com/lessons-cli/lessons/knowledge"
)

// Type is what a trace tells of.
type Type string

const (
	Correction Type = "correction" // a person said that something was wrong
	Violation  Type = "violation"  // something was done that must not be
	Decision   Type = "decision"
	Approval   Type = "approval" // a person accepted something
)

// Types are all of them.
var Types = []Type{Correction, Violation, Decision, Approval}

// Source is who saw it.
type Source string

const (
	Hook Source = "enforcement_hook"
	User Source = "user_correction"
	Auto Source = "auto_detected"
)

var sources = []Source{Hook, User, Auto}

// Trace is one such event.
type Trace struct {
	ID        string    `json:"id"`
	Project   string    `json:"project,omitempty"`
	Timestamp time.Time `json:"timestamp"`
	Type      Type      `json:"type"`
	Context   Context   `json:"context"`
	Event     Event     `json:"event"`
	Source    Source    `json:"source"`
	Session   string    `json:"session,omitempty"` // hash
	About     string    `json:"about,omitempty"`   // the lesson, entry or observation that it comes from
}

// Context is where it happened.
type Context struct {
	Agent   string `json:"agent,omitempty"`
	Feature string `json:"feature,omitempty"`
	Task    string `json:"task,omitempty"`
	Tool    string `json:"tool,omitempty"`
	Command string `json:"command,omitempty"` // the command line
	Path    string `json:"path,omitempty"`    // the file
}

// Event is what happened.
type Event struct {
	Happened string `json:"what_happened"`
	Correct  string `json:"what_was_correct,omitempty"`
	Why      string `json:"why,omitempty"`
}

// Identified is the trace with its id, which follows from what it tells.
func (t Trace) Identified() Trace {
	t.Timestamp = t.Timestamp.UTC().Truncate(time.Millisecond)
	t.ID = knowledge.Digest("trace_", 10, string(t.Type), t.Timestamp.Format(time.RFC3339Nano), t.Session, t.Context.Agent,
		t.Context.Feature, t.Context.Command, t.Context.Path, t.Event.Happened, t.About)
	return t
}

// Check says what a trace lacks that somebody stores.
func (t Trace) Check() error {
	switch {
	case !slices.Contains(Types, t.Type):
		return fmt.Errorf("type is %q, and must be one of correction, violation, decision, approval", t.Type)
	case !slices.Contains(sources, t.Source):
		return fmt.Errorf("source is %q, and must be one of enforcement_hook, user_correction, auto_detected", t.Source)
	case strings.TrimSpace(t.Event.Happened) == "":
		return fmt.Errorf("what_happened is missing")
	case (t.Type == Correction || t.Type == Violation) && t.Event.Correct == "" && t.Event.Why == "":
		return fmt.Errorf("a %s needs what_was_correct or why: else nobody can learn from it", t.Type)
	}
	return nil
}

// Parse reads stored traces, a line each. What cannot be read is skipped: it was stored by
// another version.
func Parse(data []byte) []Trace {
	return jsonlines.Read(data, func(t Trace) bool { return t.ID != "" && t.Check() == nil })
}

// Sort puts traces in order, the newest first.
func Sort(all []Trace) {
	slices.SortFunc(all, func(a, b Trace) int {
		return cmp.Or(b.Timestamp.Compare(a.Timestamp), strings.Compare(a.ID, b.ID))
	})
}

// Text is what a search looks at.
func (t Trace) Text() string {
	return strings.Join([]string{
		string(t.Type), t.Context.Agent, t.Context.Feature, t.Context.Task, t.Context.Tool, t.Context.Command, t.Context.Path,
		t.Event.Happened, t.Event.Correct, t.Event.Why,
	}, "\n")
}
