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
	OK      bool // it belongs to the call
	Reasons []Reason

	Score *Score // of [ScoringSeed] only
}

// Arithmetic is the score as a sum that a reader can do again; empty where
// nothing is scored.
func (m *Match) Arithmetic() string {
	if m.Score == nil {
		return ""
	}
	return m.Score.String()
}
