package observe

import (
	"slices"
	"strings"
	"unicode"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

const idDigits = 10

// signatureVersion counts the ways in which signatures were made. A new way gives
// new ids; what was known under an old one joins by its content keys and keeps the
// old id as an alias, so that nothing is grouped anew.
const signatureVersion = "1"

// signatureID names an observation after its signature alone, which every clone
// works out alike: "obs_" and ten base32 characters over a content key.
func signatureID(key string) string {
	return knowledge.Digest("obs_", idDigits, "signature", signatureVersion, key)
}

// observationID is the id of an observation that one signal makes. One without
// trigger and title is known by all its words.
func observationID(o *Observation) string {
	key := ContentKey(o)
	if key == "" {
		key = knowledge.Digest("L-", idDigits, string(o.Type), "words", string(spoken(o)), strings.Join(o.Evidence, "\n"))
	}
	return signatureID(key)
}

// wordsKey identifies what an observation says to the letter.
func wordsKey(o *Observation) string {
	return knowledge.Digest("L-", idDigits, string(o.Type), "words", string(spoken(o)))
}

// derivedID says whether the id has the form that [observationID] gives. Other
// forms (an earlier tool's six characters, manual_…) are accepted as they are
// and never change.
func derivedID(id string) bool {
	rest, ok := strings.CutPrefix(id, "obs_")
	return ok && len(rest) == idDigits && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// NormaliseFix reduces a fix to what makes two fixes the same: code marks,
// quotes and closing punctuation go, as do the words that only introduce it,
// blanks are single and numbers that stand alone are one number. Flags keep
// their case and dashes: -r and -R are different fixes.
func NormaliseFix(fix string) string {
	var words []string
	for _, word := range strings.FieldsFunc(strings.ReplaceAll(fix, "**", " "), betweenFixWords) {
		word = strings.TrimRight(word, ".,;:!")
		if !strings.HasPrefix(word, "-") {
			word = strings.ToLower(word)
		}
		if word != "" && strings.Trim(word, "0123456789") == "" {
			word = "0"
		}
		if word != "" {
			words = append(words, word)
		}
	}
	for len(words) > 1 && introducesFix(words[0]) {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

func betweenFixWords(r rune) bool { return unicode.IsSpace(r) || r == '`' || r == '"' || r == '\'' }

func introducesFix(word string) bool {
	switch word {
	case "use", "run", "try", "instead", "please", "always", "just", "the", "a", "command", "call":
		return true
	}
	return false
}

// ContentKey identifies what an observation says, whoever saw it: two people's
// independent observations of one lesson have different ids and one key. It is made from trigger and fix, or without
// those from the title.
func ContentKey(o *Observation) string {
	switch {
	case o.Apart():
		return wordsKey(o)
	case triggerKey(o) != "":
		return triggerKey(o)
	}
	return titleKey(o)
}

// Apart says whether a person keeps the observation beside what is similar.
func (o *Observation) Apart() bool { return slices.Contains(o.Marks, MarkApart) }

// SameWords says whether two observations say the same to the letter.
func SameWords(a, b *Observation) bool { return wordsKey(a) == wordsKey(b) }

// ContentKeys returns every key under which the observation is known: its own
// two and those of the members of its cluster. The result is sorted.
func ContentKeys(o *Observation) []string { return memberOf(o).keys }

func triggerKey(o *Observation) string {
	trigger, fix := lesson.CanonicalTrigger(o.Trigger), NormaliseFix(o.Fix)
	if trigger == "" || fix == "" {
		return ""
	}
	if strings.Contains(trigger, "<number>") { // that of the fix is an example
		fix = withoutDigits.Replace(fix)
	}
	return knowledge.Digest("L-", idDigits, string(o.Type), "trigger", trigger, fix)
}

var withoutDigits = strings.NewReplacer("0", "", "1", "", "2", "", "3", "", "4", "", "5", "", "6", "", "7", "", "8", "", "9", "")

func titleKey(o *Observation) string {
	title := prose.NormaliseTitle(o.Pattern)
	if title == "" {
		return ""
	}
	return knowledge.Digest("L-", idDigits, string(o.Type), "title", title)
}
