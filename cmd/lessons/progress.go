package main

import (
	"fmt"
	"strings"
	"time"
)

// progress is one line on a terminal's standard error.
type progress struct {
	sys         *system
	what        string
	began, last time.Time
	used        bool
}

func newProgress(sys *system, what string) *progress {
	return &progress{sys: sys, what: what, began: sys.now()}
}

const barWidth = 30

// show draws at most ten times a second.
func (p *progress) show(done, total int64) {
	now := p.sys.now()
	if !p.sys.terminal || total <= 0 || now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.used = now, true
	full := int(barWidth * done / total)
	p.sys.stderr.Progress(fmt.Sprintf("%s [%s%s] %3d %% of %d MB%-14s", p.what, strings.Repeat("#", full), strings.Repeat("-", barWidth-full), 100*done/total, total>>20, p.left(now, done, total)))
}

// left says how long the rest takes at the pace so far, once that can be told.
func (p *progress) left(now time.Time, done, total int64) string {
	took := now.Sub(p.began)
	if done <= 0 || took < time.Second {
		return ""
	}
	rest := time.Duration(float64(took) * float64(total-done) / float64(done))
	return fmt.Sprintf(", %s left", rest.Round(time.Second))
}

func (p *progress) done() {
	if p.used {
		p.sys.stderr.EndProgress()
	}
}
