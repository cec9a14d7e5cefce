package scan

import (
	"os"
	"strings"
	"testing"
)

// commandPair is a command that failed, and the one that worked, see
// testdata/pairs.
type commandPair struct{ about, failed, output, fixed string }

func readCommandPairs(t *testing.T) []commandPair {
	t.Helper()
	var all []commandPair
	for _, name := range []string{"documentation", "practice"} {
		raw, err := os.ReadFile("testdata/pairs/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for block := range strings.SplitSeq(string(raw), "\n\n") {
			p := commandPair{}
			for line := range strings.Lines(block) {
				key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
				switch {
				case strings.HasPrefix(line, "== "):
					p.about = strings.TrimSpace(line)
				case key == "failed":
					p.failed = value
				case key == "fixed":
					p.fixed = value
				case key == "error":
					p.output += strings.TrimRight(strings.TrimPrefix(line, "error: "), "\n") + "\n"
				}
			}
			if p.failed != "" && p.fixed != "" {
				all = append(all, p)
			}
		}
	}
	return all
}

// A pair that follows directly is found, whether the client flags the failure
// or a pipe hides it.
func TestErrorFixFindsKnownPairs(t *testing.T) {
	pairs := readCommandPairs(t)
	if len(pairs) < 100 {
		t.Fatalf("%d pairs", len(pairs))
	}
	flagged, hidden, silent := 0, 0, 0
	for _, p := range pairs {
		got := found(errorFixes{}, story{bash(p.failed, fail, "Exit code 1\n"+p.output), bash(p.fixed, ok, "done")})
		if len(got) == 1 {
			flagged++
		} else {
			t.Logf("%s: %s -> %s is not paired", p.about, p.failed, p.fixed)
		}
		if strings.Contains(p.output, "timed out") {
			silent++ // that a client says, behind a pipe or not
			continue
		}
		got = found(errorFixes{}, story{bash(p.failed+" 2>&1 | tail -20", masked, p.output), bash(p.fixed+" 2>&1 | tail -20", masked, "done")})
		if len(got) == 1 {
			hidden++
		} else {
			t.Logf("%s: %s -> %s is not paired behind a pipe", p.about, p.failed, p.fixed)
		}
	}
	t.Logf("%d of %d flagged, %d of %d behind a pipe", flagged, len(pairs), hidden, len(pairs)-silent)
	if 100*flagged < 95*len(pairs) {
		t.Errorf("%d of %d pairs found", flagged, len(pairs))
	}
	if 100*hidden < 85*(len(pairs)-silent) {
		t.Errorf("%d of %d pairs found behind a pipe", hidden, len(pairs)-silent)
	}
}

// What follows a failure is no fix when it is another pair's command.
func TestErrorFixTellsTasksApart(t *testing.T) {
	pairs := readCommandPairs(t)
	tried, wrong := 0, 0
	for i, p := range pairs {
		for _, q := range []commandPair{pairs[(i+17)%len(pairs)], pairs[(i+41)%len(pairs)], pairs[(i+73)%len(pairs)]} {
			if strings.Fields(p.failed)[0] == strings.Fields(q.fixed)[0] {
				continue
			}
			tried++
			if len(found(errorFixes{}, story{bash(p.failed, fail, "Exit code 1\n"+p.output), bash(q.fixed, ok, "done")})) > 0 {
				wrong++
				t.Logf("%s is taken for a fix of %s", q.fixed, p.failed)
			}
		}
	}
	t.Logf("%d of %d", wrong, tried)
	if 100*wrong > 3*tried {
		t.Errorf("%d of %d unrelated commands are taken for fixes", wrong, tried)
	}
}
