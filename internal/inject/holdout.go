package inject

import (
	"crypto/sha256"
	"encoding/binary"
)

// Withheld says whether a lesson is left untold in a session, so that sessions which were
// told it can be compared with sessions which were not. The names alone decide: each hook
// of a session says the same.
func Withheld(session, lesson string, percent int) bool {
	if percent <= 0 || session == "" {
		return false
	}
	sum := sha256.Sum256([]byte("holdout\x00" + session + "\x00" + lesson))
	return binary.BigEndian.Uint64(sum[:8])%100 < uint64(percent)
}

// withholds: guards and critical lessons are never withheld, and what has no file is no
// lesson.
func (in Input) withholds(l Lesson) bool {
	return l.HasFile() && critical(l) == 0 && Withheld(in.Session.key, l.ID, in.Settings.Holdout)
}

// delivery is the record of a lesson that was told, or would have been.
func (in Input) delivery(l Lesson, text string, withheld bool) Trace {
	t := Trace{
		At: in.Now, Act: ActTold, Moment: in.At, Lesson: l.ID, Bytes: len(text), Score: in.Scores[l.ID],
		Session: in.Name, Call: in.Call,
	}
	if withheld {
		t.Act, t.Bytes = ActWithheld, 0
	}
	return t
}
