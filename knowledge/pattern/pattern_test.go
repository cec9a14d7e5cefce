package pattern

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/calls"
)

// generated is a log of sessions in which make check works with one probability when
// make fmt came before it since the last edit, and with another when not.
func generated(r *rand.Rand, sessions int, with, without float64) []calls.Session {
	var log []calls.Session
	for n := range sessions {
		s := calls.Session{Name: fmt.Sprintf("s%03d", n)}
		add := func(tool, input string, ok bool) {
			c := calls.Call{ID: fmt.Sprint(len(s.Calls)), Line: len(s.Calls), At: int64(1000 * (len(s.Calls) + 1)), Tool: tool, Input: input, Outcome: calls.OK}
			if !ok {
				c.Outcome = calls.Failed
			}
			s.Calls = append(s.Calls, c)
		}
		for range 6 {
			add("Edit", "a.go", true)
			if r.IntN(2) == 0 {
				add("Bash", "git status", true)
			}
			if r.IntN(3) == 0 {
				add("Bash", "go vet ./...", true)
			}
			p := without
			if r.IntN(2) == 0 {
				add("Bash", "make fmt", true)
				p = with
			}
			add("Bash", "make check", r.Float64() < p)
		}
		log = append(log, s)
	}
	return log
}

func has(r Result, kind Kind, by, goal string) bool {
	for _, p := range r.Patterns {
		if p.Kind == kind && p.By == by && p.Goal == goal {
			return true
		}
	}
	return false
}

// A difference of 0.3 over 40 sessions is found in at least 95 of 100 logs.
func TestPlantedPatternsAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const runs = 200
	found := 0
	for range runs {
		if has(Find(generated(r, 40, 0.9, 0.6)), BestPractice, "make fmt", "make check") {
			found++
		}
	}
	t.Logf("found in %d of %d logs", found, runs)
	if found < runs*95/100 {
		t.Errorf("found in %d of %d logs", found, runs)
	}
}

// shuffled exchanges the outcomes of the calls among each other.
func shuffled(r *rand.Rand, log []calls.Session) []calls.Session {
	var all []*calls.Call
	for i := range log {
		for j := range log[i].Calls {
			if c := &log[i].Calls[j]; c.Tool == "Bash" {
				all = append(all, c)
			}
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i].Outcome, all[j].Outcome = all[j].Outcome, all[i].Outcome })
	return log
}

// Where outcomes are shuffled there is nothing to find: at most one log in twenty claims something.
func TestPermutedLogsHoldNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const runs = 200
	wrong := 0
	for range runs {
		if found := Find(shuffled(r, generated(r, 40, 0.9, 0.6))); len(found.Patterns) > 0 {
			wrong++
		}
	}
	t.Logf("false discoveries in %d of %d logs", wrong, runs)
	if wrong > runs*5/100 {
		t.Errorf("false discoveries in %d of %d logs", wrong, runs)
	}
}

// clustered is a log in which each session works as well as it does: some nearly always,
// some hardly ever, and make fmt is a habit of some sessions that changes nothing.
func clustered(r *rand.Rand, sessions int) []calls.Session {
	var log []calls.Session
	for n := range sessions {
		p, habit := 0.02+0.96*float64(r.IntN(2)), r.IntN(2) == 0
		one := generated(r, 1, p, p)[0]
		one.Name = fmt.Sprintf("s%03d", n)
		var kept []calls.Call
		for _, c := range one.Calls {
			if c.Input == "make fmt" && !habit {
				continue
			}
			kept = append(kept, c)
			if c.Input == "a.go" && habit {
				fmt := c
				fmt.ID, fmt.Tool, fmt.Input, fmt.Outcome = c.ID+"f", "Bash", "make fmt", calls.OK
				kept = append(kept, fmt)
			}
		}
		one.Calls = kept
		log = append(log, one)
	}
	return log
}

// The calls of one session resemble each other: that good sessions have a habit is no
// effect of the habit. At most one log in twenty claims something.
func TestSessionsThatDifferHoldNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const runs = 200
	wrong := 0
	for range runs {
		if found := Find(clustered(r, 20)); len(found.Patterns) > 0 {
			wrong++
		}
	}
	t.Logf("false discoveries in %d of %d logs", wrong, runs)
	if wrong > runs*5/100 {
		t.Errorf("false discoveries in %d of %d logs", wrong, runs)
	}
}

func session(n int, inputs ...string) calls.Session {
	s := calls.Session{Name: fmt.Sprintf("s%03d", n)}
	for i, input := range inputs {
		c := calls.Call{ID: fmt.Sprint(i), Line: i, At: int64(i + 1), Tool: "Bash", Outcome: calls.OK}
		if input[0] == '!' {
			input, c.Outcome = input[1:], calls.Failed
		}
		if c.Input = input; input == "edit" {
			c.Tool = "Edit"
		}
		s.Calls = append(s.Calls, c)
	}
	return s
}

// success then failure: what mended it is a recovery.
func TestFailureThenSuccessIsARecovery(t *testing.T) {
	var log []calls.Session
	for n := range 24 {
		if n%2 == 0 {
			log = append(log, session(n, "!make test", "make generate", "make test"))
		} else {
			log = append(log, session(n, "!make test", "git status", "!make test"))
		}
	}
	r := Find(log)
	if !has(r, Recovery, "make generate", "make test") {
		t.Errorf("got %+v", r.Patterns)
	}
}

