package weigh

import (
	"math/bits"
	"slices"
	"strconv"
)

// Feature is what tells something of a text: the hash (FNV-1a) of a few words.
type Feature uint32

// Features returns what tells something of a sentence, in ascending order: what its form
// tells, how long it is, and its words, alone and in twos and threes, and those at its
// beginning, at its end and behind a comma or the like.
func Features(sentence Sentence) []Feature {
	var f features
	words := tokens(sentence.Text)
	for _, m := range sentence.Marks {
		f.add("=" + m)
	}
	f.size("#words ", len(words))
	for i, w := range words {
		f.add(w)
		f.run(words, i, 2, "")
		f.run(words, i, 3, "")
		if i+2 < len(words) {
			f.add(w, " _ ", words[i+2])
		}
		if i > 0 && isClauseMark(words[i-1]) {
			f.run(words, i, 1, ",")
			f.run(words, i, 2, ",")
		}
	}
	for n := 1; n <= 3; n++ {
		f.run(words, 0, n, "^")
	}
	if n := len(words); n > 1 {
		f.add(words[n-1], "$")
		f.add(words[n-2], " ", words[n-1], "$")
	}
	return f.sorted()
}

type features []Feature

// add adds the hash of some texts, as of one.
func (f *features) add(texts ...string) { *f = append(*f, basis.with(texts...)) }

// basis is the hash of nothing.
const basis Feature = 2166136261

// with is the hash of some texts behind what is hashed already.
func (h Feature) with(texts ...string) Feature {
	const prime = 16777619
	for _, text := range texts {
		for i := range len(text) {
			h = (h ^ Feature(text[i])) * prime
		}
	}
	return h
}

func (f features) sorted() []Feature {
	slices.Sort(f)
	return slices.Compact(f)
}

// run adds n tokens from one on, if there are so many.
func (f *features) run(tokens []string, from, n int, before string) {
	if from+n > len(tokens) {
		return
	}
	h := basis.with(before, tokens[from])
	for _, token := range tokens[from+1 : from+n] {
		h = h.with(" ", token)
	}
	*f = append(*f, h)
}

// isClauseMark says whether a clause may begin behind a token.
func isClauseMark(token string) bool {
	switch token {
	case ",", ";", ":", "-", "–", "—", "(":
		return true
	}
	return false
}

// size adds how many there are of something, by powers of about one and a half.
func (f *features) size(what string, n int) {
	f.add(what, strconv.Itoa(min(bits.Len(uint(n*n)), 15)))
}
