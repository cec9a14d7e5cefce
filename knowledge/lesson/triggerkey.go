package lesson

import (
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
)

// CanonicalTrigger is the text by which two triggers are the same: the hard
// slots with their elements trimmed, sorted and unique. The soft slots
// (keywords, context) count only where no hard slot is declared, and unless
// never: it says when the trigger is silent and follows from the fix. The
// empty text means that nothing is declared.
func CanonicalTrigger(t *Trigger) string {
	if t == nil {
		return ""
	}
	hard := slotTexts(
		slot{"tools", t.Tools, false}, slot{"commands", t.Commands, false},
		slot{"commandPatterns", t.CommandPatterns, false}, slot{"paths", t.Paths, false},
		slot{"content", t.Content, false}, slot{"agents", t.Agents, false})
	if hard != "" {
		return hard
	}
	return slotTexts(slot{"keywords", t.Keywords, true}, slot{"context", t.Context, true})
}

// TriggerHash is a hash of the canonical trigger, under which projects are
// counted that met it. It is empty when nothing is declared.
func TriggerHash(t *Trigger) string {
	text := CanonicalTrigger(t)
	if text == "" {
		return ""
	}
	return knowledge.Digest("", 16, "trigger", text)
}

type slot struct {
	name     string
	elements []string
	fold     bool // case does not matter
}

func slotTexts(slots ...slot) string {
	var texts []string
	for _, s := range slots {
		var elements []string
		for _, e := range s.elements {
			if e = strings.Join(strings.Fields(e), " "); s.fold {
				e = strings.ToLower(e)
			}
			if e != "" {
				elements = append(elements, e)
			}
		}
		if len(elements) > 0 {
			texts = append(texts, s.name+"="+strings.Join(ordered.Set(elements), "\x1f"))
		}
	}
	return strings.Join(texts, "\x1e")
}
