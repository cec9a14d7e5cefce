package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/pairs"
)

// TestPairs: two sessions make twenty mistakes with ordinary tools and mend them. In the
// third one most are stopped, and none of the right calls beside them is. The same with other
// arguments in the second session, and in the third.
func TestPairs(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	all := pairs.Read(t, "../../internal/test/e2e/testdata/pairs")
	same := func(p pairs.Pair) (mistake, fix pairs.Call) { return p.Mistake, p.Fix }
	again := func(p pairs.Pair) (mistake, fix pairs.Call) { return p.Again, p.Mending }
	for _, c := range []struct {
		name          string
		second, third func(pairs.Pair) (mistake, fix pairs.Call)
		stopped       int // at least
	}{
		{"the same each time", same, same, 14},
		{"other arguments in the second session", again, same, 12},
		{"other arguments in the third session", same, again, 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := prepare(t, true)
			p.mend(all, same)
			p.mend(all, c.second)
			s := p.begin(true)
			for _, pair := range all {
				for _, right := range pair.Right {
					if r := s.shell(right); r.stopped {
						t.Errorf("%s: stopped is %q, which is right: %s", pair.Name, right.Line, r.reason)
					}
				}
			}
			stopped := 0
			for _, pair := range all {
				mistake, _ := c.third(pair)
				r := s.shell(mistake)
				if r.stopped && pair.Fixed(r.reason) {
					stopped++
				}
				t.Logf("%-28s stopped %-5v %s", pair.Name, r.stopped, oneLine(r.text()))
			}
			s.end()
			if len(all) != 20 || stopped < c.stopped {
				t.Errorf("stopped are %d of %d mistakes, want %d of 20", stopped, len(all), c.stopped)
			}
			for _, w := range p.wrong {
				t.Error(w)
			}
		})
	}
}

// mend has a session that makes each mistake and mends it.
func (p *player) mend(all []pairs.Pair, calls func(pairs.Pair) (mistake, fix pairs.Call)) {
	p.day()
	s := p.begin(true)
	s.write("user", map[string]any{"role": "user", "content": "Go on."}, nil)
	for _, pair := range all {
		mistake, fix := calls(pair)
		s.shell(mistake)
		s.shell(fix)
	}
	s.end()
}

// shell makes a call of the shell that ends as it says. Behind a pipe the shell tells how
// the last command ended.
func (s *played) shell(c pairs.Call) reply {
	status := strconv.Itoa(c.Status)
	if strings.Contains(c.Line, "| tail") {
		status = "0"
	}
	return s.made("Bash", map[string]any{"command": c.Line, "description": "Run it"}, exited(status, c.Output))
}
