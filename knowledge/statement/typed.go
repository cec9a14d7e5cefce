package statement

import "strings"

// typed is a sentence, an English sentence with the short forms of quick typing written out, so that one
// form of each word has to be known: dont, im, w/, pls, u.
func (l *language) typed(sentence string) string {
	if l != inEnglish() {
		return sentence
	}
	words := strings.Split(sentence, " ")
	for i, word := range words {
		bare := strings.Trim(word, `("`+",")
		if long := writtenOut[bare]; long != "" {
			words[i] = strings.Replace(word, bare, long, 1)
		}
	}
	return strings.Join(words, " ")
}

// writtenOut are short forms that are no other words.
var writtenOut = map[string]string{
	"dont": "don't", "Dont": "Don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't", "arent": "aren't", "wasnt": "wasn't", "cant": "can't",
	"couldnt": "couldn't", "wont": "won't", "wouldnt": "wouldn't", "shouldnt": "shouldn't", "hasnt": "hasn't", "havent": "haven't", "im": "I'm", "ive": "I've",
	"lets": "let's", "Lets": "Let's", "thats": "that's", "w/": "with", "w/o": "without", "u": "you", "ur": "your", "pls": "please", "plz": "please",
}
