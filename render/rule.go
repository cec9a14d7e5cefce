package render

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// maxExamples is how many examples the pitfall about a linter's rule shows.
const maxExamples = 2

// maxRuleTitle is how long the title of the pitfall about a rule may be, in characters.
const maxRuleTitle = 80

// ruleSays is what a rule says wherever it is broken: the words that its messages have in
// common, with dots for the others and for numbers that differ. Where a rule has messages
// of several kinds, it is the kind of which there are the most.
func (m material) ruleSays() string {
	said := [][]string{strings.Fields(m.mistake)}
	for _, p := range m.o.Others {
		if p.Mistake != "" {
			said = append(said, strings.Fields(stored.text(p.Mistake)))
		}
	}
	var first, shared []string
	most := 0
	for _, one := range said {
		if common, n := ofOneKind(one, said); n > most {
			first, shared, most = one, common, n
		}
	}
	var says []string
	at := 0
	for _, word := range first {
		switch {
		case at < len(shared) && alike(word, shared[at]) != "":
			says = append(says, shared[at])
			at++
		case len(says) == 0 || says[len(says)-1] != "…":
			says = append(says, "…")
		}
	}
	return strings.Join(says, " ")
}

// ofOneKind counts the messages that have two thirds of their words in common with
// one, itself too, and returns the words that all of these have.
func ofOneKind(one []string, said [][]string) (common []string, n int) {
	common = one
	for _, other := range said {
		if 3*len(sharedWords(one, other)) >= 2*max(len(one), len(other)) {
			common, n = sharedWords(common, other), n+1
		}
	}
	return common, n
}

// alike is a word that two have in common, but for its numbers; "" where they have none.
func alike(a, b string) string {
	if a == b {
		return a
	}
	if masked := number().ReplaceAllString(a, "…"); masked != "…" && masked == number().ReplaceAllString(b, "…") {
		return masked
	}
	return ""
}

var number = automata.Lazily(`\b\d+\b`)

// sharedWords is the longest list of words that both have in this order.
func sharedWords(a, b []string) []string {
	longest := make([][]string, len(b)+1) // of the words of a so far, by how many of b
	for _, word := range a {
		next := make([][]string, len(b)+1)
		for i := range b {
			next[i+1] = next[i]
			if len(longest[i+1]) > len(next[i+1]) {
				next[i+1] = longest[i+1]
			}
			if same := alike(word, b[i]); same != "" && len(longest[i])+1 > len(next[i+1]) {
				next[i+1] = append(slices.Clone(longest[i]), same)
			}
		}
		longest = next
	}
	return longest[len(b)]
}
