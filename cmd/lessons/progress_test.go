package main

import (
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/plain"
)

func TestProgressIsForTerminals(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	for _, terminal := range []bool{false, true} {
		var out strings.Builder
		bar := newProgress(&system{stderr: plain.NewPrinter(&out), terminal: terminal, now: func() time.Time { return now }}, "scanning")
		for _, done := range []int64{0, 1 << 20, 2 << 20, 3 << 20, 4 << 20} {
			now = now.Add(60 * time.Millisecond) // each second one is too early
			bar.show(done, 4<<20)
		}
		bar.done()
		if !terminal {
			if out.String() != "" {
				t.Errorf("without a terminal: %q", out.String())
			}
			continue
		}
		lines := strings.Split(out.String(), "\r")
		if len(lines) != 5 || !strings.Contains(lines[3], "] 100 % of 4 MB") || strings.Count(lines[2], "#") != barWidth/2 || lines[4] != "\x1b[K" {
			t.Errorf("%q", lines)
		}
	}
}

// How long the rest takes is told once there is a pace to go by.
func TestProgressEstimates(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	var out strings.Builder
	bar := newProgress(&system{stderr: plain.NewPrinter(&out), terminal: true, now: func() time.Time { return now }}, "scanning")
	for _, c := range []struct {
		after time.Duration
		done  int64
		want  string
	}{
		{500 * time.Millisecond, 1 << 20, "of 60 MB  "}, {10 * time.Second, 10 << 20, "of 60 MB, 50s left"}, {55 * time.Second, 55 << 20, ", 5s left"}, {60 * time.Second, 60 << 20, ", 0s left"},
	} {
		out.Reset()
		now = time.Unix(1_800_000_000, 0).Add(c.after)
		if bar.show(c.done, 60<<20); !strings.Contains(out.String(), c.want) {
			t.Errorf("after %s: %q lacks %q", c.after, out.String(), c.want)
		}
	}
}
