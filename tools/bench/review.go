package main

import (
	"fmt"
	"time"
)

// someDrafts is how many drafts wait for a person who was away for long.
const someDrafts = 3_000

// benchReview times what a program asks for before it shows drafts, beside an empty Go program.
func benchReview(p *place) ([]row, error) {
	dir, err := p.repository("drafts")
	if err != nil {
		return nil, err
	}
	if err := writeLessons(dir, someDrafts, "draft"); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"git", "add", "."}, {"git", "commit", "-q", "-m", "Drafts"}} {
		if err := p.do(dir, args...); err != nil {
			return nil, err
		}
	}
	time.Sleep(rest)
	few := *p
	few.runs = min(p.runs, 20) // each is long
	times, err := few.medians(dir, []string{p.empty}, []string{p.lessons, "review", "--json"})
	if err != nil {
		return nil, err
	}
	return []row{{
		what:     fmt.Sprintf("lessons review --json, %d drafts (no requirement)", someDrafts),
		measured: fmt.Sprintf("%.0f x (%v)", float64(times[1])/float64(times[0]), times[1].Round(100*time.Microsecond)),
		limit:    "-", holds: true,
	}}, nil
}
