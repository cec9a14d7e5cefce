package main

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/plain"
)

// What fits on the screen is printed as it is; what does not goes through the person's pager;
// and where that is not there, all is printed.
func TestPagerIsForWhatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		name, program string
		rows, lines   int
		want          string
	}{
		{"fits", "tr a-z A-Z", 3, 2, "x\nx\n"},
		{"does not fit", "tr a-z A-Z", 3, 3, "X\nX\nX\n"},
		{"no such program", "no-such-pager", 3, 4, "x\nx\nx\nx\n"},
		{"no terminal that says its size", "tr a-z A-Z", 0, 9, strings.Repeat("x\n", 9)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var screen strings.Builder
			inv := &invocation{sys: &system{
				stdout: plain.NewTerminal(&screen, 80, false), screen: &screen, rows: c.rows,
				env: func(name string) string { return map[string]string{"PAGER": c.program}[name] },
			}}
			wait := inv.page("list")
			for range c.lines {
				inv.printf("x\n")
			}
			wait()
			if screen.String() != c.want {
				t.Errorf("%q, want %q", screen.String(), c.want)
			}
		})
	}
}
