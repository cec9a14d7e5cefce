package pattern

import (
	"cmp"
	"math"
	"slices"

	"github.com/lessons-cli/lessons/internal/lists"
)

// Table is how often something worked with a thing and without it.
type Table struct {
	WithOK, With, WithoutOK, Without int
}

// Difference is the risk difference, with its 95 % interval (Newcombe's hybrid score).
func (t Table) Difference() (d, low, high float64) {
	a, alow, ahigh := Share(t.WithOK, t.With)
	b, blow, bhigh := Share(t.WithoutOK, t.Without)
	d = a - b
	return d, d - math.Hypot(a-alow, bhigh-b), d + math.Hypot(ahigh-a, b-blow)
}

// Share is a part of a whole with its 95 % interval (Wilson's score).
func Share(n, of int) (share, low, high float64) {
	if of == 0 {
		return 0, 0, 1
	}
	const z = z95
	m := float64(of)
	share = float64(n) / m
	centre := (share + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(share*(1-share)/m+z*z/(4*m*m))
	return share, max(0, centre-half), min(1, centre+half)
}

// Fisher is the two-sided exact probability of tables at least as unlikely as this one.
func (t Table) Fisher() float64 {
	ok, all := t.WithOK+t.WithoutOK, t.With+t.Without
	of := func(k int) float64 { return math.Exp(choose(ok, k) + choose(all-ok, t.With-k) - choose(all, t.With)) }
	here, sum := of(t.WithOK), 0.0
	for k := max(0, t.With-(all-ok)); k <= min(ok, t.With); k++ {
		if p := of(k); p <= here*(1+1e-7) {
			sum += p
		}
	}
	return min(1, sum)
}

// z95 is how many standard errors hold 95 % of a normal distribution.
const z95 = 1.959964

// clustered is the two-sided probability of the risk difference where sessions and not calls
// are independent, and the difference's standard error: units are the tables of the sessions.
// It linearises the difference of two ratios, and corrects for few sessions as Student does.
func (t Table) clustered(units []Table) (p, spread float64) {
	n, m := float64(t.With), float64(t.Without)
	a, b := float64(t.WithOK)/n, float64(t.WithoutOK)/m
	sum := 0.0
	for _, u := range units {
		r := (float64(u.WithOK)-a*float64(u.With))/n - (float64(u.WithoutOK)-b*float64(u.Without))/m
		sum += r * r
	}
	free := float64(len(units) - 2)
	if free <= 0 {
		return 1, 1
	}
	spread = math.Sqrt(sum * (free + 2) / (free + 1))
	if spread == 0 {
		return 0, 0 // every session is like every other
	}
	z := math.Abs(a-b) / spread
	z *= (1 - 1/(4*free)) / math.Sqrt(1+z*z/(2*free))
	return math.Erfc(z / math.Sqrt2), spread
}

// choose is the logarithm of a binomial coefficient.
func choose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// MannWhitney is the two-sided probability that two samples of one distribution differ so
// much, by the normal approximation with the correction for ties.
func MannWhitney(a, b []float64) float64 {
	type value struct {
		v     float64
		first bool
	}
	all := lists.Map(a, func(v float64) value { return value{v, true} })
	all = append(all, lists.Map(b, func(v float64) value { return value{v, false} })...)
	slices.SortFunc(all, func(x, y value) int { return cmp.Compare(x.v, y.v) })
	n, m, sum, ties := float64(len(a)), float64(len(b)), 0.0, 0.0
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].v == all[i].v {
			j++
		}
		k := float64(j - i)
		ties += k*k*k - k
		for ; i < j; i++ {
			if all[i].first {
				sum += float64(j) - (k-1)/2
			}
		}
	}
	total := n + m
	spread := math.Sqrt(n * m / 12 * (total + 1 - ties/(total*(total-1))))
	if spread == 0 || math.IsNaN(spread) {
		return 1
	}
	u := math.Abs(sum-n*(n+1)/2-n*m/2) - 0.5
	return min(1, math.Erfc(max(0, u)/spread/math.Sqrt2))
}

// adjusted are probabilities by Benjamini and Hochberg: the share of false discoveries
// among those that are at least as small.
func adjusted(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	q, least := make([]float64, len(p)), 1.0
	for rank := len(order); rank > 0; rank-- {
		i := order[rank-1]
		least = min(least, p[i]*float64(len(p))/float64(rank))
		q[i] = least
	}
	return q
}

func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n == 0 {
		return 0
	}
	return (values[(n-1)/2] + values[n/2]) / 2
}

// Add adds another table up with this one.
func (t *Table) Add(o Table) {
	t.With, t.WithOK, t.Without, t.WithoutOK = t.With+o.With, t.WithOK+o.WithOK, t.Without+o.Without, t.WithoutOK+o.WithoutOK
}
