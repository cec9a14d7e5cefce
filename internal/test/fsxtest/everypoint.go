package fsxtest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/fsx"
)

// Scenario is a program run that is struck at every call that changes
// something.
type Scenario struct {
	// Start is the state before; it is not changed.
	Start *Memory
	// Run is the program. Each call of it is one process: it must keep nothing
	// in memory from one call to the next.
	Run func(fsx.FS) error
	// Between is what a person does between the fault and the recovery.
	Between func(*Memory)
	// Recover is the next process; nil: Run once more.
	Recover func(fsx.FS) error
	// Check looks at the state after recovery; nil: it must be that of an
	// uninterrupted run. want is that state.
	Check func(at Point, want, got map[string]string) error
	// Modes are the kinds of fault; nil: all.
	Modes []Mode
	// Chances is how often PowerSome throws the dice for a call; 0: four times.
	Chances int
}

// Point is one fault.
type Point struct {
	Mode Mode
	Call int    // number of the call
	What string // the call
	Err  error  // what Run returned
}

func (p Point) String() string { return fmt.Sprintf("%v call %d (%s)", p.Mode, p.Call, p.What) }

var allModes = []Mode{KillBefore, KillAfter, KillTorn, PowerLoss, PowerSome, FailOnce, FailOn, Short}

const maxReports = 5

// EveryPoint strikes the scenario at every call, in every mode, recovers each
// time and checks. It returns how many points there were. It also checks that a
// run without a fault, and one that went on behind a fault without an error, has
// made everything durable.
func EveryPoint(t testing.TB, s Scenario) int {
	t.Helper()
	whole := s.Start.Clone()
	if err := s.Run(whole); err != nil {
		t.Fatalf("without a fault: %v", err)
	}
	want := whole.Tree()
	whole.Crash()
	if diff := Diff(want, whole.Tree()); diff != "" {
		t.Errorf("power lost after the end: not everything was durable\n%s", diff)
	}
	modes := s.Modes
	if modes == nil {
		modes = allModes
	}
	points, reports := 0, 0
	for _, mode := range modes {
		for _, chance := range chances(mode, s.Chances) {
			for call := 0; ; call++ {
				at, last, err := s.strike(mode, call, chance, want)
				if at.What != "" {
					points++
				}
				if err != nil {
					t.Errorf("%v: %v", at, err)
					if reports++; reports == maxReports {
						t.Fatal("more of the same is not shown")
					}
				}
				if last {
					break
				}
			}
		}
	}
	return points
}

func chances(mode Mode, n int) []uint64 {
	if mode != PowerSome {
		return []uint64{0}
	}
	if n == 0 {
		n = 4
	}
	var seeds []uint64
	for i := range n {
		seeds = append(seeds, uint64(i))
	}
	return seeds
}

// strike runs one point. last says that the run has no such call any more.
func (s Scenario) strike(mode Mode, call int, chance uint64, want map[string]string) (at Point, last bool, err error) {
	m := s.Start.Clone()
	fault := &Fault{FS: m, At: call, Mode: mode}
	at = Point{Mode: mode, Call: call}
	at.Err = s.Run(fault)
	at.What = fault.Hit()
	if fault.Calls() <= call {
		return at, true, nil
	}
	if at.What == "" {
		return at, false, nil
	}
	switch {
	case mode == PowerLoss:
		m.Crash()
	case mode == PowerSome:
		m.CrashSome(rand.New(rand.NewPCG(chance, uint64(call))))
	case !mode.kills() && at.Err == nil:
		m.Crash() // it said that all is well
		if diff := Diff(want, m.Tree()); diff != "" {
			return at, false, fmt.Errorf("no error was returned, but not everything was done and durable\n%s", diff)
		}
	}
	if s.Between != nil {
		s.Between(m)
	}
	recovery := s.Recover
	if recovery == nil {
		recovery = s.Run
	}
	if err := recovery(m); err != nil {
		return at, false, fmt.Errorf("recovery: %w", err)
	}
	if s.Check != nil {
		return at, false, s.Check(at, want, m.Tree())
	}
	if diff := Diff(want, m.Tree()); diff != "" {
		return at, false, errors.New("not the state of an uninterrupted run\n" + diff)
	}
	return at, false, nil
}

// Diff says in words how two trees differ; empty: they do not.
func Diff(want, got map[string]string) string {
	var b strings.Builder
	names := maps.Clone(want)
	maps.Copy(names, got)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		w, inWant := want[name]
		g, inGot := got[name]
		switch {
		case !inGot:
			fmt.Fprintf(&b, "  missing: %s\n", name)
		case !inWant:
			fmt.Fprintf(&b, "  too much: %s: %q\n", name, g)
		case w != g:
			fmt.Fprintf(&b, "  differs: %s\n    want %q\n    got  %q\n", name, w, g)
		}
	}
	return b.String()
}

// Without returns the tree without the files for which drop says so.
func Without(tree map[string]string, drop func(name string) bool) map[string]string {
	rest := maps.Clone(tree)
	maps.DeleteFunc(rest, func(name, _ string) bool { return drop(name) })
	return rest
}

// Temporary says whether a file is one that a crash left.
func Temporary(name string) bool { return strings.HasPrefix(filepath.Base(name), fsx.TempPrefix) }
