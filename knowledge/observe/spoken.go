package observe

import (
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// What a person settled comes back in other words of theirs, often a few: "like
// everywhere, in UTC". So persons' words are compared among each other by their rare
// words and names alone, see [statement.Topic], across types: who objects to a thing that
// was decided says the decision again. In doubt they are kept apart.

var spokenScope = knowledge.Digest("", idDigits, "spoken")

// spokenOf returns what a person's words are about as a shape, nil for other signals.
func spokenOf(s Signal) []string {
	said := s.Type == knowledge.Decision || s.Origin == OriginUserCorrection && s.Type == knowledge.Pitfall
	if !said || s.Failure != nil {
		return nil
	}
	words := statement.Topic(s.Title.String())
	if len(words) < 2 || len(words) > maxShapeWords {
		return nil
	}
	return []string{spokenScope + " " + strings.Join(words, " ")}
}

func isSpoken(shape string) bool { return strings.HasPrefix(shape, spokenScope+" ") }

// spokenWords returns the words of such a shape.
func spokenWords(shape string) []string { return strings.Fields(shape[len(spokenScope):]) }

// spokenPoints are where two of them meet: the beginnings of their words.
func spokenPoints(words []string) []uint64 {
	var points []uint64
	for _, w := range words {
		h := fnv.New64a()
		_, _ = io.WriteString(h, spokenScope+"\x00"+string([]rune(strings.TrimPrefix(w, "-") + "    ")[:4]))
		points = append(points, h.Sum64())
	}
	return points
}

// sameMatter says whether two are about the same: they share at least two words,
// all of the shorter one and half of the longer one. Of words that say that they come
// back to something two in three suffice, if one is a name or three are shared. What one
// of them turns down must not be what the other one wants.
func sameMatter(a, b []string) bool {
	recalls := slices.Contains(a, statement.Recall) || slices.Contains(b, statement.Recall)
	a, b = withoutRecall(a), withoutRecall(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	shared, named := 0, false
	for _, x := range a {
		for _, y := range b {
			switch {
			case statement.SameStem(x, y):
				shared++
				named = named || statement.IsName(x)
			case statement.SameStem(strings.TrimPrefix(x, "-"), strings.TrimPrefix(y, "-")):
				return false
			default:
				continue
			}
			break
		}
	}
	switch {
	case shared < 2:
		return false
	case recalls:
		return 3*shared >= 2*len(a) && (named || shared > 2 || shared == len(a))
	}
	return shared == len(a) && 2*shared >= len(b)
}

func withoutRecall(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == statement.Recall })
}
