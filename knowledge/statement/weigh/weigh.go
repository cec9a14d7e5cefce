package weigh

import (
	"iter"
	"slices"
)

// Sentence is a sentence, and what its form tells.
type Sentence struct {
	Text  string
	Marks []string
}

// Sentences are what is weighed: those of one message, in their order.
type Sentences struct {
	model    *Model
	features [][]Feature
	is       [][]float64 // how likely each is of the classes before Lasting
}

// Message prepares the sentences of a message.
func Message(sentences []Sentence) *Sentences {
	s := &Sentences{model: &Model{rows}}
	for _, sentence := range sentences {
		f := Features(sentence)
		z := s.model.sum(Alone(f))
		Softmax(z[:Lasting])
		s.features, s.is = append(s.features, f), append(s.is, z[:Lasting])
	}
	return s
}

// Window is sentences that are weighed together.
type Window struct{ From, To int }

// windowSize is how many sentences are weighed together: people tell a rule and its reason
// in few of them.
const windowSize = 5

// Windows yields the windows of so many sentences.
func Windows(sentences int) iter.Seq[Window] {
	return func(yield func(Window) bool) {
		for from := 0; from == 0 && sentences > 0 || from+windowSize <= sentences; from++ {
			if !yield(Window{from, min(from+windowSize, sentences)}) {
				return
			}
		}
	}
}

// Lasting is how likely it is that the sentences around one, and it among them, say
// something that holds for later: 0 to 1.
func (s *Sentences) Lasting(at int) float64 {
	best := 0.0
	for w := range Windows(len(s.features)) {
		if w.From <= at && at < w.To {
			z := s.model.sum(Together(s.features[w.From:w.To]))
			best = max(best, logistic(z[Lasting]))
		}
	}
	return best
}

// Is says how likely it is that a sentence is of a class, one of Nothing, Decision,
// Instruction and Reason: 0 to 1, together 1.
func (s *Sentences) Is(at int) []float64 { return s.is[at] }

// Together are the features of several sentences, each once.
func Together(sentences [][]Feature) []Feature {
	f := features(slices.Concat(sentences...))
	n := len(f)
	f.add("#")
	f.size("#sentences ", len(sentences))
	f.size("#features ", n/10)
	return f.sorted()
}

// Alone are the features by which a sentence is told to be a rule, or a reason.
func Alone(sentence []Feature) []Feature {
	f := features(slices.Clone(sentence))
	f.add("#")
	return f.sorted()
}
