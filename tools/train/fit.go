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
	descents = 6    // each with the examples in another order
	rounds   = 8    // of a descent, over all examples
	settled  = 3    // rounds that only lead to where the weights stay
	rate     = 0.25 // of learning
	decay    = 0.5  // of weights, so that they stay small
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

// fit is a multinomial logistic regression: the mean of several descents, because a single
// one depends on the order of the examples.
func fit(all []sample, classes int) map[weigh.Feature][]float64 {
	mean, of := prepare(all, classes)
	for i := range descents {
		descend(all, mean, of, rand.New(rand.NewPCG(uint64(i), 1)))
	}
	return mean
}

// descend follows stochastic gradients, with a rate for each weight (AdaGrad: Duchi, Hazan,
// Singer 2011), and adds its share to the mean: of the weights behind each round but the first
// ones (Polyak, Juditsky 1992). Classes that are rare count more; of says how many each has.
func descend(all []sample, mean map[weigh.Feature][]float64, of []float64, random *rand.Rand) {
	weights, steps := map[weigh.Feature][]float64{}, map[weigh.Feature][]float64{}
	for f := range mean {
		weights[f], steps[f] = make([]float64, len(of)), make([]float64, len(of))
	}
	share := make([]float64, len(of))
	order := random.Perm(len(all))
	for round := range rounds {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			s := all[i]
			shares(share, s.features, weights)
			counts := math.Sqrt(float64(len(all)) / float64(len(of)) / of[s.class])
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
		for f, w := range weights {
			for c := range w {
				if round >= settled {
					mean[f][c] += w[c] / ((rounds - settled) * descents)
				}
			}
		}
	}
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
