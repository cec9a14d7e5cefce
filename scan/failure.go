package scan

import "github.com/lessons-cli/lessons/knowledge/fingerprint"

// failureOf says which kind of failure a call met, for the fingerprint. What a
// shell refuses it refuses whatever the program.
func failureOf(call *Step, f *fault) *fingerprint.Failure {
	out := &fingerprint.Failure{Tool: toolKind(call.Tool), Class: f.class.String(), Text: f.kindOfText(f.salient)}
	if c := faulty(call.line(), f); c != nil && f.class != shellSyntax {
		out.Command = c.Name()
	}
	return out
}

// toolKind is one name for what agents call differently.
func toolKind(tool string) string {
	switch {
	case isShell(tool):
		return "shell"
	case isEdit(tool):
		return "edit"
	}
	return tool
}

// String names the class. The names are part of fingerprints: a new class gets
// a new name, and none is changed.
func (c class) String() string {
	switch c {
	case usage:
		return "usage"
	case notRunnable:
		return "not-runnable"
	case missingPath:
		return "missing-path"
	case missingDep:
		return "missing-dependency"
	case environment:
		return "environment"
	case shellSyntax:
		return "shell-syntax"
	case inProgress:
		return "in-progress"
	case editState:
		return "edit-state"
	case timedOut:
		return "timed-out"
	}
	return "other"
}
