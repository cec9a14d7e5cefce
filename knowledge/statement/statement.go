// Package statement reads what a person tells an agent: standing instructions,
// decisions and corrections, in English, German, Spanish, Chinese and Japanese. A
// sentence is judged by its form, each language being one file of phrases; where no form
// tells what a message states, the weights of its words and forms do, in other languages too.
//
//	words.go     a message → the person's own words → sentences
//	language.go  what is asked of sentences; languages has a file for each language
//	read.go      a sentence → a statement, by its form
//	marks.go     a sentence → the forms that it has, to be weighed
//	weighed.go   a message → its rule and the reason, by weights
//	universal.go whether a rule holds for everything of a kind
//	unlinked.go  a choice → its reason, where no word joins them
//	answer.go    an answer to a question of the agent → the option, and why
//	name.go      what a sentence names, and for which files it holds
//	restated.go  whether a message says a decision again
//	gate.go      whether a stranger could follow it
package statement

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// Kind says what a person did with a sentence.
type Kind string

const (
	Instruction Kind = "instruction" // how things are done: "from now on …", "we use X, not Y", "never …"
	Decision    Kind = "decision"    // a choice, mostly with a reason
	Correction  Kind = "correction"  // an objection to one thing that was done
)

// Statement is a sentence of a person that may hold for later sessions.
type Statement struct {
	Kind     Kind
	Explicit bool     // the words say by themselves that they hold for later
	Likely   bool     // no form says it, but the weights of the words do
	Recalls  bool     // the words come back to what was settled: "like everywhere"
	Rule     string   // what to do, in the person's words, without lead and reason; "" where the message only points at it
	Because  string   // the reason, "" if none is given
	Names    []string // words written like code, and known tools
	Against  []string // names that the rule turns down: npm in "we use pnpm, not npm"
	Paths    []string // globs of the files for which it holds: A in "when you touch A, also change B"
	Missing  string   // why a stranger could not follow it, "" if one could
}

// maxStatements is how many statements of one message count.
const maxStatements = 3

// fragmentWords is how long a sentence is that says nothing without the next one.
const fragmentWords = 3

// Read returns the statements of a message in the order of its text, at most three.
// Questions, wishes, requests for work, reports, quotations, hypotheticals and what
// holds for the moment only are none. What no form tells the weights may.
func Read(message string) []Statement {
	l, all := split(message)
	weights := l.weigh(all)
	found := l.stated(all, weights)
	fit := func(s Statement) bool { return s.Missing == "" && s.Kind != Correction }
	if slices.ContainsFunc(found, fit) {
		return found
	}
	if s, ok := weights.statement(); ok && fit(s) {
		found = append(slices.DeleteFunc(found, func(s Statement) bool { return s.Kind != Correction }), s)
	}
	return found
}

// stated are the statements of a message that some form tells.
func (l *language) stated(all []string, weights *weighed) []Statement {
	var found []Statement
	last := -1 // the sentence of the newest statement
	for i := range all {
		next := behind(all, i)
		switch {
		case i == 0:
		case affirms.MatchString(all[i]):
			found = l.note(found, all[i-1])
			continue
		case l.reasonIn(all[i]) != "", given(found, all[i]):
			continue // it belongs to the sentence before
		}
		s, ok := l.read(all[i], next, len(all))
		if ok && s.Because == "" {
			weights.giveReason(&s, i, next)
		}
		switch {
		case !ok || slices.ContainsFunc(found, func(other Statement) bool { return other.Rule == s.Rule }):
			continue
		case s.Rule == "" && s.Explicit && i > 0:
			// "Remember that": the sentence before is the rule.
			if found = l.note(found, all[i-1]); len(found) > 0 {
				continue
			}
		}
		if i > 0 && last != i-1 && s.Kind != Instruction && CountWords(all[i-1]) <= fragmentWords && l.forbids.MatchString(all[i-1]) {
			s.Rule = strings.TrimRight(all[i-1], ".! ") + ". " + s.Rule // "no ORM. sqlc like the rest"
			l.finish(&s)
		}
		if n := len(found); i > 0 && i == last+1 && l.completes(found[n-1], s) {
			found[n-1].Rule += ". " + s.Rule
			l.finish(&found[n-1])
			continue
		}
		if found = append(found, s); len(found) == maxStatements {
			break
		}
		last = i
	}
	return found
}

// behind is the sentence behind one; "" where there is none.
func behind(all []string, i int) string {
	if i+1 < len(all) {
		return all[i+1]
	}
	return ""
}

// given says whether a sentence is the reason of the newest statement.
func given(found []Statement, sentence string) bool {
	n := len(found)
	return n > 0 && found[n-1].Because != "" && strings.Contains(sentence, found[n-1].Because)
}

// affirms matches a sentence which says of the one before it that it is a rule, or that it
// was said before.
var affirms = automata.New(`(?i)^(?:always|every (?:single )?time|no exceptions|without exceptions?|(?:each and )?every (?:single )?one of (?:them|those))[.!]*$|^(?:that'?s|this is|it'?s|those are) (?:a|the|our|my) (?:\w+ )?(?:rule|convention|policy|standard|house style|agreement|law)\b|^(?:that'?s|this is) how we (?:work|do|roll|name|write)\b|^i(?:'ve| have)? (?:already |now )?(?:said|told you|asked|mentioned)\b.{0,24}\b(?:times|before|already|twice|again)\b|^(?:the )?same (?:goes )?(?:for|in) (?:the future|every|all|any)\b|^(?:please )?(?:keep|bear) (?:that|this|it) in mind\b|\bdo (?:all|every one|each)(?: of them)? like (?:this|that)\b|^use (?:that|this|it) (?:whenever|every|always|from now|for all|everywhere)\b|^(?:please )?apply (?:this |that |it )?(?:to|for) .*\b(?:any|every|all)\b|^(?:that |this |it )?(?:applies to|goes for|holds for|is true for) (?:all|every|any)\b|^i (?:don'?t want to|won'?t|will not) (?:say|repeat) (?:it|this|that|myself)\b|^das (?:ist|gilt) (?:hier |bei uns )?(?:die regel|so üblich|immer)|^(?:es|esa es) (?:la|nuestra) (?:regla|norma)|^(?:以后|今后)(?:也|都)(?:一样|这样|如此)|(?:ずっと|いつも)そうして(?:い|お)`)

// completes says whether a statement tells what to do in place of what the one before
// forbids.
func (l *language) completes(before, s Statement) bool {
	return before.Explicit && before.Kind == Instruction && s.Kind == Instruction && l.forbids.MatchString(before.Rule) && !l.forbids.MatchString(s.Rule)
}

// Asks returns the statements of a message that holds something that the agent may be
// asked to write down: a statement that says by its form that it holds for later, or a
// correction. Of another message it returns nothing, and most are not read for it.
func Asks(message string) []Statement {
	if !holdsCue(message) {
		return nil
	}
	l, sentences := split(message)
	all := l.stated(sentences, &weighed{l: l, all: sentences})
	if !slices.ContainsFunc(all, func(s Statement) bool { return s.Explicit || s.Kind == Correction }) {
		return nil
	}
	return all
}
