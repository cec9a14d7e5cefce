package knowledge

import (
	"slices"
	"strings"
	"unicode/utf8"
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

// shapesOf returns the shape of a signal, if it has one. A failure's is the
// wording of its error, among failures of one kind with the same trigger: the
// fingerprint alone would take two missing modules for one. What was said is
// compared within its type. About is the trigger's canonical text, template that
// of the failure.
func shapesOf(s Signal, about, template string) []string {
	if f := s.Failure; f != nil {
		text := template
		if about == "" {
			about = f.Command
		} else {
			text = wording(f.Text)
		}
		return shape(digest(idDigits, string(s.Type), "failure", f.Tool, f.Class, about), text, 1)
	}
	said := s.Title.String()
	if s.Origin == OriginSelfReport {
		said = s.Mistake.String()
	}
	return shape(digest(idDigits, string(s.Type), "said"), wording(said), minNearWords)
}

// shape is a scope and the words of a masked text without the punctuation around
// them, nil where they are too few. Flags keep their case and dashes.
func shape(scope, text string, least int) []string {
	out := make([]byte, 0, 256) // of most
	out = append(out, scope...)
	words := 0
	for word := range strings.FieldsSeq(text) {
		if word = trimMarks(word); word == "" {
			continue
		}
		if words++; words > maxShapeWords {
			continue
		}
		if !strings.HasPrefix(word, "-") {
			word = strings.ToLower(word)
		}
		out = append(append(out, ' '), word...)
	}
	if words < least {
		return nil
	}
	return []string{string(out)}
}

// trimMarks is strings.Trim of a word and the punctuation that sentences have.
func trimMarks(word string) string {
	for word != "" {
		r, size := utf8.DecodeRuneInString(word)
		if !punctuation(r) {
			break
		}
		word = word[size:]
	}
	for word != "" {
		r, size := utf8.DecodeLastRuneInString(word)
		if !punctuation(r) {
			break
		}
		word = word[:len(word)-size]
	}
	return word
}

func punctuation(r rune) bool {
	switch r {
	case '"', '\'', '`', '“', '”', '‘', '’', '.', ',', ';', ':', '!', '?', '(', ')', '[', ']', '…':
		return true
	}
	return false
}

// shingles returns the hashes of a shape's three-word runs, sorted, a set. A
// shape of fewer words is one shingle. The hashes are never stored.
func shingles(shape string) []uint64 {
	scope, text, _ := strings.Cut(shape, " ")
	words := strings.Fields(text)
	begun := fnv1a(fnv1a(fnvOffset, scope), "\x00")
	set := make([]uint64, 0, max(1, len(words)-shingleWords+1))
	for i := 0; i == 0 || i+shingleWords <= len(words); i++ {
		h := begun
		for k, word := range words[i:min(i+shingleWords, len(words))] {
			if k > 0 {
				h = fnv1a(h, " ")
			}
			h = fnv1a(h, word)
		}
		set = append(set, h)
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// fnv1a is the 64-bit FNV-1a hash of hash/fnv, going on from h.
func fnv1a(h uint64, text string) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

const fnvOffset = 14695981039346656037

// meetingPoints are the shingles at which near shapes meet: two sets whose
// Jaccard index reaches the bound share one of their first n − ⌈bound·n⌉ + 1
// elements in any fixed order (prefix filtering: Chaudhuri, Ganti, Kaushik,
// ICDE 2006).
func meetingPoints(shapes []string) []uint64 {
	var points []uint64
	for _, s := range shapes {
		set := shingles(s)
		must := (len(set)*similarNum + similarDen - 1) / similarDen
		if set = set[:len(set)-must+1]; points == nil {
			points = set
			continue
		}
		points = append(points, set...)
	}
	return points
}

// similar says whether any two of the shapes are near.
func similar(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y || sameScope(x, y) && near(shingles(x), shingles(y)) {
				return true
			}
		}
	}
	return false
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