func TestToolSequence(t *testing.T) {
	var log []calls.Session
	for n := range 30 {
		if n%2 == 0 {
			log = append(log, session(n, "make generate", "make build", "make test"))
		} else {
			log = append(log, session(n, "make build", "make generate", "!make test"))
		}
	}
	for _, p := range Find(log).Patterns {
		if p.Kind == Sequence && p.First == "make generate" && p.By == "make build" && p.Goal == "make test" {
			return
		}
	}
	t.Error("no sequence")
}

func TestEfficiency(t *testing.T) {
	var log []calls.Session
	for n := range 30 {
		if n%2 == 0 {
			log = append(log, session(n, "!make test", "make generate", "make test"))
		} else {
			log = append(log, session(n, "!make test", "go build ./...", "!make test", "go vet ./...", "!make test", "make generate", "make test"))
		}
	}
	r := Find(log)
	if !has(r, Efficiency, "make generate", "make test") {
		t.Errorf("got %+v", r.Patterns)
	}
}

// A failure that an edit mended tells of what stood in the file. Nothing that was run or not
// run before it made it fail: a check that agents run at the end of their work is no cure for it.
func TestFailuresMendedByEditsAreNoEvidence(t *testing.T) {
	for _, c := range []struct {
		how  calls.How
		want bool
	}{{calls.ByRun, true}, {calls.ByEdit, false}} {
		var log []calls.Session
		for n := range 30 {
			one := session(n, "make fmt", "make test", "edit", "make test")
			if n%2 == 0 {
				one = session(n, "!make test", "edit", "make fmt", "make test")
				one.Calls[3].Mends = []calls.Mend{{Call: one.Calls[0].ID, How: c.how}}
			}
			log = append(log, one)
		}
		if got := has(Find(log), BestPractice, "make fmt", "make test"); got != c.want {
			t.Errorf("mended by %s: found %v, want %v", c.how, got, c.want)
		}
	}
}

// Calls that such a failure took to its mend are no measure of a way to mend it.
func TestEditsAreNoWayThatTakesFewerCalls(t *testing.T) {
	for _, mended := range []bool{true, false} {
		var log []calls.Session
		for n := range 30 {
			one := session(n, "!make test", "make generate", "make test")
			if n%2 == 0 {
				one = session(n, "!make test", "go build ./...", "edit", "edit", "edit", "make test")
			}
			if last := len(one.Calls) - 1; mended {
				one.Calls[last].Mends = []calls.Mend{{Call: one.Calls[0].ID, How: calls.ByEdit}}
			}
			log = append(log, one)
		}
		if got := has(Find(log), Efficiency, "make generate", "make test"); got == mended {
			t.Errorf("mended by edits %v: found %v", mended, got)
		}
	}
}

func TestAllSuccessesAndAllFailuresClaimNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, p := range []float64{0, 1} {
		if found := Find(generated(r, 40, p, p)); len(found.Patterns) > 0 {
			t.Errorf("got %+v", found.Patterns)
		}
	}
	if found := Find(nil); found.Tested != 0 || found.Patterns == nil {
		t.Errorf("got %+v", found)
	}
}

// What the agent's own rules imply is no pattern: reading before editing.
func TestFileToolsMakeNoPattern(t *testing.T) {
	var log []calls.Session
	for n := range 40 {
		s := session(n, "edit", "edit")
		if s.Calls[0].Tool = "Read"; n%2 == 0 {
			s.Calls[0].Tool, s.Calls[1].Outcome = "Grep", calls.Failed
		}
		log = append(log, s)
	}
	if r := Find(log); r.Tested != 0 {
		t.Errorf("tested %d", r.Tested)
	}
}

func TestTwoAnalysesOfOneLogAreTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	log := generated(r, 40, 0.9, 0.5)
	a := fmt.Sprint(Find(log))
	if b := fmt.Sprint(Find(log)); a != b {
		t.Error("two analyses differ")
	}
}

func TestExactTests(t *testing.T) {
	for _, c := range []struct {
		table Table
		want  float64
	}{
		{Table{3, 4, 1, 4}, 0.4857142857}, // the lady tasting tea
		{Table{8, 10, 1, 6}, 0.0349650350},
		{Table{5, 5, 5, 5}, 1},
	} {
		if got := c.table.Fisher(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: %.10f, want %.10f", c.table, got, c.want)
		}
	}
	if p := MannWhitney([]float64{1, 2, 3, 4, 5, 6, 7, 8}, []float64{9, 10, 11, 12, 13, 14, 15, 16}); p > 0.002 || p < 0.0005 {
		t.Errorf("got %f", p)
	}
	got := adjusted([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.02, 0.04, 0.04, 0.02} {
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("got %v", got)
		}
	}
	if _, low, high := Share(8, 10); math.Abs(low-0.4902) > 1e-3 || math.Abs(high-0.9433) > 1e-3 {
		t.Errorf("got %f to %f", low, high)
	}
}

// A line of several commands that failed does not say which of them did, and must not
// count as one without those before the last.
func TestLinesOfSeveralCommandsProveNothing(t *testing.T) {
	var log []calls.Session
	for n := range 40 {
		if n%2 == 0 {
			log = append(log, session(n, "git add a && git commit -m b", "git commit -m c"))
		} else {
			log = append(log, session(n, "!git add a && git commit -m b", "git commit -m c"))
		}
	}
	if r := Find(log); len(r.Patterns) > 0 {
		t.Errorf("got %+v", r.Patterns)
	}
}
