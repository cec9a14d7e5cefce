package entry

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
)

func TestEntryIDs(t *testing.T) {
	for id, ok := range map[string]bool{"ADR-001": true, "PF-7": true, "ADR-123456789": true, "ADR-1234567890": false, "ADR-": false, "adr-1": false, "ADR-1b": false, "PF-NNN": false, "XPF-1": false} {
		if _, _, got := ParseID(id); got != ok {
			t.Errorf("%s: %v", id, got)
		}
	}
	entries := []Entry{adrEntry(3, "", ""), pfEntry(9, "", "")}
	if n := MaxNumber(knowledge.KindADR, entries, "ADR-0012", "PF-77", "junk", ""); n != 12 {
		t.Errorf("greatest decision %d", n)
	}
	if n := MaxNumber(knowledge.KindPF, entries); n != 9 {
		t.Errorf("greatest pitfall %d", n)
	}
	for status, active := range map[string]bool{
		"Accepted": true, "Active": true, "": true, "In review": true, "Proposed": false, "proposed (2026-01-02)": false,
		"Rejected": false, "Deprecated": false, "superseded by ADR-007": false, "**Retired**": false, "Superseded, see PF-1": false, "Deprecatedly": true,
	} {
		if IsActive(status) != active {
			t.Errorf("%q: active is not %v", status, active)
		}
		if proposed := strings.HasPrefix(strings.ToLower(status), "proposed"); IsProposed(status) != proposed {
			t.Errorf("%q: proposed is not %v", status, proposed)
		}
	}
}
