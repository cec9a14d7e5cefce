package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// costLine is a line of the agent as the client writes it: only ids and a time stand
// behind what it cost.
func costLine(uuid, usage, request string) string {
	return fmt.Sprintf(`{"parentUuid":"p","isSidechain":false,"sessionId":"s","message":{"model":"m","id":"i","type":"message","role":"assistant","content":[{"type":"text","text":"said %s"}],"usage":%s},%q:"r","type":"assistant","uuid":%q,"timestamp":"2026-01-02T03:04:05Z"}`, uuid, usage, request, uuid)
}

// What a message cost is stepped over by the end of its line, to the same events as
// bracket by bracket: also where lines stand on one line, whole and torn.
func TestUsageIsSteppedOverByTheEndOfTheLine(tb *testing.T) {
	usages := []string{`{"input_tokens":1,"cache":{"five":0},"tier":"standard"}`, `{"input_tokens":123,"cache":{"five":45}}`, `{"text":"}},{","n":{}}`, `{}`, `{"type":{"text":"x"}}`, `{"a":[{"b":1}]}`, `[]`, `7`, `"{"`, `{"long":{"x":"` + strings.Repeat("x", maxUsage) + `"}}`}
	rapid.Check(tb, func(t *rapid.T) {
		fast, slow := "", ""
		for i := range 6 {
			uuid, usage := fmt.Sprintf("u%d", i), rapid.SampledFrom(usages).Draw(t, "usage")
			one, other := costLine(uuid, usage, "requestId"), costLine(uuid, usage, "requestIs")
			if rapid.IntRange(0, 4).Draw(t, "torn") == 0 {
				cut := rapid.IntRange(1, len(one)-1).Draw(t, "cut")
				one, other = one[:cut], other[:cut]
			}
			behind := rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n", "", "  ", "\x00"}).Draw(t, "behind")
			fast, slow = fast+one+behind, slow+other+behind
		}
		want, _ := read(tb, slow+"\n", Options{})
		got, _ := read(tb, fast+"\n", Options{})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n%s", fast, diff)
		}
	})
}
