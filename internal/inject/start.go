package inject

import "github.com/lessons-cli/lessons/internal/lists"

// Started is a lesson in the text that a session starts with, and its size there.
type Started struct {
	Lesson string
	Bytes  int
}

// NoteStart records which lessons the session was told when it started; name is its own in
// the call log.
func (s *Session) NoteStart(name string, at int64, told []Started) {
	all := lists.Map(told, func(l Started) Trace {
		return Trace{At: at, Act: ActTold, Moment: AtStart, Lesson: l.Lesson, Bytes: l.Bytes, Session: name}
	})
	_ = s.Note(all...) // a count that is missing
}
