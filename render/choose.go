package render

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// mainKind is the artifact that the type of an observation calls for, or the
// empty kind: a mistake that a lesson can tell is that lesson and nothing else.
func mainKind(o *observe.Observation) knowledge.Kind {
	if o.Type == knowledge.Pitfall && asksForLesson(o) {
		return ""
	}
	return o.Type.Kind()
}

// pathLike says whether a word is a relative path or a file name.
func pathLike(word string) bool {
	if strings.Contains(word, "://") || strings.HasPrefix(word, "-") || strings.ContainsAny(word, "*?<>|&=$~{}") {
		return false
	}
	if strings.Contains(strings.Trim(word, "/"), "/") || strings.HasSuffix(word, "/") {
		return true
	}
	dot := strings.LastIndexByte(word, '.')
	return dot > 0 && dot < len(word)-1 && strings.Trim(word[dot+1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// asksForLesson says whether the observation has a trigger by which a lesson can be
// delivered, or is an instruction, which else is told when a session starts.
func asksForLesson(o *observe.Observation) bool {
	return lesson.CanonicalTrigger(o.Delivery()) != "" || o.Instructs()
}

// lessonDue says whether the lesson may be written: also before the count of
// its observation suffices for anything else, then perhaps as a draft.
func lessonDue(o *observe.Observation) bool {
	return o.Worthy() || o.Recorded == observe.RecordedManual
}

// proposes says whether a decision is written before enough sessions took it: with a
// reason, and as a proposal.
func proposes(o *observe.Observation) bool {
	return o.Type == knowledge.Decision && o.Status == observe.Observing && o.Observations > 0 && o.Proposable() && givesReason(prepare(o).phrased())
}

// diverges says whether members of an observation decided different things under one
// title.
func diverges(o *observe.Observation) bool {
	return o.Type == knowledge.Decision && slices.ContainsFunc(o.Others, func(p observe.Pair) bool { return observe.Diverge(o.Fix, p.Fix) })
}

// givesReason says whether a decision says why: in its rationale
// or consequences, or in a clause of its text.
func givesReason(m material) bool {
	if m.part("rationale", "consequences") != "" {
		return true
	}
	text := " " + strings.ToLower(prose.OneLine(m.o.Pattern+" "+stored.text(m.o.Details))) + " "
	return slices.ContainsFunc([]string{" because ", " so that ", " in order to ", " since ", " due to ", " otherwise "}, func(clause string) bool {
		return strings.Contains(text, clause)
	})
}
