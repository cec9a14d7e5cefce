package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/shell"
)

// things are what programs are asked for by name.
const things = `(?:option|flag|switch|argument|parameter|(?:sub-?)?command|task|recipe|script|target|goal|step|lane|job|service|project|workspace|workflow|profile|generator|resource type)s?\b`

// turnsDown finds lines that say of such a thing that there is none.
var turnsDown = automata.New(`(?i)\b(?:unknown|unrecogni[sz]ed|undefined|invalid|illegal|unsupported|no|not an?|missing|(?:cannot|can't|could not|couldn't|unable to) find|(?:does not|doesn't) (?:have|contain|know|define|support|recogni[sz]e))\b[^.:"'` + "`" + `]{0,24}\b` + things +
	`|\b(?:does not|doesn't) \w+ an? \w+ (?:named|called)\b` +
	`|\b` + things + `.{0,60}(?:not (?:be )?found|(?:does not|doesn't) exist|(?:is|was)(?: not|n't) (?:a|an|defined|known|recogni[sz]ed|supported|valid)\b)`)

// misused are the words of a command line that the message about its failure turns down, some
// of which it puts in quotes: then the call is wrong, whatever it runs.
func misused(line *shell.Line, message string, quoted []string) []string {
	refused := refusals.MatchString(message)
	if !refused && !turnsDown.MatchString(message) {
		return nil
	}
	var words []string
	for _, word := range append(bareWords(message), quoted...) {
		for _, c := range line.Commands {
			for _, flag := range c.FlagNames() {
				if flag == word || strings.TrimLeft(flag, "-") == word && len(word) > 2 {
					words = append(words, flag)
				}
			}
			if !refused && (slices.Contains(c.Sub, word) || slices.Contains(c.Operands, word)) {
				words = append(words, word)
			}
		}
	}
	return words
}

// bareWords are the words of a message, without the marks around them.
func bareWords(message string) []string {
	words := strings.FieldsFunc(message, func(r rune) bool { return strings.ContainsRune(" \t\"'`‘’“”(),;", r) })
	for i, w := range words {
		words[i] = strings.TrimRight(w, ".:")
	}
	return words
}
