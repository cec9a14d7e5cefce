package main

import (
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
	return interval{values[len(values)*25/1000], values[len(values)*975/1000]}
}
