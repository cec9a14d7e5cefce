package transcript

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// resultLine is a line as the client writes it: its end names its parent again.
func resultLine(uuid, parent, source, result, end string) string {
	return fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"sessionId":"s","type":"user","message":{"role":"user","content":[{"tool_use_id":"t-%s","type":"tool_result","content":"done"}]},`+
		`"uuid":%q,"timestamp":"2026-01-02T03:04:05Z","toolUseResult":%s,"sourceToolAssistantUUID":%q%s}`, parent, uuid, uuid, result, source, end)
}

// What a tool gave back is stepped over by the end of its line, to the same
// events as bracket by bracket. Several objects on a line, whole and torn, are
// told apart all the same.
func TestResultsAreSteppedOverByTheEndOfTheLine(tb *testing.T) {
	rapid.Check(tb, func(t *rapid.T) {
		in := map[string]any{"deep": draw(t, 2), "interrupted": rapid.Bool().Draw(t, "interrupted"), "backgroundTaskId": rapid.SampledFrom([]string{"", "b"}).Draw(t, "background")}
		raw, err := json.Marshal(rapid.SampledFrom([]any{in, in, "Error: no", []any{in}, nil, 7}).Draw(t, "result"))
		if err != nil {
			t.Fatal(err)
		}
		end := rapid.SampledFrom([]string{"", `,"userType":"external","cwd":"/a","version":"2.1.9"`, `,"isMeta":false`}).Draw(t, "end")
		fast, slow := "", ""
		for i := range 4 {
			uuid, parent := fmt.Sprintf("u%d", i), fmt.Sprintf("p%d", i)
			one, other := resultLine(uuid, parent, parent, string(raw), end), resultLine(uuid, parent, "qq", string(raw), end)
			if rapid.IntRange(0, 4).Draw(t, "torn") == 0 {
				cut := rapid.IntRange(1, len(one)-1).Draw(t, "cut")
				one, other = one[:cut], other[:cut]
			}
			behind := rapid.SampledFrom([]string{"\n", "\n", "\r\n", "", "  "}).Draw(t, "behind")
			fast, slow = fast+one+behind, slow+other+behind
		}
		want, wantStats := read(tb, slow+"\n", Options{})
		got, gotStats := read(tb, fast+"\n", Options{})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n%s", fast, diff)
		}
		if diff := cmp.Diff(wantStats, gotStats); diff != "" {
			t.Fatalf("%s\n%s", fast, diff)
		}
	})
}
