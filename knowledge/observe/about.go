package observe

import (
	"hash/fnv"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// What agents and people tell in their own words is about the same as another
// observation when both speak of the same things: the failure that the scan found,
// the #lesson and the #decision that the agent made of it, and what the person said.
// Their types and wordings differ, the names in them do not.
//
// The topic of a signal is a shape too: a scope that says whether somebody told it,
// and its words beyond the common ones. Each word has a sign before it that says
// where it stands.
const (
	advised = '+' // in what to do
	refuted = '-' // in what went wrong, or behind a negation
	both    = '*'
	neutral = '=' // in the title alone
)

const (
	maxTopic = 40 // words
	minTopic = 2
	// Names written like code weigh more than other words.
	nameWeight = 3
	// Two topics are the same when they share this part of their words, by weight.
	sameNum, sameDen = 9, 20
)

// toldScope is the scope of what an agent or a person told, foundScope of what a
// failure showed. Two failures are never compared by their topics: each says
// exactly what went wrong.
var (
	toldScope  = knowledge.Digest("", idDigits, "topic", "told")
	foundScope = knowledge.Digest("", idDigits, "topic", "found")
)

// topicOf returns the topic of a signal, if it has one. What a person added by hand
// stands for itself, and the steps of a workflow are many things.
func topicOf(s Signal) []string {
	scope := toldScope
	switch s.Origin {
	case OriginSelfReport, OriginBlock, OriginNote, OriginUserCorrection, OriginDecision:
	case OriginErrorFix, OriginRetry, OriginHang:
		scope = foundScope
	default:
		return nil
	}
	if s.Type == knowledge.Workflow {
		return nil
	}
	t := topic{}
	t.add(s.Title.String(), neutral)
	for _, item := range s.Items {
		t.add(item.String(), neutral)
	}
	if s.Origin != OriginUserCorrection { // what the person turned down is told in words of ours
		t.add(s.Mistake.String(), refuted)
	}
	t.add(s.Fix.String(), advised)
	if len(t) < minTopic {
		return nil
	}
	words := slices.Sorted(maps.Keys(t))
	words = slices.Concat(lists.Filter(words, nameLike), lists.Filter(words, func(word string) bool { return !nameLike(word) }))
	var shape strings.Builder
	shape.WriteString(scope)
	for _, word := range words[:min(len(words), maxTopic)] {
		shape.Write([]byte{' ', t[word]})
		shape.WriteString(word)
	}
	return []string{shape.String()}
}

// topic is the words of a text with their signs.
type topic map[string]byte

// add takes the words of a text. What stands behind a negation is refuted until the
// clause ends.
func (t topic) add(text string, sign byte) {
	at := sign
	for word := range topicWords(withoutReason(text)) {
		switch {
		case word == "":
			at = sign
		case sign == advised && negations()[word]:
			at = refuted
		case !statement.Common(word):
			word = statement.Stem(word)
			t[word] = joinSigns(t[word], at)
		}
	}
}

// joinSigns joins the signs of two places of a word; 0 is no place.
func joinSigns(a, b byte) byte {
	switch {
	case a == 0, a == neutral && b != neutral && b != 0:
		return b
	case b == neutral, a == b:
		return a
	}
	return both
}

// withoutReason cuts what a text gives as its reason.
func withoutReason(text string) string {
	for _, lead := range []string{" because ", ", which ", ", since ", " so that ", ", so ", " weil ", ", denn ", " porque "} {
		text, _, _ = strings.Cut(text, lead)
	}
	return text
}

// topicWords yields the words of a text in lower case, and the empty text
// where a clause ends. Of Chinese and Japanese it yields pairs of characters.
func topicWords(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for piece := range strings.FieldsFuncSeq(text, betweenWords) {
			ends := strings.IndexByte(",.;:!?", piece[len(piece)-1]) >= 0 && !strings.HasSuffix(piece, "...")
			for run := range runs(strings.TrimRight(piece, ",;:!?")) {
				for word := range wordsOfRun(run) {
					if !yield(word) {
						return
					}
				}
			}
			if ends && !yield("") {
				return
			}
		}
	}
}

func betweenWords(r rune) bool {
	switch r {
	case '`', '\'', '"', '“', '”', '‘', '’', '«', '»', '(', ')', '[', ']', '{', '}', '<', '>', '|':
		return true
	}
	return unicode.IsSpace(r)
}

