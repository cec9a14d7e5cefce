package main

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/knowledge/statement/weigh"
)

const (
	seldomIn = 3    // texts must have a feature that is weighed
	rounds   = 10   // over all examples
	rate     = 0.25 // of learning
	decay    = 0.2  // of weights, so that they stay small
)

// sample is the features of a text, and its class.
type sample struct {
	features []weigh.Feature
	class    int
}

// train makes a model from examples: sentences alone tell what each is, and those that stand
// together whether they say something that holds for later.
func train(all []*example) *weigh.Model {
	var alone, together []sample
	for _, e := range all {
		var sentences [][]weigh.Feature
		for i, s := range e.sentences {
			f := weigh.Features(s)
			sentences = append(sentences, f)
			alone = append(alone, sample{weigh.Alone(f), int(e.classes[i])})
		}
		for _, part := range e.clauses() {
			alone = append(alone, sample{weigh.Alone(weigh.Features(statement.MarkedClause(part.text))), int(part.class)})
		}
		for window := range weigh.Windows(len(sentences)) {
			class := 0
			if slices.Contains(e.classes[window.From:window.To], e.rule()) {
				class = 1
			}
			together = append(together, sample{weigh.Together(sentences[window.From:window.To]), class})
		}
	}
	weights := map[weigh.Feature]weigh.Weights{}
	for f, w := range fit(alone, int(weigh.Lasting)) {
		row := weights[f]
		for c, v := range w {
			row[c] = weigh.Written(v)
		}
		weights[f] = row
	}
	for f, w := range fit(together, 2) {
		row := weights[f]
		row[weigh.Lasting] = weigh.Written(w[1] - w[0])
		weights[f] = row
	}
	maps.DeleteFunc(weights, func(_ weigh.Feature, w weigh.Weights) bool { return w == weigh.Weights{} })
	return weigh.ModelOf(weights)
}

// fit is a multinomial logistic regression by stochastic gradients, with a rate for each
// weight (AdaGrad: Duchi, Hazan, Singer 2011). Classes that are rare count more.
func fit(all []sample, classes int) map[weigh.Feature][]float64 {
	weights, of := prepare(all, classes)
	steps := map[weigh.Feature][]float64{}
	for f := range weights {
		steps[f] = make([]float64, classes)
	}
	random := rand.New(rand.NewPCG(1, 1))
	share := make([]float64, classes)
	for range rounds {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, s := range all {
			shares(share, s.features, weights)
			counts := math.Sqrt(float64(len(all)) / float64(classes) / of[s.class])
			for c := range share {
				gradient := share[c] * counts
				if c == s.class {
					gradient -= counts
				}
				for _, f := range s.features {
					g := gradient + decay*weights[f][c]
					steps[f][c] += g * g
					weights[f][c] -= rate * g / math.Sqrt(steps[f][c]+1)
				}
			}
		}
	}
	return weights
}

// prepare makes a weight for each feature that several samples have, leaves the other ones
// out, and counts the samples of each class.
func prepare(all []sample, classes int) (weights map[weigh.Feature][]float64, of []float64) {
	weights, of = map[weigh.Feature][]float64{}, make([]float64, classes)
	in := map[weigh.Feature]int{}
	for _, s := range all {
		of[s.class]++
		for _, f := range s.features {
			in[f]++
		}
	}
	for f, n := range in {
		if n >= seldomIn {
			weights[f] = make([]float64, classes)
		}
	}
	for i, s := range all {
		all[i].features = slices.DeleteFunc(s.features, func(f weigh.Feature) bool { return weights[f] == nil })
	}
	return weights, of
}

// shares sets how likely each class is.
func shares(share []float64, features []weigh.Feature, weights map[weigh.Feature][]float64) {
	clear(share)
	for _, f := range features {
		for c, w := range weights[f] {
			share[c] += w
		}
	}
	weigh.Softmax(share)
}
