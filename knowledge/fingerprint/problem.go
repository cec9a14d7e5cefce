package fingerprint

import "github.com/lessons-cli/lessons/knowledge"

// problemVersion stands before every problem's id. Another way to make them is another
// version; ids that are stored stay as they are.
const problemVersion = "p1:"

const problemDigits = 16

// Problem names the cause that failures have in common, over all sessions, machines
// and clones: a rule of a linter or compiler, whatever ran it; else tool, command and
// the masked line that says what is wrong. Where that line names what was wrong, as an
// unknown flag or a module that is missing, the name stays. Tests, builds and checks that
// fail for the sources' sake are one problem a command.
func Problem(f Failure, rule string) string {
	switch {
	case rule != "":
		return knowledge.Digest(problemVersion, problemDigits, "rule", rule)
	case f.Class == "in-progress":
		return knowledge.Digest(problemVersion, problemDigits, f.Tool, f.Command, f.Class)
	}
	text := Template(f.Text)
	switch f.Class {
	case "usage", "not-runnable", "missing-path", "missing-dependency":
		text = Wording(f.Text)
	}
	return knowledge.Digest(problemVersion, problemDigits, f.Tool, f.Command, text)
}

// Apart names what a part of a problem's failures have in common: the text that they print.
func Apart(problem, text string) string {
	return knowledge.Digest(problemVersion, problemDigits, problem, text)
}