// wordsOfRun yields what a topic has of a piece that is of one script.
func wordsOfRun(run string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if r, _ := utf8.DecodeRuneInString(run); dense(r) {
			for i, pair := 0, []rune(run); i+1 < len(pair); i++ {
				if !yield(string(pair[i : i+2])) {
					return
				}
			}
			return
		}
		word := strings.Trim(run, ".*_,;:=")
		if name, _, ok := strings.Cut(word, "="); ok && name != "" {
			word = name
		}
		if nameLike(word) {
			yield(word)
		} else if word = strings.ToLower(word); utf8.RuneCountInString(word) > 1 && strings.Trim(word, "0123456789.:") != "" {
			yield(word)
		}
	}
}

// runs divides a piece where Chinese or Japanese begins or ends.
func runs(piece string) iter.Seq[string] {
	return func(yield func(string) bool) {
		from, last := 0, false
		for i, r := range piece {
			if now := dense(r); now != last {
				if i > from && !yield(piece[from:i]) {
					return
				}
				from, last = i, now
			}
		}
		yield(piece[from:])
	}
}

// dense says whether a character is of a script without spaces.
func dense(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// nameLike says whether a word is written like code: a flag, a path, a file, an
// identifier.
func nameLike(word string) bool {
	inner := strings.TrimLeft(word, "-")
	switch {
	case len(inner) == 0:
		return false
	case len(inner) < len(word):
		return unicode.IsLetter(rune(inner[0]))
	case strings.ContainsAny(inner, "/_@*"):
		return true
	case strings.Contains(inner, "."):
		return strings.IndexFunc(inner, unicode.IsLetter) >= 0
	}
	return strings.IndexFunc(inner[1:], unicode.IsUpper) >= 0 && strings.IndexFunc(inner, unicode.IsLower) >= 0
}

// negations turn down what stands behind them until the clause ends.
var negations = lists.LazyWords(`not never no dont don't doesnt doesn't avoid than instead nicht nie niemal kein keine keinen statt anstatt nunca jamás lugar vez`)

func weight(word string) int {
	if nameLike(word) {
		return nameWeight
	}
	return 1
}

// isTopic says whether a shape is a topic.
func isTopic(shape string) bool { return strings.HasPrefix(shape, toldScope) || isFound(shape) }

// isFound says whether a shape is the topic of what a failure showed.
func isFound(shape string) bool { return strings.HasPrefix(shape, foundScope) }

// sameTopic says whether two topics are about the same: they share enough words,
// advise something in common, and neither refutes what the other advises.
func sameTopic(a, b string) bool {
	if isFound(a) && isFound(b) {
		return false
	}
	x, y := strings.Fields(a[idDigits:]), strings.Fields(b[idDigits:])
	shared := lists.Filter(x, func(word string) bool { return signIn(y, word[1:]) != 0 })
	if len(shared) < minTopic { // most pairs end here
		return false
	}
	common, total := 0, 0
	var adviceX, adviceY, adviceBoth, against, reversed bool
	for _, word := range x {
		total += weight(word[1:])
		adviceX = adviceX || word[0] == advised
	}
	for _, word := range y {
		if signIn(x, word[1:]) == 0 {
			total += weight(word[1:])
		}
		adviceY = adviceY || word[0] == advised
	}
	for _, word := range shared {
		sign, other := word[0], signIn(y, word[1:])
		common += weight(word[1:])
		adviceBoth = adviceBoth || sign != refuted && other != refuted && (sign == advised || other == advised)
		against = against || sign == advised && other == refuted
		reversed = reversed || sign == refuted && other == advised
	}
	agree := !adviceX || !adviceY || adviceBoth
	return common*sameDen >= total*sameNum && agree && !(against && reversed) && (isFound(a) == isFound(b) || names(shared))
}

// minNameless is how many words a failure and what is told of it share, where none of them
// is a name.
const minNameless = 3

// names says whether words of a topic say which thing they are about: tests fail in most
// sessions.
func names(words []string) bool {
	return len(words) >= minNameless || slices.ContainsFunc(words, func(w string) bool { return nameLike(w[1:]) })
}

// signIn is the sign of a word in a topic; 0: it is not in it.
func signIn(topic []string, word string) byte {
	for _, w := range topic {
		if w[1:] == word {
			return w[0]
		}
	}
	return 0
}

// topicPoints are the words at which two topics of one thing meet: they share one of
// those before the rest is too light for what two of a kind share. The words stand in
// one order everywhere, names first.
func topicPoints(shape string) []uint64 {
	words := strings.Fields(shape[idDigits:])
	left := lists.Sum(words, func(word string) int { return weight(word[1:]) })
	least := left * sameNum
	var points []uint64
	for _, word := range words {
		if left*sameDen < least {
			break
		}
		h := fnv.New64a()
		_, _ = io.WriteString(h, "topic\x00"+word[1:])
		points = append(points, h.Sum64())
		left -= weight(word[1:])
	}
	return points
}
