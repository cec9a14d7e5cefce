package review

import "slices"

// Session is a person's walk through the queue.
type Session struct {
	Waiting []Item
	At      int // the item that is shown

	undo []step
}

// step is a decision that was carried out: where its item stood, and whether it left.
type step struct {
	at   int
	left bool
	item Item
}

// Item is the one that is shown; false: nothing waits.
func (s *Session) Item() (Item, bool) {
	if s.At >= len(s.Waiting) {
		return Item{}, false
	}
	return s.Waiting[s.At], true
}

// Move goes on or back by n items, and round at the ends.
func (s *Session) Move(n int) {
	if len(s.Waiting) > 0 {
		s.At = ((s.At+n)%len(s.Waiting) + len(s.Waiting)) % len(s.Waiting)
	}
}

// Decided takes the item of a decision that was carried out from the queue. One that was
// edited stays: it is still to be accepted.
func (s *Session) Decided(d Decision) {
	at := slices.IndexFunc(s.Waiting, func(i Item) bool { return i.Place == d.Item.Place })
	if at < 0 {
		return
	}
	left := d.Verb != Edit
	s.undo = append(s.undo, step{at, left, d.Item})
	if left {
		s.Waiting = slices.Delete(s.Waiting, at, at+1)
		s.At = min(at, max(len(s.Waiting)-1, 0))
	}
}

// Undone puts the item of the last decision back where it stood, and shows it.
func (s *Session) Undone() {
	if len(s.undo) == 0 {
		return
	}
	last := s.undo[len(s.undo)-1]
	s.undo = s.undo[:len(s.undo)-1]
	if last.left {
		s.Waiting = slices.Insert(s.Waiting, min(last.at, len(s.Waiting)), last.item)
	}
	s.At = min(last.at, len(s.Waiting)-1)
}

// Decisions is how many were carried out and not taken back.
func (s *Session) Decisions() int { return len(s.undo) }
