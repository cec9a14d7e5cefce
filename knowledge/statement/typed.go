package statement

import (
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
)

// typed is a sentence, an English sentence with the short forms of quick typing written out, so that one
// form of each word has to be known: dont, im, w/, pls, u.
func (l *language) typed(sentence string) string {
	if l != inEnglish() {
		return sentence
	}
	out := func(found string) string {
		word := strings.Trim(found, " (\",")
		if long := writtenOut[word]; long != "" {
			return strings.Replace(found, word, long, 1)
		}
		return found
	}
	// Twice, because two in a row share a blank.
	return shortForms().ReplaceAllStringFunc(shortForms().ReplaceAllStringFunc(sentence, out), out)
}

// writtenOut are short forms that are no other words.
var writtenOut = map[string]string{
	"dont": "don't", "Dont": "Don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't", "arent": "aren't", "wasnt": "wasn't", "cant": "can't",
	"couldnt": "couldn't", "wont": "won't", "wouldnt": "wouldn't", "shouldnt": "shouldn't", "hasnt": "hasn't", "havent": "haven't", "im": "I'm", "ive": "I've",
	"lets": "let's", "Lets": "Let's", "thats": "that's", "w/": "with", "w/o": "without", "u": "you", "ur": "your", "pls": "please", "plz": "please",
}

var shortForms = sync.OnceValue(func() *automata.Pattern {
	return automata.New(`(?:^|[ ("])(?:[dD]ont|doesnt|didnt|isnt|arent|wasnt|cant|couldnt|wont|wouldnt|shouldnt|hasnt|havent|im|ive|[lL]ets|thats|w/o|w/|u|ur|pls|plz)(?:[ ,]|$)`)
})
