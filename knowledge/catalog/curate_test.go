package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// A log may hold 200,000 observations: looking up what one of them became must not read the others.
func TestArtifactReadsNoOtherObservation(t *testing.T) {
	allocations := func(observations int) float64 {
		var lines strings.Builder
		for i := range observations {
			fmt.Fprintf(&lines, `{"id":"obs_%010d","type":"pitfall","pattern":"a","observations":1,"status":"observing"}`+"\n", i)
		}
		log, problems := observe.ParseLog("log", []byte(lines.String()))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		s := &store.Snapshot{Log: log}
		item := Item{ID: "obs_0000000001", Kind: KindObservation, Observation: "obs_0000000001"}
		return testing.AllocsPerRun(5, func() { Artifact(s, item) })
	}
	if few, many := allocations(10), allocations(1000); many > few {
		t.Errorf("%.0f allocations with 10 observations, %.0f with 1000", few, many)
	}
}
