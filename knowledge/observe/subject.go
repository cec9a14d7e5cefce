package observe

import (
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/statement"
)

// What people say comes back in other words. Its subject is its rare words and
// names, see [statement.Topic]. It is kept as a shape with a scope of its own,
// across types: who objects to a thing that was decided says the decision again. In
// doubt two of them are kept apart.

var subjectScope = knowledge.Digest("", idDigits, "subject")

// subjectOf returns the subject of what a person said as a shape, nil for other signals.
func subjectOf(s Signal) []string {
	said := s.Type == knowledge.Decision || s.Origin == OriginUserCorrection && s.Type == knowledge.Pitfall
	words := statement.Topic(s.Title.String())
	if !said || s.Failure != nil || len(words) < 2 || len(words) > maxShapeWords {
		return nil
	}
	return []string{subjectScope + " " + strings.Join(words, " ")}
}

// subjectWords returns the words of a subject; nil: the shape is none.
func subjectWords(shape string) []string {
	if words, ok := strings.CutPrefix(shape, subjectScope+" "); ok {
		return strings.Fields(words)
	}
	return nil
}

// subjectPoints are where subjects meet: the beginnings of their words.
func subjectPoints(words []string) []uint64 {
	var points []uint64
	for _, w := range words {
		h := fnv.New64a()
		_, _ = io.WriteString(h, subjectScope+"\x00"+string([]rune(strings.TrimPrefix(w, "-") + "    ")[:4]))
		points = append(points, h.Sum64())
	}
	return points
}

// sameSubject says whether two subjects are about the same: they share at least two words,
// all of the shorter one and half of the longer one. Of words that say that they come
// back to something two in three suffice, if one is a name or three are shared. What one
// of them turns down must not be what the other one wants.
func sameSubject(a, b []string) bool {
	recalls := slices.Contains(a, statement.Recall) || slices.Contains(b, statement.Recall)
	a, b = withoutRecall(a), withoutRecall(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	shared, named := 0, false
	for _, x := range a {
		for _, y := range b {
			switch {
			case sameStem(x, y):
				shared++
				named = named || statement.IsName(x)
			case sameStem(strings.TrimPrefix(x, "-"), strings.TrimPrefix(y, "-")):
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

// sameStem says whether one word is the beginning of the other.
func sameStem(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) >= 4 && strings.HasPrefix(b, a)
}
