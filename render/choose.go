package render

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// mainKind is the artifact that the type of an observation calls for, or the
// empty kind: a mistake with a command or tool trigger is a lesson, and a
// pitfall entry too only where it names an area of this repository (rulings 18).
func mainKind(o *observe.Observation) knowledge.Kind {
	switch o.Type {
	case knowledge.Workflow:
		return knowledge.KindCommand
	case knowledge.Procedural:
		return knowledge.KindSkill
	case knowledge.Decision:
		return knowledge.KindADR
	case knowledge.Pitfall:
		if o.Instructs() {
			return "" // a lesson alone, whatever it names
		}
		if !meetsCalls(o.Trigger) || namesArea(o) {
			return knowledge.KindPF
		}
	}
	return ""
}

// meetsCalls says whether the trigger names commands or tools.
func meetsCalls(t *lesson.Trigger) bool {
	return t != nil && len(t.Tools)+len(t.Commands)+len(t.CommandPatterns) > 0
}

// namesArea says whether a pitfall is about a place in the repository: a path
// in its trigger, or an area that is a path or is written as code, and is not
// only the name of the program or tool.
func namesArea(o *observe.Observation) bool {
	if slices.ContainsFunc(o.Trigger.Paths, placed) {
		return true
	}
	for word := range strings.FieldsSeq(observe.ParseDetails(o.Details)["area"]) {
		code := strings.HasPrefix(word, "`")
		word = strings.Trim(word, "`\"'(),;:")
		if word == "" || slices.Contains(callNames(o.Trigger), strings.ToLower(word)) {
			continue
		}
		if code || pathLike(word) {
			return true
		}
	}
	return false
}

// placed says whether a glob names a place: one that begins with a wildcard is
// about files everywhere.
func placed(glob string) bool {
	first, _, _ := strings.Cut(glob, "/")
	return first != "" && !strings.ContainsAny(first, "*?[{")
}

// pathLike says whether a word is a relative path or a file name.
func pathLike(word string) bool {
	if strings.Contains(word, "://") || strings.HasPrefix(word, "-") {
		return false
	}
	if strings.Contains(strings.Trim(word, "/"), "/") || strings.HasSuffix(word, "/") {
		return true
	}
	dot := strings.LastIndexByte(word, '.')
	return dot > 0 && dot < len(word)-1 && strings.Trim(word[dot+1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// callNames are the programs and tools of a trigger, in lower case.
func callNames(t *lesson.Trigger) []string {
	var names []string
	for _, text := range slices.Concat(t.Tools, t.Commands) {
		for word := range strings.FieldsSeq(text) {
			names = append(names, strings.ToLower(word))
		}
	}
	return names
}

// asksForLesson says whether the observation has a trigger by which a lesson can be
// delivered, or is an instruction, which else is told when a session starts.
func asksForLesson(o *observe.Observation) bool {
	return lesson.CanonicalTrigger(o.Trigger) != "" || o.Instructs()
}

// lessonDue says whether the lesson may be written: also before the count of
// its observation suffices for anything else (rulings 13), then perhaps as a draft.
func lessonDue(o *observe.Observation) bool {
	return o.Worthy() || o.Recorded == observe.RecordedManual
}

// proposes says whether a decision is written before enough sessions took it: with a
// reason, and as a proposal.
func proposes(o *observe.Observation) bool {
	return o.Type == knowledge.Decision && o.Status == observe.Observing && o.Observations > 0 && o.Worthy() && givesReason(prepare(o))
}

// givesReason says whether a decision says why (rulings 17): in its rationale
// or consequences, or in a clause of its text.
func givesReason(m material) bool {
	if m.part("rationale", "consequences") != "" {
		return true
	}
	text := " " + strings.ToLower(oneLine(m.o.Pattern+" "+clean(m.o.Details))) + " "
	for _, clause := range []string{" because ", " so that ", " in order to ", " since ", " due to ", " otherwise "} {
		if strings.Contains(text, clause) {
			return true
		}
	}
	return false
}
