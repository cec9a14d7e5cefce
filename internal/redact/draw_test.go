package redact

import (
	"flag"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
)

// seed makes another run of everything that is drawn: go test -seed=7.
var seed = flag.Uint64("seed", 1, "what made-up secrets are drawn from")

// dice draws the same for one seed and one purpose.
func dice(t testing.TB, purpose string) *rand.Rand {
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("drawn with -seed=%d", *seed)
		}
	})
	h := uint64(14695981039346656037)
	for i := range len(purpose) {
		h = (h ^ uint64(purpose[i])) * 1099511628211
	}
	return rand.New(rand.NewPCG(*seed, h))
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// draw returns a text that a pattern matches.
func draw(r *rand.Rand, pattern string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(pattern + ": " + err.Error())
	}
	var out strings.Builder
	drawInto(r, re, &out)
	return out.String()
}

// drawMost bounds repetitions that have no bound of their own.
const drawMost = 8

func drawInto(r *rand.Rand, re *syntax.Regexp, out *strings.Builder) {
	repeat := func(low, high int) {
		if high < 0 || high > low+40 {
			high = low + drawMost
		}
		for range low + r.IntN(high-low+1) {
			drawInto(r, re.Sub[0], out)
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		out.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		out.WriteRune(drawRune(r, re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteByte(pick(r, []byte(letters+digits)))
	case syntax.OpRepeat:
		repeat(re.Min, re.Max)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpStar:
		repeat(0, -1)
	case syntax.OpPlus:
		repeat(1, -1)
	case syntax.OpAlternate:
		drawInto(r, pick(r, re.Sub), out)
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			drawInto(r, sub, out)
		}
	}
}

// drawRune returns a printable ASCII character of the ranges.
func drawRune(r *rand.Rand, ranges []rune) rune {
	var all []rune
	for i := 0; i < len(ranges); i += 2 {
		for c := max(ranges[i], '!'); c <= min(ranges[i+1], '~'); c++ {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return 'x'
	}
	return pick(r, all)
}
