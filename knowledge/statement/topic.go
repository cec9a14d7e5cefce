package statement

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Recall stands in the topic of words that come back to what was settled.
const Recall = "~"

// settlingWords only say that something is settled, not what.
const settlingWords = `stay stays stick keep keeps kept remain remains go goes went live lives settle settled choose chose chosen pick picked decide decided decision move moved moving switch switched replace replaced replacing drop dropped adopt adopted become becomes happen happens run runs work works rather plain we're we've we'll they're
	bleiben bleibt nehmen nimmt läuft laufen entschieden entscheidung beschlossen behalten setzen gehen geht kommt fahren
	quedamos queda quedan guardar guardamos decidió decidimos decidido elegimos sigue siguen va van usar usamos pasamos`

// settling are their stems.
var settling = sync.OnceValue(func() map[string]bool {
	stems := map[string]bool{}
	for word := range strings.FieldsSeq(settlingWords) {
		stems[Stem(word)] = true
	}
	return stems
})

// Topic returns what a person's words are about: the stems of those beyond the
// commonest, and beyond those that only settle something, sorted, each once. A name that
// the words turn down begins with "-". It depends on the text alone.
func Topic(text string) []string { return languageOf(text).topic(text) }

func (l *language) topic(text string) []string {
	down := map[string]bool{}
	for clause := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",;.，。；、:", r) }) {
		if m := l.not.FindStringSubmatch(strings.TrimSpace(clause)); m != nil {
			if words := l.stems(firstOf(m[1:])); len(words) > 0 {
				down[words[0]] = true
			}
		}
	}
	var topic []string
	for _, stem := range l.stems(text) {
		switch {
		case down[stem]:
			topic = append(topic, "-"+stem)
		case !settling()[stem]:
			topic = append(topic, stem)
		}
	}
	if l.recalls.MatchString(text) {
		topic = append(topic, Recall)
	}
	slices.Sort(topic)
	return slices.Compact(topic)
}

// Alike says whether two texts may be about the same: they share two words at least, and
// half of what the shorter one is about. A person looks whether they are.
func Alike(a, b string) bool {
	of := func(text string) map[string]bool {
		words := map[string]bool{}
		for _, stem := range Topic(text) {
			words[strings.TrimPrefix(stem, "-")] = stem != Recall
		}
		return words
	}
	one, other := of(a), of(b)
	both := 0
	for word := range one {
		if other[word] {
			both++
		}
	}
	return both >= 2 && 2*both >= min(len(one), len(other))
}

// IsName says whether a stem of a topic is a name: of a tool, or written like one.
func IsName(stem string) bool {
	stem = strings.TrimPrefix(stem, "-")
	return tools()[stem] || strings.ContainsAny(stem, "0123456789._-")
}

// stems returns the stems of a text's content words, in their order. Chinese characters
// go in pairs.
func (l *language) stems(text string) []string {
	var stems []string
	for _, w := range l.content(text) {
		switch first, _ := utf8.DecodeRuneInString(w); scriptOf(first) {
		case unicode.Han:
			runes := []rune(w)
			for i := 0; i+1 < len(runes); i++ {
				stems = append(stems, string(runes[i:i+2]))
			}
		case unicode.Hiragana: // grammar
		default:
			stems = append(stems, Stem(w))
		}
	}
	return stems
}

// endings are those of English, German and Spanish words, the longer ones first.
var endings = []string{"ungen", "ments", "ung", "ing", "ment", "ies", "ed", "en", "er", "es", "os", "as", "em", "e", "s", "n", "o", "a"}

// minStem is the least length of a stem, in characters.
const minStem = 4

// Stem takes the ending from a word that is no name.
func Stem(word string) string {
	if IsName(word) {
		return word
	}
	for _, ending := range endings {
		stem, ok := strings.CutSuffix(word, ending)
		switch n := len(stem); {
		case !ok || utf8.RuneCountInString(stem) < minStem && (n < 3 || ending != "s" || stem[n-1] == 's'):
		case n > 3 && stem[n-1] == stem[n-2] && (ending == "ed" || ending == "ing"):
			return stem[:n-1] // logged, running
		default:
			return stem
		}
	}
	return word
}
