package catalog

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

func snapshotOf(t *testing.T, lines string) *store.Snapshot {
	t.Helper()
	log, problems := observe.ParseLog("log", []byte(lines))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return &store.Snapshot{Log: log}
}

func TestListingOrders(t *testing.T) {
	s := snapshotOf(t, `{"id":"obs_bbbbbbbbbb","type":"pitfall","pattern":"ant","observations":1,"status":"observing"}
{"id":"obs_cccccccccc","type":"pitfall","pattern":"zoo","observations":9,"status":"ready"}
{"id":"obs_aaaaaaaaaa","type":"pitfall","pattern":"cat","observations":1,"status":"observing"}
`)
	s.Decisions = []entry.Entry{{Kind: "adr", Number: 1, Title: "Money is cents"}}
	user := []Item{{ID: "U", Kind: "lesson", Title: "bee", Confidence: 1, Path: ".lessons/u.md"}}
	for _, c := range []struct {
		asked Asked
		want  string
	}{
		{Asked{}, "ADR-001 U"},
		{Asked{Observed: true}, "ADR-001 obs_cccccccccc obs_aaaaaaaaaa obs_bbbbbbbbbb U"},
		{Asked{Observed: true, Order: ByConfidence}, "U obs_cccccccccc obs_aaaaaaaaaa obs_bbbbbbbbbb ADR-001"},
		{Asked{Observed: true, Order: ByTitle}, "ADR-001 obs_bbbbbbbbbb U obs_aaaaaaaaaa obs_cccccccccc"},
		{Asked{Observed: true, Order: ByTitle, Files: true}, "ADR-001 U obs_bbbbbbbbbb obs_aaaaaaaaaa obs_cccccccccc"},
		{Asked{Observed: true, Wanted: func(i Item) bool { return i.Status == "ready" }}, "obs_cccccccccc"},
	} {
		if c.asked.Wanted == nil {
			c.asked.Wanted = func(Item) bool { return true }
		}
		c.asked.More = user
		listing := List(s, verdict.View{}, c.asked)
		var ids []string
		for i := range listing.All() {
			ids = append(ids, i.ID)
		}
		if got := strings.Join(ids, " "); got != c.want || listing.Len() != len(ids) {
			t.Errorf("%+v: %s, want %s", c.asked, got, c.want)
		}
	}
}

// A log may hold 200,000 observations: a listing of them holds their names.
func TestListingHoldsNamesAlone(t *testing.T) {
	const observations, size = 4000, 4 << 10
	var lines strings.Builder
	for i := range observations {
		fmt.Fprintf(&lines, `{"id":"obs_%010d","type":"pitfall","pattern":"title %d","details":"%s","observations":1,"status":"observing"}`+"\n", i, i, strings.Repeat("x", size))
	}
	s := snapshotOf(t, lines.String())
	before := heap()
	listing := List(s, verdict.View{}, Asked{Observed: true, Order: ByTitle, Wanted: func(Item) bool { return true }})
	held := heap() - before
	if most := int64(observations * 200); held > most {
		t.Errorf("%d bytes are held, want at most %d", held, most)
	}
	if last := slices.Collect(listing.All())[observations-1]; last.Title != "title 999" || len(last.Text()) < size {
		t.Errorf("the last one is %q", last.Title)
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
