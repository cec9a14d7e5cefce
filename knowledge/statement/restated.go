package statement

import (
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
)

// maxSaid is how many words of a message are kept to tell what it is about.
const maxSaid = 30

// Said returns what a person's message is about, for [Restates]: the topic of what it
// neither asks nor takes away. It is empty where that is not two words at least.
func Said(message string) []string {
	l, sentences := split(message)
	var words []string
	for _, s := range sentences {
		if (endsAsking(s) || l.asks.MatchString(l.withoutLead(s))) && !l.polite.MatchString(s) {
			continue
		}
		for clause := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(",;，；", r) }) {
			if !takesAway.MatchString(clause) {
				words = append(words, l.topic(clause)...)
			}
		}
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == Recall || everyday()[strings.TrimPrefix(w, "-")] })
	slices.Sort(words)
	if words = slices.Compact(words); len(words) < leastRestated || len(words) > maxSaid {
		return nil
	}
	return words
}

// leastRestated is how many words a message must share with a decision that it says again.
const leastRestated = 2

// shortSaid is how many words a message and a reason may have in which every word counts.
const shortSaid = 24

// Restates returns what says of a message, by [Said], whether it says a decision again, or
// goes by it: it shares two rare words with the decision and its reason, one of them what was
// decided, and wants nothing that the decision turns down.
func Restates(rule, because string) func(said []string) bool {
	decided, reason := Topic(rule), Topic(because)
	return func(said []string) bool { return restates(said, decided, reason) }
}

func restates(said, decided, reason []string) bool {
	shared, own := 0, 0
	for _, w := range said {
		bare := strings.TrimPrefix(w, "-")
		if everyday()[bare] {
			continue
		}
		switch {
		case slices.ContainsFunc(decided, func(d string) bool { return SameStem(d, w) }):
			shared, own = shared+1, own+1
		case slices.ContainsFunc(decided, func(d string) bool { return SameStem(strings.TrimPrefix(d, "-"), bare) }):
			return false // what one of them turns down the other one wants
		case slices.ContainsFunc(reason, func(d string) bool { return SameStem(strings.TrimPrefix(d, "-"), bare) }):
			shared++
		}
	}
	switch {
	case own == 0 || shared < leastRestated:
		return false
	case own > leastRestated, own == leastRestated && 5*own >= 2*len(decided), shared > leastRestated && len(said) <= shortSaid:
		return true
	}
	return len(said)+len(reason) <= shortSaid
}

// SameStem says whether one stem is the other with an ending.
func SameStem(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	ending, ok := strings.CutPrefix(b, a)
	return a == b || ok && len(a) >= 4 && len(ending) <= longestEnding && !IsName(b)
}

// longestEnding is how much longer one form of a word is than another one, in bytes.
const longestEnding = 5

// takesAway are words of a clause that does away with something.
var takesAway = automata.New(`(?i)\b(?:drop|remov|replac|revert|rip|delet|get rid|kick|throw|retir|ditch|away from|(?:move|mov|switch|migrat)\w* (?:off|from))\w*`)

// everyday are the stems of words that are said in every project.
var everyday = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(`test tests testing file files function functions class method page pages button error errors build run running fix fixes fixed change changes changed branch commit commits pull request pr repo repository issue issues line lines name names value values version add added adding update updated code option field fields list table data type types user users service services command commands script scripts config setting settings work works project folder directory default number log logs logged output input result results message messages today tomorrow yesterday week day days minutes hour time times thing server client app api key keys id ids text docs readme review bug bugs step steps case cases example examples first second third next last part start end new old able somebody someone anything people three everywhere kind idea point bit stuff place extra own self
		action actual actually agent agree already another background basically both call cannot ci clean clear cli close comment compare complete conflict content context continue correct correctly create current currently
		debug design detail different directly display during edit enable ensure execute exist existing explain failure feature feel finish flag follow full functionality guess handle hook ignore implement include investigate
		job large latest local locally logic long look main make mark maybe mean merge might multiple need off once open override path pattern phase plan possible pretty prior probably problem provide push question quick quite
		read reason really relate release rename report resolve return reuse root scope section seem sense separate session setup share show similar since skill solve sorry specific store strategy structure support task there
		think though tool track understand valid validate via whether standard library avoid write along`) {
		set[Stem(w)] = true
	}
	return set
})
