package problem

import (
	"fmt"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/calls"
)

// Nature says what kind of cause a problem has, and thereby what may come of it.
type Nature string

const (
	Named        Nature = "named"        // the failure names the token that the mend changes
	Shape        Nature = "shape"        // the same program with other arguments
	OtherWay     Nature = "other-way"    // another program, script or tool did it
	Precondition Nature = "precondition" // something ran or was set first
	Rule         Nature = "rule"         // of a linter or compiler
	NotThere     Nature = "not-there"    // a path, skill, script, target or branch that does not exist
	Work         Nature = "work"         // tests, builds and findings that edits mend
	Unmended     Nature = "unmended"     // no mend is known
	Passing      Nature = "passing"      // the same call worked later
)

// inProgress is the class of tests, builds and checks.
const inProgress = "in-progress"

// surroundings are the classes of failures for what is not there besides the sources: the
// program did not come to its work, and an edit goes on with other work.
var surroundings = map[string]bool{"missing-dependency": true, "not-runnable": true, "environment": true}

// Surroundings says whether the problem is about what there is besides the sources.
func (p *Problem) Surroundings() bool { return surroundings[p.Class] }

// nature decides from what was seen. The order matters: what the failure says by itself
// comes before how it was mended.
func (p *Problem) nature() (Nature, string) {
	switch {
	case p.Rule != "":
		return Rule, "a rule that checks enforce"
	}
	best, ok := p.Best()
	switch {
	case p.Class == inProgress && !p.surrounded && !(ok && best.How == calls.ByArguments):
		return Work, "tests, builds and checks fail for the sources' sake"
	case p.Class == "shell-syntax":
		return Precondition, "the shell here reads such a line in a way of its own"
	case ok && best.How == calls.BySetting && (p.Class == "missing-path" || noRevision().MatchString(p.What)):
		return Precondition, "what was asked for is there, seen from another folder"
	case p.saysNotThere():
		return NotThere, "what was asked for does not exist"
	case !ok && 2*p.Passed > len(p.Failures):
		return Passing, fmt.Sprintf("the same call worked later %d of %d times", p.Passed, len(p.Failures))
	case !ok && len(p.Mends) > 0:
		return Unmended, fmt.Sprintf("the same call worked later, so %q is not what mended it", p.Mends[0].Fix)
	case !ok:
		return Unmended, "no mend is known"
	}
	if best.How == calls.ByRun && len(best.Sessions) == 1 && transient().MatchString(p.What) {
		return Passing, "it went by itself, whatever ran meanwhile"
	}
	if best.Named && replaces(best.How) {
		return Named, "the failure names what the mend changes"
	}
	switch best.How {
	case calls.ByRun:
		return Precondition, "the same call worked after something else ran"
	case calls.BySetting:
		return Precondition, "the same call worked with another environment or in another folder"
	case calls.ByEdit:
		return Work, "edits mended it"
	case calls.ByArguments:
		if ofState().MatchString(p.What) {
			return Precondition, "it fails for what is in the work tree"
		}
		return Shape, "the same program worked with other arguments"
	case calls.ByTarget:
		if p.Class == "edit-state" {
			return Precondition, "the file had to be read again first"
		}
		return Shape, "the same tool worked with another input"
	}
	return OtherWay, "another program, script or tool did it"
}

// saysNotThere says whether the failure is about a thing that does not exist.
func (p *Problem) saysNotThere() bool {
	if p.Class == "missing-path" {
		best, ok := p.Best()
		return !ok || !best.Named // a word of the program's was wrong, and no path
	}
	if p.Class != "usage" {
		return false
	}
	if p.Tool == "Skill" {
		return true
	}
	return noRevision().MatchString(p.What) || defined().MatchString(p.What) && !fixed().MatchString(p.What)
}

// noRevision are the words of git for a branch or commit that it does not know.
var noRevision = automata.Lazily(`(?i)\b(?:(?:unknown|bad) revision|invalid (?:upstream|reference)|couldn.t find remote ref)\b`)

// transient are failures that end without anybody's doing.
var transient = automata.Lazily(`(?i)\.lock\b.{0,40}(?:exists|held|locked)|is locked|another \S+ process|timed? ?out|rate limit|temporar(?:y|ily)|connection reset|try again later`)

// ofState are failures for what is in a work tree or a branch at the time.
var ofState = automata.Lazily(`(?i)\b(?:un)?(?:staged|committed|tracked|saved) (?:changes|files)\b|would be overwritten|not clean\b|local changes|\bdiverged\b|non-fast-forward|\bdirty\b`)

// Words for what a repository defines, which may be there tomorrow, and for what a program
// knows once and for all.
var (
	defined = automata.Lazily(`(?i)\b(?:task|recipe|script|target|step|lane|job|service|project|workspace|workflow|profile|revision|skill)s?\b`)
	fixed   = automata.Lazily(`(?i)\b(?:option|flag|switch|argument|parameter|(?:sub-?)?command|resource type)s?\b`)
)
