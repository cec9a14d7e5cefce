package check

import (
	"cmp"
	"slices"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// arms names what a change lets act on agents: it is not wrong, and whoever reviews the
// change is to look at it.
func (c *checker) arms() {
	for _, a := range c.Added {
		switch {
		case a.Path == config.File:
			c.weaker(a)
		case isLesson(a):
			c.armed(a)
			c.shadows(a)
			c.disarmed(a)
		}
	}
}

// notice is something that whoever reviews a change is to look at.
func notice(path string, line int, rule, text string) knowledge.Problem {
	return knowledge.Problem{Path: path, Line: line, Rule: rule, Text: text, Notice: true}
}

// armed says what a new or changed lesson may do that it could not before.
func (c *checker) armed(a Added) {
	change := changedLesson(a)
	now, was := change.Lesson, cmp.Or(change.Was, &lesson.Lesson{})
	if now == nil || now.Status == lesson.Archived {
		return
	}
	changed := was.Status != now.Status || now.WordsHash() != was.WordsHash()
	for _, arm := range []struct {
		has        func(*lesson.Lesson) bool
		rule, text string
	}{
		{critical, "new-critical", "a critical lesson: every session starts with it, once it is trusted"},
		{(*lesson.Lesson).Statement, "new-instruction", "an instruction for no call in particular: every session starts with it, once it is trusted"},
		{Holds, "new-guard", "it may hold calls back or change them, once it is trusted"},
		{stops, "new-stop", "it stops the first such call of a session, once it is trusted"},
	} {
		if arm.has(now) && (changed || !arm.has(was)) {
			c.notice(a.Path, 1, arm.rule, arm.text)
		}
	}
}

func critical(l *lesson.Lesson) bool { return lesson.LevelOf(l.Priority) == lesson.Critical }

func stops(l *lesson.Lesson) bool { return l.Action == lesson.ActionStopOnce && !Holds(l) }

// shadows names the lessons, of the repository or of whoever checks, that a new lesson may
// take the place of or speak beside.
func (c *checker) shadows(a Added) {
	change := changedLesson(a)
	now, was := change.Lesson, cmp.Or(change.Was, &lesson.Lesson{})
	if now == nil {
		return
	}
	trigger := lesson.CanonicalTrigger(&now.Triggers)
	for _, other := range slices.Concat(c.Snapshot.Lessons, c.Personal) {
		switch {
		case other.Path == a.Path || other.Status != lesson.Active:
		case now.ID == other.ID && now.ID != was.ID:
			c.notice(a.Path, 1, "new-shadow", "it has the id of "+other.Path+", and may take its place")
		case now.Status != lesson.Archived && trigger != "" && trigger == lesson.CanonicalTrigger(&other.Triggers) && trigger != lesson.CanonicalTrigger(&was.Triggers):
			c.notice(a.Path, 1, "new-shadow", "it fires on the calls of "+other.Path)
		}
	}
}

// disarmed says what a lesson may no longer do that it could before.
func (c *checker) disarmed(a Added) {
	change := changedLesson(a)
	was, now := change.Was, change.Lesson
	text := ""
	switch {
	case was == nil, was.Status != lesson.Active, a.Text == nil && moved(c.Input, was):
		return
	case a.Text == nil:
		text = "an active lesson is removed: agents are not told of it any more"
	case now == nil:
		text = "an active lesson cannot be read any more"
	case now.Status != lesson.Active:
		text = "an active lesson becomes " + now.Status
	case Holds(was) && !Holds(now):
		text = "it held calls back, and only informs or stops once now"
	case was.Action != now.Action && now.Action == lesson.ActionInform:
		text = "it may stop no call any more"
	case now.Priority < was.Priority && lesson.LevelOf(now.Priority) != lesson.LevelOf(was.Priority):
		text = "its priority falls from " + string(lesson.LevelOf(was.Priority)) + " to " + string(lesson.LevelOf(now.Priority))
	default:
		return
	}
	c.notice(a.Path, 1, "weaker-lesson", text)
}

// Holds says whether a lesson may do more to a call than stop it once.
func Holds(l *lesson.Lesson) bool {
	_, guard, err := compile.Guard(l)
	return guard || err != nil || slices.Contains([]string{lesson.ActionAsk, lesson.ActionDeny, lesson.ActionRewrite}, l.Action)
}

// weaker names the settings that protect less than before.
func (c *checker) weaker(a Added) {
	read := func(data []byte) config.Config {
		c, _, err := config.Read(config.Default(), config.File, data, false)
		if data == nil || err != nil {
			return config.Default()
		}
		return c
	}
	for _, key := range config.Weaker(read(a.Before), read(a.Text)) {
		c.notice(a.Path, config.LineOf(a.Text, key), "weaker-settings", key+" protects less than before; it does not hold in a clone before it is trusted there")
	}
}
