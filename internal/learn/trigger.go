package learn

import (
	"encoding/json"
	"fmt"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// proposed reads a trigger that a model proposes: a command, several, or the
// slots of a lesson. nil: it proposes none that can be read.
func (it Item) proposed() *lesson.Trigger {
	t := &lesson.Trigger{}
	if commands := texts(it.Trigger); len(commands) > 0 {
		t.Commands = commands
	} else if json.Unmarshal(it.Trigger, t) != nil {
		return nil
	}
	t.Unless = append(t.Unless, texts(it.Unless)...)
	if lesson.CanonicalTrigger(t) == "" {
		return nil
	}
	return t
}

// texts reads a text, or a list of them.
func texts(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil && one != "" {
		return []string{one}
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

// checkTrigger checks a proposed trigger against the calls that are known to be the
// mistake and to be right. It is used for nothing more: one that does not hold
// shows that the episode was not understood.
func (e Episode) checkTrigger(t *lesson.Trigger) error {
	if t == nil || e.examples.IsZero() {
		return nil
	}
	fires, _ := compile.Matcher(t) // what is wrong with it makes it silent
	for _, call := range e.examples.Match {
		if !fires(call) {
			return fmt.Errorf("trigger is silent on the mistake, %q: leave trigger out, or mend it", call)
		}
	}
	for _, call := range e.examples.Miss {
		if fires(call) {
			return fmt.Errorf("trigger fires on what is right, %q: leave trigger out, or mend it", call)
		}
	}
	return nil
}
