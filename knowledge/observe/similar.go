package observe

import (
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
	"github.com/lessons-cli/lessons/knowledge/internal/ordered"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// Near-duplicates are told from their shapes: the words of a member of a
// cluster, with what is particular masked, behind a scope that keeps apart what
// must not be compared. An observation carries the shapes of all its members,
// so that it can be asked whether something new is near any of them
// (ARCHITECTURE.md, "Identity").
const (
	shingleWords  = 3
	maxShapeWords = 40
	minNearWords  = 5 // of a sentence; a shorter one is compared whole, by its title
	// Two shapes are near from a Jaccard index of similarNum/similarDen on.
	similarNum, similarDen = 4, 5
)

// shapesOf returns the shapes of a signal: its words, and what they are about.
func shapesOf(s Signal) []string {
	if slices.Contains(s.Marks, MarkApart) {
		return nil
	}
	return ordered.Union(ordered.Union(wordingOf(s), topicOf(s)), spokenOf(s))
}

// wordingOf returns the words of a signal as a shape, if they are enough. A failure's are the
// wording of its error, among failures of one kind with the same trigger: the
// fingerprint alone would take two missing modules for one. What was said is
// compared within its type.
func wordingOf(s Signal) []string {
	if f := s.Failure; f != nil {
		about, text := lesson.CanonicalTrigger(s.Trigger), fingerprint.Wording(f.Text)
		if about == "" {
			about, text = f.Command, fingerprint.Template(f.Text)
		}
		return shape(knowledge.Digest("", idDigits, string(s.Type), "failure", f.Tool, f.Class, about), text, 1)
	}
	said := s.Title.String()
	if s.Origin == OriginSelfReport {
		said = s.Mistake.String()
	}
	return shape(knowledge.Digest("", idDigits, string(s.Type), "said"), fingerprint.Wording(said), minNearWords)
}

// shape is a scope and the words of a masked text without the punctuation around
// them, nil where they are too few. Flags keep their case and dashes.
func shape(scope, text string, least int) []string {
	var words []string
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, "\"'`“”‘’.,;:!?()[]…")
		if !strings.HasPrefix(word, "-") {
			word = strings.ToLower(word)
		}
		if word != "" {
			words = append(words, word)
		}
	}
	if len(words) < least {
		return nil
	}
	return []string{strings.Join(append([]string{scope}, words[:min(len(words), maxShapeWords)]...), " ")}
}

// shingles returns the hashes of a shape's three-word runs, sorted, a set. A
// shape of fewer words is one shingle. The hashes are never stored.
func shingles(shape string) []uint64 {
	scope, text, _ := strings.Cut(shape, " ")
	words := strings.Fields(text)
	var set []uint64
	for i := 0; i == 0 || i+shingleWords <= len(words); i++ {
		h := fnv.New64a()
		_, _ = io.WriteString(h, scope+"\x00"+strings.Join(words[i:min(i+shingleWords, len(words))], " "))
		set = append(set, h.Sum64())
	}
	return ordered.Set(set)
}

// meetingPoints are the shingles at which near shapes meet: two sets whose
// Jaccard index reaches the bound share one of their first n − ⌈bound·n⌉ + 1
// elements in any fixed order (prefix filtering: Chaudhuri, Ganti, Kaushik,
// ICDE 2006).
func meetingPoints(shape string) []uint64 {
	switch {
	case isSpoken(shape):
		return ordered.Set(spokenPoints(spokenWords(shape)))
	case isTopic(shape):
		return topicPoints(shape)
	}
	set := shingles(shape)
	must := (len(set)*similarNum + similarDen - 1) / similarDen
	return set[:len(set)-must+1]
}

// similar says whether two shapes are near.
func similar(x, y string) bool {
	switch {
	case isTopic(x) && isTopic(y):
		return sameTopic(x, y)
	case x == y:
		return true
	case !sameScope(x, y):
		return false
	case isSpoken(x):
		return sameMatter(spokenWords(x), spokenWords(y))
	}
	return near(shingles(x), shingles(y))
}

func sameScope(a, b string) bool {
	return len(a) > idDigits && len(b) > idDigits && a[:idDigits] == b[:idDigits]
}

// near compares two sorted sets.
func near(a, b []uint64) bool {
	both := 0
	for _, x := range a {
		if _, found := slices.BinarySearch(b, x); found {
			both++
		}
	}
	return both*similarDen >= (len(a)+len(b)-both)*similarNum
}
