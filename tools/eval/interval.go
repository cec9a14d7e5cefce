package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// resamples is how many corpora the bootstrap draws.
const resamples = 2000

// interval is where 95 % of the resampled values lie.
type interval struct{ low, high float64 }

// bootstrap draws sessions with replacement and returns the interval of what
// pick takes from each draw: the percentile bootstrap of Efron, with sessions as
// the units, because the events of one session resemble each other. Its draws
// are the same in every run.
func bootstrap(sessions []tally, pick func(tally) share) interval {
	draw := rand.New(rand.NewPCG(1, 2))
	var values []float64
	for range resamples {
		var s share
		for range sessions {
			s = s.plus(pick(sessions[draw.IntN(len(sessions))]))
		}
		if s.of > 0 {
			values = append(values, s.value())
		}
	}
	if len(values) == 0 {
		return interval{}
	}
	slices.Sort(values)
	i := interval{values[len(values)*25/1000], values[len(values)*975/1000]}
	if i.low == i.high {
		return wilson(sum(sessions), pick)
	}
	return i
}

// wilson is Wilson's score interval over single events, for where every session
// says the same: drawing sessions would claim certainty then.
func wilson(all tally, pick func(tally) share) interval {
	const z = 1.96
	s := pick(all)
	n, p := float64(s.of), s.value()
	middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return interval{(middle - half) / (1 + z*z/n), (middle + half) / (1 + z*z/n)}
}
