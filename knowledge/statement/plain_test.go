package statement

import "testing"

// Rules in the words that most people use.
func TestPlainRules(t *testing.T) {
	for _, message := range []string{
		"I want you to always run the unit tests before committing.",
		"Make sure to never log customer emails.",
		"Make sure you always regenerate the client after touching the proto files.",
		"We have a rule: no business logic in controllers.",
		"Under no circumstances should you edit generated files.",
		"Treat the legacy folder as read-only.",
		"Do not add dependencies without my approval.",
		"Make it a rule that branches are named after tickets.",
		"Make it a habit to start commit messages with the ticket number.",
		"Make it a rule not to leave debug output behind.",
		"Sort the imports of each file you touch, please make that a habit.",
		"Don't rename public functions without asking me first.",
		"Avoid changing the schema without checking with me.",
		"You should never commit directly to develop.",
		"I never want to see console.log in production code.",
		"I don't ever want you to touch the billing module.",
		"I don't want to see lint rules disabled, ever.",
		"Put this in your notes: releases happen on Thursdays only.",
		"Please stick to this in all later sessions: no emojis in commit messages.",
		"Skip the pleasantries in the future, just give me the diff.",
		"Every fix gets a regression test, can you remember that?",
		"Nobody edits the lockfile by hand here.",
		"Please refrain from editing files under third_party.",
		"Consider the docs folder frozen.",
		"It's a must that all endpoints are authenticated.",
	} {
		found := Read(message)
		if len(found) == 0 || found[0].Kind != Instruction || !found[0].Explicit || found[0].Missing != "" {
			t.Errorf("%q: %+v", message, found)
		}
	}
}

// The same words about the work at hand, and about how things are.
func TestPlainWords(t *testing.T) {
	for _, message := range []string{
		"Always fun to see this fail.",
		"Always a pleasure to review your migrations.",
		"It's never fun to debug the parser.",
		"Never gets old to see the pipeline turn green.",
		"Never heard of that linter before.",
		"Always wondered why the worker starts twice.",
		"I want you to run the unit tests now.",
		"Make sure the build passes before you stop.",
		"We have a rule engine that evaluates these, have a look.",
		"Don't close the dialog without asking the user.",
		"I expect all tests to pass after this change.",
		"Treat the second argument as read-only in this function.",
		"I never want to go through that merge again, haha.",
		"Nobody knows how this works here.",
		"Make it a rule object instead of a plain dict.",
		"Under no circumstances did the worker restart, according to the log.",
		"You should always see the spinner while it loads.",
		"Consider the read-only flag when you fix the parser.",
		"In the last sessions we fixed the parser.",
		"Write the results to your notes file and continue.",
		"Please refrain from commenting on style in this review.",
		"It's a must-have for the demo tomorrow.",
		"In the future the page will load lazily, for now leave it.",
		"The two helpers lack unit tests. Consider testing:\n\nDifferent line lengths around the limit\nEdge cases with lines that only look trivial",
	} {
		for _, s := range Read(message) {
			if s.Missing == "" && s.Kind != Correction {
				t.Errorf("%q: %+v", message, s)
			}
		}
	}
}
