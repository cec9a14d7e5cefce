package lesson

import "time"

// Calendar is what says whether a lesson's time has come, and is over.
type Calendar struct {
	Today   string                   // YYYY-MM-DD
	Reached func(tag string) bool    // whether a git tag is an ancestor of HEAD; nil: none is
	Stands  func(lesson string) bool // whether a lesson of that id is active
}

// Term says why an active lesson is not told, or nothing, and the first day on which the
// answer changes: it is valid from and until a day or a tag, expires, and gives way to the
// active lesson that supersedes it.
func (l *Lesson) Term(c Calendar) (why, changes string) {
	early, from := c.before(l.ValidFrom)
	late, until := c.after(l.ValidUntil)
	over, expires := c.after(l.Expires)
	for _, day := range []string{from, until, expires} {
		if day != "" && (changes == "" || day < changes) {
			changes = day
		}
	}
	switch {
	case l.SupersededBy != "" && l.SupersededBy != l.ID && c.Stands != nil && c.Stands(l.SupersededBy):
		why = SupersededBy(l.SupersededBy)
	case early:
		why = "valid from " + l.ValidFrom
	case late:
		why = "valid until " + l.ValidUntil
	case over:
		why = "expired " + l.Expires
	}
	return why, changes
}

// SupersededBy says that a lesson gives way to another one.
func SupersededBy(other string) string { return "superseded by " + other }

// before says whether something begins later, and on which day.
func (c Calendar) before(bound string) (early bool, day string) {
	switch {
	case bound == "":
		return false, ""
	case !IsDate(bound):
		return !c.reached(bound), ""
	case bound > c.Today:
		return true, bound
	}
	return false, ""
}

// after says whether the last day of something is over, and on which day it will be.
func (c Calendar) after(bound string) (over bool, day string) {
	switch {
	case bound == "":
		return false, ""
	case !IsDate(bound):
		return c.reached(bound), ""
	}
	last, err := time.Parse(time.DateOnly, bound)
	if next := last.AddDate(0, 0, 1).Format(time.DateOnly); err == nil && next > c.Today {
		return false, next
	}
	return true, ""
}

func (c Calendar) reached(tag string) bool { return c.Reached != nil && c.Reached(tag) }

// IsDate says whether a bound is a day; else it is a tag.
func IsDate(bound string) bool {
	_, err := time.Parse(time.DateOnly, bound)
	return err == nil
}
