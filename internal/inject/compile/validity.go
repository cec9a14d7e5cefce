package compile

import (
	"time"

	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// applies says whether a lesson is to be delivered today. It also keeps the
// first day on which the answer changes.
func (c *compiler) applies(l *lesson.Lesson) bool {
	switch {
	case l.Status != lesson.Active,
		l.Confidence < c.Config.MinConfidence && l.Source != "",
		l.Priority < c.Config.MinPriority,
		l.SupersededBy != "" && c.ids[l.SupersededBy] && l.SupersededBy != l.ID:
		return false
	}
	from := c.reached(l.ValidFrom, l, "valid_from")
	until := l.ValidUntil == "" || !c.passed(l.ValidUntil, l, "valid_until")
	expires := l.Expires == "" || !c.passed(l.Expires, l, "expires")
	return from && until && expires
}

// reached says whether a date is today or earlier, or a tag is in the history.
func (c *compiler) reached(bound string, l *lesson.Lesson, key string) bool {
	if bound == "" {
		return true
	}
	if !isDate(bound) {
		return c.tag(bound, l, key)
	}
	if bound > c.Today {
		c.changes(bound)
		return false
	}
	return true
}

// passed says whether the last day of something is over, or its tag is in the
// history.
func (c *compiler) passed(bound string, l *lesson.Lesson, key string) bool {
	if !isDate(bound) {
		return c.tag(bound, l, key)
	}
	day, err := time.Parse(time.DateOnly, bound)
	if err != nil {
		return false
	}
	after := day.AddDate(0, 0, 1).Format(time.DateOnly)
	if after > c.Today {
		c.changes(after)
		return false
	}
	return true
}

func (c *compiler) changes(day string) {
	if c.until == "" || day < c.until {
		c.until = day
	}
}

func (c *compiler) tag(name string, l *lesson.Lesson, key string) bool {
	if c.Reached == nil {
		c.problem(l, "%s: %s is no date, and tags cannot be asked for here", key, name)
		return false
	}
	return c.Reached(name)
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
