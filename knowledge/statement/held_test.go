package statement

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// Messages of people who wrote none of the examples that the weights were learned from
// (tools/train): in how many of each kind something is found that could be written down.
func TestHeldMessages(t *testing.T) {
	data, err := os.ReadFile("testdata/held.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	of, found := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(data)) {
		var m struct{ Said, Kind string }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		of[m.Kind]++
		for _, s := range Read(m.Said) {
			if s.Missing == "" && (s.Explicit || s.Kind == Decision && s.Because != "") {
				found[m.Kind]++
				break
			}
		}
	}
	t.Logf("found %v of %v", found, of)
	for kind, least := range map[string]float64{"decision": 0.65, "instruction": 0.72} {
		if share := float64(found[kind]) / float64(of[kind]); share < least {
			t.Errorf("found something in %.2f of the messages of kind %s, want %.2f", share, kind, least)
		}
	}
	if share := float64(found["nothing"]) / float64(of["nothing"]); share > 0.04 {
		t.Errorf("found something in %.2f of the messages that state nothing", share)
	}
}
