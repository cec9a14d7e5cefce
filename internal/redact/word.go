package redact

import "strings"

// HoldsKey says whether a word, a file's name or a path gives away a secret by
// itself. Ordinary ones cost next to nothing, so that hooks can ask.
func HoldsKey(word string) bool {
	return couldHoldKey(word) && strings.Contains((*Redactor)(nil).Text(word).String(), mark)
}

// couldHoldKey says whether a word has a stretch that is long and mixed enough
// for a key.
func couldHoldKey(word string) bool {
	const shortest, plain = 16, 24
	for at := 0; at < len(word); at++ {
		from := at
		digits, uppers := 0, 0
		for at < len(word) && keyChars.has(word[at]) {
			if digit.has(word[at]) {
				digits++
			}
			if upper.has(word[at]) {
				uppers++
			}
			at++
		}
		if n := at - from; n >= shortest && (digits >= 3 || uppers >= 5) || n >= plain && alnum.only(word[from:at]) {
			return true
		}
	}
	return false
}

var keyChars = set(digits + letters + "_-~.")

// LooksDrawn says whether a word looks as if a machine had drawn it, with nothing
// beside it that says what it is. Among the words of a command such a one is an
// identifier or a secret.
func LooksDrawn(word string) bool {
	return len(word) >= 20 && random(word) && entropy(word) >= 3.5 && digits3(word)
}
