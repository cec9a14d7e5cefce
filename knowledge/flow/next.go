package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// Step is what there is to do.
type Step string

const (
	Initialise Step = "initialise"
	Code       Step = "code"
	Test       Step = "test"
	Retry      Step = "retry"
	Block      Step = "block"
	Rollback   Step = "rollback" // an agent had the time that its hand-off gave, and did not finish
	Done       Step = "done"
	Error      Step = "error" // the feature list has to be mended first
)

// maxRetries is how often a feature's tests may fail before it is blocked.
const maxRetries = 2

// Action is the next step of a flow.
type Action struct {
	Step    Step     `json:"action"`
	Feature string   `json:"feature,omitempty"`
	Agent   string   `json:"agent,omitempty"` // whom to give it to; empty: nobody
	Failure string   `json:"last_failure,omitempty"`
	Blocked []string `json:"blocked,omitempty"` // features, when all is done
	Says    string   `json:"says"`
}

// Next says what to do, by the feature list alone: what was begun comes before what is
// pending, and both in the order of the list.
func Next(features []Feature, faults []Fault) Action {
	if len(faults) > 0 {
		return Action{Step: Error, Says: faults[0].String() + ". To mend it, " + faults[0].Next + "."}
	}
	if len(features) == 0 {
		return Action{
			Step: Initialise, Agent: Initializer,
			Says: "There are no features yet. Give the task to " + Initializer + ", which writes " + ListPath + ".",
		}
	}
	at := slices.IndexFunc(features, func(f Feature) bool { return !f.over() && (f.Status != Pending || f.Retry > 0) })
	if at < 0 {
		at = slices.IndexFunc(features, func(f Feature) bool { return !f.over() })
	}
	if at < 0 {
		return done(features)
	}
	return features[at].next()
}

// over says whether nothing is left to do for a feature.
func (f Feature) over() bool { return f.Tested || f.Status == Blocked }

// maxShown is how many characters of a list's own texts an action repeats.
const maxShown = 300

func (f Feature) next() Action {
	a := Action{Feature: f.ID, Failure: prose.Shorten(prose.OneLine(f.LastFailure), maxShown)}
	name, failure := f.ID, ""
	if f.Description != "" {
		name += fmt.Sprintf(" (%s)", prose.Shorten(prose.OneLine(f.Description), maxShown))
	}
	if a.Failure != "" {
		failure = ". The last failure: " + a.Failure
	}
	switch {
	case f.Retry >= maxRetries:
		a.Step = Block
		a.Says = fmt.Sprintf(`The tests of %s failed %d times. Set its status to "blocked" in %s and go on with the next feature%s`, name, f.Retry, ListPath, failure)
	case f.Status == Completed:
		a.Step, a.Agent = Test, Tester
		a.Says = fmt.Sprintf("%s is coded. Give it to %s", name, Tester)
	case f.Retry > 0:
		a.Step, a.Agent = Retry, Coder
		a.Says = fmt.Sprintf("The tests of %s failed. Give it to %s again%s", name, Coder, failure)
	default:
		a.Step, a.Agent = Code, Coder
		a.Says = fmt.Sprintf("Give %s to %s", name, Coder)
	}
	a.Says = strings.TrimSuffix(a.Says, ".") + "."
	return a
}

func done(features []Feature) Action {
	blocked := lists.Filter(features, func(f Feature) bool { return f.Status == Blocked })
	a := Action{Step: Done, Blocked: lists.Map(blocked, func(f Feature) string { return f.ID })}
	a.Says = "All features are done. Report what was built."
	if len(blocked) > 0 {
		a.Says = "Nothing is left to do. Report what was built, and that these are blocked: " + strings.Join(a.Blocked, ", ") + "."
	}
	return a
}
