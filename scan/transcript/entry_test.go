package transcript

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// usual are the members of lines in the order in which the client writes them, with
// values of theirs and of others. … stands for the next ones.
var usual = []struct {
	open, end string
	members   []string
}{
	{"{", "}", []string{
		`"parentUuid":"p"`, `"parentUuid":null`, `"isSidechain":false`, `"isSidechain":true`, `"cwd":"/a"`, `"sessionId":"s"`, `"slug":"x"`, `"type":"user"`, `"type":"progress"`, `"isMeta":true`,
		`"message":{…}`, `"message":{…}`, `"message":"x"`, `"requestId":"r"`, `"type":"assistant"`, `"data":{}`, `"toolUseID":"t"`, `"parentToolUseID":"t"`, `"uuid":"u"`, `"uuid":7`, `"timestamp":"2026-01-02T03:04:05.678Z"`, `"timestamp":"x"`,
		`"toolUseResult":{"interrupted":true}`, `"toolUseResult":"Error: x"`, `"sourceToolAssistantUUID":"p"`, `"sourceToolAssistantUUID":"q"`, `"sessionId":"t"`, `"uuid":"w"`,
	}},
	{"{", "}", []string{
		`"role":"user"`, `"model":"m"`, `"model":"<synthetic>"`, `"id":"m1"`, `"type":"message"`, `"role":"assistant"`, `"content":[…]`, `"content":[…]`, `"content":"said"`, `"content":null`, `"stop_reason":null`, `"stop_sequence":null`,
		`"stop_reason":"end"`, `"usage":{"n":1,"m":{}}`, `"usage":7`, `"content":"again"`,
	}},
	{"[{", "}]", []string{
		`"tool_use_id":"t1"`, `"tool_use_id":"t2"`, `"type":"tool_result"`, `"type":"tool_use"`, `"type":"text"`, `"type":"thinking"`, `"id":"t1"`, `"id":"t2"`, `"name":"Bash"`, `"name":"Read"`, `"input":{"command":"a | b"}`, `"input":{"file_path":"f"}`,
		`"input":7`, `"text":"said"`, `"content":"done"`, `"content":[{"type":"text","text":"did"}]`, `"is_error":true`, `"content":"more"`,
	}},
}

// drawObject draws members of one depth, most often as many lines have them, and
// writes them without spaces and with one behind each comma.
func drawObject(t *rapid.T, depth int) (narrow, wide string) {
	kind := usual[depth]
	var members, spaced []string
	for _, m := range kind.members {
		if rapid.IntRange(0, 2).Draw(t, "has "+m) == 0 {
			continue
		}
		n, w := m, m
		if at := strings.Index(m, "…"); at >= 0 {
			inner, other := drawObject(t, depth+1)
			n, w = m[:at-1]+inner, m[:at-1]+other
		}
		members, spaced = append(members, n), append(spaced, w)
	}
	end := kind.end
	if rapid.IntRange(0, 20).Draw(t, "damaged") == 0 {
		end = rapid.SampledFrom([]string{"", "]", `,}`, `"}`}).Draw(t, "end")
	}
	return kind.open + strings.Join(members, ",") + end, kind.open + strings.Join(spaced, ", ") + end
}

// Members that stand in their usual order are read to the same events as by their
// names, which are looked for where spaces stand between them.
func TestUsualOrdersAreReadAsAnyOther(tb *testing.T) {
	rapid.Check(tb, func(t *rapid.T) {
		var fast, slow []string
		for range rapid.IntRange(1, 4).Draw(t, "lines") {
			narrow, wide := drawObject(t, 0)
			fast, slow = append(fast, narrow), append(slow, wide)
		}
		want, wantStats := read(tb, strings.Join(slow, "\n")+"\n", Options{})
		got, stats := read(tb, strings.Join(fast, "\n")+"\n", Options{})
		for i := range got {
			got[i].Offset = want[min(i, len(want)-1)].Offset
		}
		if stats.Offset = wantStats.Offset; wantStats != stats {
			t.Fatalf("%s\n%+v, want %+v", strings.Join(fast, "\n"), stats, wantStats)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n%s", strings.Join(fast, "\n"), diff)
		}
	})
}
