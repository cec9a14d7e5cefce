package compile

import (
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// strength orders the actions; what is unknown counts as the mildest.
var strength = []string{lesson.ActionInform, lesson.ActionStopOnce, lesson.ActionAsk, lesson.ActionDeny, lesson.ActionRewrite}

// stopFrom is the confidence from which a mistake met twice is stopped.
const stopFrom = 0.70

// declaredFrom is the least confidence of a lesson that an agent reported itself
// or a person wrote down.
const declaredFrom = 0.85

// action resolves "auto" and applies the caps of configuration and provenance.
func (c *compiler) action(l *lesson.Lesson, priority int, guards bool) string {
	action := l.Action
	auto := action == "" || action == lesson.ActionAuto
	switch {
	case !guards && slices.ContainsFunc(l.Unknown, func(k lesson.UnknownKey) bool { return k.Name == "require" }):
		return lesson.ActionInform
	case !guards && c.history(l).State == AfterFailure:
		return inject.ActionAfterFailure
	case c.unreviewed:
		return lesson.ActionInform
	case auto && guards:
		action = lesson.ActionDeny
	case auto:
		action = lesson.ActionInform
		if c.stops(l) {
			action = lesson.ActionStopOnce
		}
	}
	// What history does not suffice for informs, and so does what matters little.
	if !guards && (c.history(l).State == Informs || lesson.LevelOf(priority) == lesson.Low) {
		action = lesson.ActionInform
	}
	// A guard is trusted by itself, with what it does: the configuration can only
	// turn guards off.
	if !guards || c.Config.MaxAction == lesson.ActionInform {
		action = atMost(action, c.Config.MaxAction)
	}
	return action
}

func atMost(action, limit string) string {
	if limit == "" || limit == lesson.ActionAuto {
		return action
	}
	return strength[min(max(slices.Index(strength, action), 0), max(slices.Index(strength, limit), 0))]
}

// State is what the history of calls lets a lesson do that nobody gave an action.
type State string

const (
	Untried      State = ""              // history knows no such call: what the lesson carries decides
	Stops        State = "stops"         // the first call of a session
	Informs      State = "informs"       // before a call and after its failure
	AfterFailure State = "after-failure" // informs of a call that failed: it stopped one that worked
	Shadow       State = "shadow"        // nothing: it was wrong too often
)

// History is what the calls of the past say of a lesson.
type History struct {
	State  State
	Unless []string // words of calls that worked: the trigger leaves them out
}

func (c *compiler) history(l *lesson.Lesson) History {
	if c.History == nil {
		return History{}
	}
	return c.History(l)
}

// Capped says whether a setting keeps a lesson from the action that it names.
func Capped(l *lesson.Lesson, maxAction string) bool {
	_, guards, _ := Guard(l)
	return !guards && l.Action != lesson.ActionAuto && atMost(l.Action, maxAction) != l.Action
}

// stops says whether an automatic lesson stops the first matching call: one with a known
// fix, a structural trigger, and enough to believe it.
func (c *compiler) stops(l *lesson.Lesson) bool {
	if l.Kind == lesson.Checklist || l.Fix() == "" || !structural(&l.Triggers) {
		return false
	}
	switch c.history(l).State {
	case Stops:
		return true
	case Informs, AfterFailure, Shadow:
		return false
	}
	switch {
	case l.Source == "":
		return true // made by hand
	case l.Confidence >= declaredFrom:
		return true // also in a clone that does not have the observation
	case c.SelfReported != nil && c.SelfReported(strings.TrimPrefix(l.Source, "self-learning:")):
		return true
	}
	return l.Kind == lesson.Warning && l.Confidence >= stopFrom && l.Seen.Sessions >= 2
}

// structural says whether a trigger names a command, or a tool and files by
// their names: what a keyword or a pattern finds may be about something else.
func structural(t *lesson.Trigger) bool {
	if len(t.Commands) > 0 {
		return true
	}
	if len(t.Tools) == 0 || len(t.Paths) == 0 {
		return false
	}
	return !slices.ContainsFunc(t.Paths, func(p string) bool { return strings.ContainsAny(path.Base(p), "*?[{") })
}
