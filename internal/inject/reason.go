package inject

import "fmt"

// Slot is a part of a trigger.
type Slot string

const (
	SlotTools    Slot = "tools"
	SlotCommands Slot = "commands"
	SlotPatterns Slot = "commandPatterns"
	SlotUnless   Slot = "unless"
	SlotPaths    Slot = "paths"
	SlotContent  Slot = "content"
	SlotAgents   Slot = "agents"
	SlotKeywords Slot = "keywords"
	SlotContext  Slot = "context"
	SlotEvidence Slot = "evidence"
	SlotTrigger  Slot = "trigger" // the trigger as a whole
)

// Reason says why a slot let a lesson through, or did not.
type Reason struct {
	Slot    Slot
	OK      bool
	Element string // of the trigger: what matched, or all that could have
	Value   string // of the call
	Note    string // when the two do not say enough
}

func (r Reason) String() string {
	verb := "matched"
	switch {
	case r.Slot == SlotUnless && r.OK:
		verb = "does not hold"
	case r.Slot == SlotUnless:
		verb = "holds"
	case !r.OK:
		verb = "did not match"
	}
	s := fmt.Sprintf("%s %s", r.Slot, verb)
	if r.Element != "" {
		s += ": " + r.Element
	}
	if r.Value != "" {
		s += " in " + r.Value
	}
	if r.Note != "" {
		s += " (" + r.Note + ")"
	}
	return s
}

// Match is a lesson held against a call.
type Match struct {
	Lesson  Lesson
	Rank    int  // in the index, from 0
	OK      bool // it belongs to the call
	Reasons []Reason
	Command string // the simple command that it is about, as written

	Score    *Score         // of [ScoringSeed] only
	Evidence *EvidenceScore // of [ScoringEvidence] only, when the trigger matched
}

// Arithmetic is the score as a sum that a reader can do again; empty where
// nothing is scored.
func (m *Match) Arithmetic() string {
	switch {
	case m.Score != nil:
		return m.Score.String()
	case m.Evidence != nil:
		return m.Evidence.String()
	}
	return ""
}

// refusal returns the first reason that speaks against the match.
func (m *Match) refusal() (Reason, bool) {
	for _, r := range m.Reasons {
		if !r.OK {
			return r, true
		}
	}
	return Reason{}, false
}

// Why is the match in one line, for people.
func (m *Match) Why() string {
	if r, refused := m.refusal(); refused && !m.OK {
		return r.String()
	}
	s := ""
	for _, r := range m.Reasons {
		if s != "" {
			s += "; "
		}
		s += r.String()
	}
	return s
}
