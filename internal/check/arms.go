package check

import (
	"slices"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// arms names what a change lets act on agents: it is not wrong, and whoever reviews the
// change is to look at it.
func arms(in Input) []knowledge.Problem {
	var found []knowledge.Problem
	for _, a := range in.Added {
		switch {
		case a.Path == config.File:
			found = append(found, weaker(a)...)
		case isLesson(a):
			found = append(append(found, armed(in, a)...), disarmed(in, a)...)
		}
	}
	return found
}

// armed says what a new or changed lesson may do that it could not before.
func armed(in Input, a Added) []knowledge.Problem {
	now, err := lesson.Parse(a.Path, a.Text)
	if a.Text == nil || err != nil || now.Status == lesson.Archived {
		return nil
	}
	was, err := lesson.Parse(a.Path, a.Before)
	if err != nil || a.Before == nil {
		was = &lesson.Lesson{}
	}
	var found []knowledge.Problem
	name := func(rule, text string) {
		found = append(found, knowledge.Problem{Path: a.Path, Line: 1, Rule: rule, Text: text, Notice: true})
	}
	critical := func(l *lesson.Lesson) bool { return lesson.LevelOf(l.Priority) == lesson.Critical }
	if critical(now) && (!critical(was) || was.Status != now.Status) {
		name("new-critical", "a critical lesson: every session starts with it, once it is trusted")
	}
	if holds(now) && !(holds(was) && now.WordsHash() == was.WordsHash()) {
		name("new-guard", "it may hold calls back or change them, once it is trusted")
	}
	for _, other := range in.Snapshot.Lessons {
		if other.Path == a.Path || other.Status != lesson.Active {
			continue
		}
		switch trigger := lesson.CanonicalTrigger(&now.Triggers); {
		case now.ID == other.ID && now.ID != was.ID:
			name("new-shadow", "it has the id of "+other.Path+", and may take its place")
		case trigger != "" && trigger == lesson.CanonicalTrigger(&other.Triggers) && trigger != lesson.CanonicalTrigger(&was.Triggers):
			name("new-shadow", "it fires on the calls of "+other.Path)
		}
	}
	return found
}

// disarmed says what a lesson may no longer do that it could before.
func disarmed(in Input, a Added) []knowledge.Problem {
	c := changedLesson(a)
	was, now := c.Was, c.Lesson
	text := ""
	switch {
	case was == nil, was.Status != lesson.Active, a.Text == nil && moved(in, was):
		return nil
	case a.Text == nil:
		text = "an active lesson is removed: agents are not told of it any more"
	case now == nil:
		text = "an active lesson cannot be read any more"
	case now.Status != lesson.Active:
		text = "an active lesson becomes " + now.Status
	case holds(was) && !holds(now):
		text = "it held calls back, and only informs or stops once now"
	case was.Action != now.Action && now.Action == lesson.ActionInform:
		text = "it may stop no call any more"
	case now.Priority < was.Priority && lesson.LevelOf(now.Priority) != lesson.LevelOf(was.Priority):
		text = "its priority falls from " + string(lesson.LevelOf(was.Priority)) + " to " + string(lesson.LevelOf(now.Priority))
	default:
		return nil
	}
	return []knowledge.Problem{{Path: a.Path, Line: 1, Rule: "weaker-lesson", Text: text, Notice: true}}
}

// holds says whether a lesson may do more to a call than stop it once.
func holds(l *lesson.Lesson) bool {
	_, guard, err := compile.Guard(l)
	return guard || err != nil || slices.Contains([]string{lesson.ActionAsk, lesson.ActionDeny, lesson.ActionRewrite}, l.Action)
}

// weaker names the settings that protect less than before.
func weaker(a Added) []knowledge.Problem {
	read := func(data []byte) config.Config {
		c, _, err := config.Read(config.Default(), config.File, data, false)
		if data == nil || err != nil {
			return config.Default()
		}
		return c
	}
	var found []knowledge.Problem
	for _, key := range config.Weaker(read(a.Before), read(a.Text)) {
		found = append(found, knowledge.Problem{Path: a.Path, Line: 1, Rule: "weaker-settings", Text: key + " protects less than before; it does not hold in a clone before it is trusted there", Notice: true})
	}
	return found
}
