package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// routines finds short requests that a person makes one after the other, such
// as to run the tests, to commit and to push. One session's sequence is
// nothing; it becomes a workflow when sessions on different days repeat it,
// whatever the words.
type routines struct{}

// routineLength is how many requests a sequence has. Shorter ones say too
// little, and longer ones hardly come back the same.
const routineLength = 3

func (routines) Detect(w *Window) []finding {
	now := w.Last()
	if now.Kind != transcript.User || now.Agent != "" {
		return nil
	}
	steps := routineSteps(now.speech())
	if len(steps) == 0 || describe(now.speech().words) != nil {
		return nil // workflows tell the latter
	}
	quotes := []string{now.speech().words}
	for s := range w.before(w.Last(), "") {
		if len(steps) >= routineLength || s.Kind == transcript.Compaction {
			break
		}
		if s.Kind != transcript.User || s.speech().approves {
			continue
		}
		before := routineSteps(s.speech())
		if len(before) == 0 {
			break
		}
		steps = slices.Concat(before, steps)
		quotes = append([]string{s.speech().words}, quotes...)
	}
	d := &description{steps: steps}
	d.tidy()
	if len(d.steps) < routineLength {
		return nil
	}
	d.steps = d.steps[len(d.steps)-routineLength:]
	return []finding{{
		kind: Workflow, typ: knowledge.Workflow, origin: observe.OriginUserCorrection,
		line: now.Line, at: now.Time, title: capitalised(d.title()), fix: strings.Join(d.texts(), "; "),
		items: d.texts(), quotes: []string{strings.Join(quotes, " / ")},
	}}
}

// routineWords bounds a request that is one of a routine.
const routineWords = 12

// routineSteps returns what a short message asks for, if it asks for nothing but
// steps of routines.
func routineSteps(sp *speech) []step {
	if sp.n == 0 || sp.n > routineWords || sp.objects > 0 || strings.HasSuffix(sp.words, "?") && !sp.requests {
		return nil
	}
	var steps []step
	for _, s := range sp.spoken {
		for _, c := range clausesOf(strings.TrimRight(withoutOpener(s), "?! ")) {
			st, ok := stepOf(c)
			if !ok || !routineKeys[st.key] {
				return nil
			}
			steps = append(steps, st)
		}
	}
	return steps
}

// routineKeys are the steps that any task ends or begins with.
var routineKeys = map[string]bool{
	"run tests": true, "lint": true, "format": true, "commit": true, "open a pull request": true, "force-push": true, "push": true,
	"pull": true, "rebase": true, "merge": true, "create a branch": true, "go to the main branch": true, "delete the branch": true,
	"bump the version": true, "tag": true, "update the changelog": true, "publish": true, "release": true, "deploy": true,
	"update the docs": true, "review": true, "build": true, "install": true, "generate": true,
}
