package statement

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
)

// told matches the words by which a sentence begins that tells of a decision, and what
// stands for them in its heading. What says more than that somebody decides is in none.
var told = []struct {
	words   *automata.Pattern
	heading string
}{
	{automata.New(`(?i)^(?:i|we)(?:'ve| have)? (?:just |already |now |finally )*(?:decided|agreed|chosen|chose|opted) not to `), "do not "},
	{automata.New(`(?i)^(?:i|we)(?:'ve| have)? (?:just |already |now |finally )*(?:decided|agreed|chosen|chose|opted) to `), ""},
	{automata.New(`(?i)^(?:i|we)(?:'ve| have)? (?:just |already |now |finally )*decided `), "decided "},
	{automata.New(`(?i)^(?:i|we)(?:'ve| have)? (?:just |already |now |finally )*(?:went|gone) `), "go "},
	{automata.New(`(?i)^(?:i|we)(?:'re|'m| are| am) (?:just |now )*going (with|for) `), "go $1 "},
	{automata.New(`(?i)^(?:i|we)(?:'ve| have)? (?:just |already |now |finally )*(?:chose|chosen) `), "choose "},
	{automata.New(`(?i)^(?:i|we)(?:'ve| have)? (?:just |already |now |finally )*picked `), "pick "},
	{automata.New(`(?i)^(?:i|we)(?:'ve| have)? (?:just |already |now |finally )*settled (on|for) `), "settle $1 "},
	{automata.New(`(?i)^(?:i|we)(?:'ll| will|'d| would)? (?:just |now )*(use|prefer|choose|pick|adopt|keep|go with|go for|stay with|stick with|stick to) `), "$1 "},
}

// Heading is a decision as a heading, without the words that only tell of it. Where it is
// not sure that nothing else is said, it is the sentence.
func Heading(decision string) string {
	if rest, ok := strings.CutPrefix(decision, "Not "); ok && IsOrder(rest) {
		return "Do not " + rest // "let's not …"
	}
	for _, t := range told {
		if m := t.words.FindStringSubmatch(decision); m != nil {
			heading := strings.TrimSpace(strings.ReplaceAll(t.heading, "$1", strings.ToLower(m[len(m)-1])) + decision[len(m[0]):])
			return strings.ToUpper(heading[:1]) + heading[1:]
		}
	}
	return decision
}

// heedWords ask to heed what was said, and heedFills are what stands beside them.
var (
	heedWords = strings.Fields("please pls plz thanks thank thx cheers ok okay understood remember follow adhere respect honor honour mind forget stick keep do")
	heedFills = strings.Fields("so and then just let's let us you i we to that this it way like as is from now on always in the future going forward next time again don't not make - — – sure be for me all everywhere got will can could would right here with by")
)

// tails are where a clause may begin that goes on behind a reason.
var tails = automata.New(`[,;.!]| (?:so|and|please|-|—|–) `)

// Reason is a reason without a clause at its end that only asks to heed it: "…, so please
// follow that".
func Reason(text string) string {
	for _, at := range tails.FindAllStringSubmatchIndex(text, -1) {
		words := slices.Collect(wordsOf(text[at[0]:]))
		if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(heedWords, w) }) &&
			!slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(heedWords, w) && !slices.Contains(heedFills, w) }) {
			return strings.TrimRight(text[:at[0]], " ")
		}
	}
	return text
}
