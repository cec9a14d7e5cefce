package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// progressLine is a line as the client writes it: only texts stand behind its data.
func progressLine(uuid, data, parent string) string {
	return fmt.Sprintf(`{"parentUuid":"p","isSidechain":false,"sessionId":"s","type":"progress","data":%s,"toolUseID":"t",%q:"t","uuid":%q,"timestamp":"2026-01-02T03:04:05Z"}`, data, parent, uuid)
}

// What progress lines repeat is stepped over by the end of their line, to the same
// events as bracket by bracket: also where lines stand on one line, whole and torn.
func TestProgressIsSteppedOverByTheEndOfTheLine(tb *testing.T) {
	rapid.Check(tb, func(t *rapid.T) {
		fast, slow := "", ""
		for i := range 5 {
			uuid := fmt.Sprintf("u%d", i)
			one := line("user", uuid, fmt.Sprintf("%q", "said "+uuid))
			other := one
			if rapid.Bool().Draw(t, "progress") {
				in := map[string]any{"deep": draw(t, 2), "output": rapid.SampledFrom([]string{"", "x", `}{"type":"user"}`, "} {", `{"parentUuid":`}).Draw(t, "output"), "message": json.RawMessage(one)}
				if rapid.IntRange(0, 3).Draw(t, "long") > 0 {
					in["fullOutput"] = strings.Repeat("so ", longData/3)
				}
				data, err := json.Marshal(in)
				if err != nil {
					t.Fatal(err)
				}
				one, other = progressLine(uuid, string(data), "parentToolUseID"), progressLine(uuid, string(data), "parentToolUseIs")
			}
			if rapid.IntRange(0, 4).Draw(t, "torn") == 0 {
				cut := rapid.IntRange(1, len(one)-1).Draw(t, "cut")
				one, other = one[:cut], other[:cut]
			}
			behind := rapid.SampledFrom([]string{"\n", "\n", "\r\n", "", "  ", "\x00"}).Draw(t, "behind")
			fast, slow = fast+one+behind, slow+other+behind
		}
		want, _ := read(tb, slow+"\n", Options{})
		got, _ := read(tb, fast+"\n", Options{})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n%s", fast, diff)
		}
	})
}
