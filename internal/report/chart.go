package report

import (
	"math"
	"time"
)

// Sizes of the chart of weeks, in units of its view box.
const (
	chartWidth, chartHeight = 960.0, 260.0
	left, bottom, top       = 44.0, 28.0, 10.0
)

// chart is the chart of weeks as rectangles and lines.
type chart struct {
	Width, Height float64
	Bars          []bar
	Lines         []gridLine
	Labels        []label
	Base          float64 // of the bars
	Left          float64
}

type bar struct {
	X, Y, Width, Height float64
	Kind                string // met, repeated or prevented
	Title               string
}

type gridLine struct {
	Y     float64
	Value int
}

type label struct {
	X    float64
	Text string
}

// drawn lays the weeks out: a stack of three bars each.
func drawn(weeks []Week) chart {
	c := chart{Width: chartWidth, Height: chartHeight, Base: chartHeight - bottom, Left: left}
	most := 0
	for _, w := range weeks {
		most = max(most, w.Total())
	}
	step := stepOf(most)
	height := math.Ceil(float64(max(most, 1))/float64(step)) * float64(step)
	scale := (c.Base - top) / height
	for v := 0; v <= int(height); v += step {
		c.Lines = append(c.Lines, gridLine{rounded(c.Base - float64(v)*scale), v})
	}
	room := (chartWidth - left) / float64(max(len(weeks), 1))
	width := min(room*0.72, 44)
	every := max(1, (len(weeks)+7)/8)
	for i, w := range weeks {
		x, y := left+float64(i)*room+(room-width)/2, c.Base
		for _, part := range []struct {
			n    int
			kind string
		}{{w.Prevented, "prevented"}, {w.Repeated, "repeated"}, {w.Met, "met"}} {
			if part.n == 0 {
				continue
			}
			h := float64(part.n) * scale
			y -= h
			c.Bars = append(c.Bars, bar{rounded(x), rounded(y), rounded(width), rounded(h), part.kind, w.From.Format("2 Jan 2006") + ": " + words(part.n, part.kind)})
		}
		if i%every == 0 {
			c.Labels = append(c.Labels, label{rounded(x + width/2), w.From.Format("2 Jan")})
		}
	}
	return c
}

// stepOf is a round distance of lines, so that there are about four.
func stepOf(most int) int {
	for _, step := range []int{1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000} {
		if most <= 4*step {
			return step
		}
	}
	return (most + 3) / 4
}

func rounded(f float64) float64 { return math.Round(f*10) / 10 }

// share is a number as a part of the greatest, in percent.
func share(n, greatest float64) float64 {
	if greatest <= 0 {
		return 0
	}
	return rounded(100 * n / greatest)
}

func span(weeks []Week) (first, last time.Time) {
	if len(weeks) == 0 {
		return first, last
	}
	return weeks[0].From, weeks[len(weeks)-1].From.AddDate(0, 0, 6)
}

// dearest is the greatest cost among problems, in minutes.
func dearest(all []Problem) float64 {
	most := 0.0
	for _, p := range all {
		most = max(most, p.Minutes)
	}
	return most
}
