package entry

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCitations(t *testing.T) {
	text := "# About ADR-001\r\n\r\napplies ADR-7 and avoids\nPF-0012, not `ADR-009`, ADR-NNN, XADR-003, ADR-004b or ADR-005-name.md.\n\n" +
		"```\nADR-010\n```\n\n    PF-011\n\n<!-- ADR-012 -->\n\n> (ADR-013)\n\n- item PF-014.\n\n``a\nADR-015`` ADR-016\n| PF-017 |\n"
	var got []string
	for _, c := range Citations(text) {
		got = append(got, c.ID+":"+text[c.Offset:c.Offset+c.Length])
		if want := 1 + strings.Count(text[:c.Offset], "\n"); c.Line != want {
			t.Errorf("%s: line %d, want %d", c.ID, c.Line, want)
		}
	}
	want := []string{"ADR-001:ADR-001", "ADR-007:ADR-7", "PF-012:PF-0012", "ADR-013:ADR-013", "PF-014:PF-014", "ADR-016:ADR-016", "PF-017:PF-017"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzCitations(f *testing.F) {
	f.Add("ADR-1 `PF-2` ADR-3\r\n\tPF-4")
	f.Fuzz(func(t *testing.T, text string) {
		last := -1
		for _, c := range Citations(text) {
			kind, n, ok := ParseID(text[c.Offset : c.Offset+c.Length])
			if !ok || ID(kind, n) != c.ID || c.Line != 1+strings.Count(text[:c.Offset], "\n") || c.Offset <= last {
				t.Fatalf("%+v in %q", c, text)
			}
			last = c.Offset
		}
	})
}
