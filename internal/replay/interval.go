package replay

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Share is a part of a whole, with the interval in which 95 % of the shares lie that
// sessions drawn with replacement give.
type Share struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// resamples is how many histories the bootstrap draws.
const resamples = 1000

// part is how much of something one session has: n of.
type part struct {
	problem int
	n, of   float64
}

// micro is the share over all parts.
func micro(parts [][]part, order []int) float64 {
	var n, of float64
	for _, i := range order {
		for _, p := range parts[i] {
			n, of = n+p.n, of+p.of
		}
	}
	return divide(n, of)
}

// macro is the average of the problems' shares.
func macro(parts [][]part, order []int, problems int) float64 {
	n, of := make([]float64, problems), make([]float64, problems)
	for _, i := range order {
		for _, p := range parts[i] {
			n[p.problem], of[p.problem] = n[p.problem]+p.n, of[p.problem]+p.of
		}
	}
	var sum, met float64
	for i := range of {
		if of[i] > 0 {
			sum, met = sum+n[i]/of[i], met+1
		}
	}
	return divide(sum, met)
}

// divide is not a number where there is nothing to divide by.
func divide(n, of float64) float64 { return rounded(n / of) }

// shareOf is a share with its interval: the percentile bootstrap with sessions as the
// units, because the calls of one session resemble each other. Its draws are the same
// in every run.
func shareOf(sessions int, of func(order []int) float64) Share {
	order := make([]int, sessions)
	for i := range order {
		order[i] = i
	}
	share := Share{Value: of(order)}
	if math.IsNaN(share.Value) {
		return Share{}
	}
	draw := rand.New(rand.NewPCG(1, 2))
	var values []float64
	for range resamples {
		for i := range order {
			order[i] = draw.IntN(sessions)
		}
		if v := of(order); !math.IsNaN(v) { // a draw may hold none of the problems
			values = append(values, v)
		}
	}
	slices.Sort(values)
	share.Low, share.High = values[len(values)*25/1000], values[len(values)*975/1000]
	return share
}

func rounded(x float64) float64 { return math.Round(x*10000) / 10000 }
