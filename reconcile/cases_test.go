package reconcile

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestMain gives the whole process an environment that would mislead git: what
// a hook of git itself sets. Every case proves that it does not.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "reconcile-home-")
	if err != nil {
		panic(err)
	}
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": home, "GIT_DIR": "/nowhere/.git", "GIT_INDEX_FILE": "/nowhere/index", "GIT_WORK_TREE": "/nowhere",
	} {
		os.Setenv(name, value)
	}
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// want maps names of artifacts to the answers that are expected.
type want = map[string]string

// scenario is one case of the procedure's table, played on real repositories.
// Cases about sections, or about the manifest's own files, run in both layouts.
type scenario struct {
	name string // number_words
	play func(*scene)
	both bool
}

func scenarios() []scenario {
	return slices.Concat(presentCases, movedCases, deletedCases, restoredCases, branchCases, cloneCases, hiddenCases,
		uncommittedCases, sectionCases, manifestCases, treeCases)
}

func (c scenario) number() string {
	n, _, _ := strings.Cut(c.name, "_")
	return n
}

func (c scenario) layouts() []string {
	if c.both {
		return []string{"book", "files"}
	}
	return []string{"book"}
}

func TestCases(t *testing.T) {
	for _, c := range scenarios() {
		for _, layout := range c.layouts() {
			t.Run(c.name+"/"+layout, func(t *testing.T) {
				t.Parallel()
				s := &scene{t: t, layout: layout}
				c.play(s)
				for _, failure := range s.failed {
					t.Error(failure)
				}
			})
		}
	}
}

// TestEveryCaseIsPlayed keeps the table and the procedure's list in step.
func TestEveryCaseIsPlayed(t *testing.T) {
	played := map[string]bool{}
	for _, c := range scenarios() {
		played[c.number()] = true
	}
	for n := 1; n <= 80; n++ {
		if !played[fmt.Sprintf("%02d", n)] {
			t.Errorf("case %02d is not played", n)
		}
	}
	if !played["10b"] {
		t.Error("case 10b is not played")
	}
}
