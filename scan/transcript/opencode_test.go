package transcript

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// exportOf makes an export of messages, each a role and its parts.
func exportOf(info string, messages ...string) string {
	var all []string
	for i := 0; i < len(messages); i += 2 {
		all = append(all, fmt.Sprintf(`{"info":{"id":"m%d","role":%s,"time":{"created":1767323045000}},"parts":[%s]}`, i/2, messages[i], messages[i+1]))
	}
	return fmt.Sprintf(`{"info":{"id":"s","projectID":"p","directory":"/r"%s},"messages":[%s]}`, info, strings.Join(all, ","))
}

func textPart(text string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, text) }

func toolPart(name, state string) string {
	return fmt.Sprintf(`{"type":"tool","callID":"c-%s","tool":%q,"state":%s}`, name, name, state)
}

func TestOpenCode(t *testing.T) {
	const user, agent = `"user"`, `"assistant"`
	bash := func(command, output string, exit string) string {
		return toolPart("bash", fmt.Sprintf(`{"status":"completed","input":{"command":%q},"output":%q,"metadata":{"exit":%s},"time":{"start":1767323046000,"end":1767323047000}}`, command, output, exit))
	}
	for _, tt := range []struct{ name, text, want string }{
		{"words", exportOf("", user, textPart("add a test"), agent, textPart("Done.")), `0 user "add a test"
1 assistant "Done."
`},
		{"what the client writes", exportOf("", user, `{"type":"text","text":"Continue","synthetic":true}`, user, `{"type":"subtask","prompt":"review"}`,
			user, textPart("Summarize the task tool output above and continue with your task."), agent, `{"type":"reasoning","text":"hm"},{"type":"step-start"},{"type":"file"}`), ""},
		{"a command that failed", exportOf("", agent, bash("pytest", "not found\n\n\n[lessons] 1 for Bash\nuse uv\n<!-- lessons:{} -->", "127")), `0 tool-call Bash "{\"command\":\"pytest\"}"
0 tool-result Bash fail exit 127 "not found"
`},
		{"nothing found", exportOf("", agent, bash("grep x y", "", "1")), `0 tool-call Bash "{\"command\":\"grep x y\"}"
0 tool-result Bash expected exit 1
`},
		{"too long", exportOf("", agent, bash("make", "half\n\n<bash_metadata>\nexceeding timeout 120000 ms\n</bash_metadata>", "null")), `0 tool-call Bash "{\"command\":\"make\"}"
0 tool-result Bash timeout "half\n\nexceeding timeout 120000 ms"
`},
		{"older words for it", exportOf("", agent, bash("make", "half\n\n(Command timed out after 60000 ms)", "null")), `0 tool-call Bash "{\"command\":\"make\"}"
0 tool-result Bash timeout "half\n\n(Command timed out after 60000 ms)"
`},
		{"an edit that failed", exportOf("", agent, toolPart("edit", `{"status":"error","input":{"filePath":"a","oldString":"x","newString":"y"},"error":"Could not find oldString"}`)), `0 tool-call Edit "{\"file_path\":\"a\",\"new_string\":\"y\",\"old_string\":\"x\"}"
0 tool-result Edit fail "Could not find oldString"
`},
		{"a patch", exportOf("", agent, toolPart("apply_patch", `{"status":"completed","input":{"patchText":"*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch"},"output":"Success"}`)), `0 tool-call Edit "{\"file_path\":\"a\",\"new_string\":\"y\",\"old_string\":\"x\"}"
0 tool-result Edit ok "Success"
`},
		{"refused", exportOf("", agent, toolPart("bash", `{"status":"error","input":{"command":"rm x"},"error":"The user rejected permission to use this specific tool call."}`)), `0 tool-call Bash "{\"command\":\"rm x\"}"
0 rejection Bash rejected
`},
		{
			"refused with words", exportOf("", agent, toolPart("bash", `{"status":"error","input":{"command":"rm x"},"error":"The user rejected permission to use this specific tool call with the following feedback: use trash"}`)),
			`0 tool-call Bash "{\"command\":\"rm x\"}"
0 rejection Bash rejected "use trash"
`,
		},
		{"held back by us", exportOf("", agent, toolPart("bash", `{"status":"error","input":{"command":"rm x"},"error":"[lessons] 1 for Bash\nuse trash"}`)), `0 tool-call Bash "{\"command\":\"rm x\"}"
0 tool-result Bash blocked "[lessons] 1 for Bash\nuse trash"
`},
		{
			"stopped", strings.Replace(exportOf("", agent, toolPart("bash", `{"status":"error","input":{"command":"make"},"error":"Tool execution aborted"}`)), `"role":"assistant"`, `"role":"assistant","error":{"name":"MessageAbortedError"}`, 1),
			`0 tool-call Bash "{\"command\":\"make\"}"
0 tool-result Bash interrupted "Tool execution aborted"
0 interrupt
`,
		},
		{"no such tool", exportOf("", agent, toolPart("invalid", `{"status":"completed","input":{"tool":"x","error":"no"},"output":"The arguments provided to the tool are invalid: no"}`)), `0 tool-call invalid "{\"tool\":\"x\",\"error\":\"no\"}"
0 tool-result invalid not-run "The arguments provided to the tool are invalid: no"
`},
		{"a call that still runs", exportOf("", agent, toolPart("bash", `{"status":"running","input":{"command":"make"}}`)), `0 tool-call Bash "{\"command\":\"make\"}"
`},
		{"compaction", exportOf("", user, `{"type":"compaction","auto":true}`), "0 compaction\n"},
		{"a sub-agent", exportOf(`,"parentID":"p"`, user, textPart("look around"), agent, textPart("sub done")), `1 assistant s "sub done"
`},
		{"calls with one id", exportOf("", agent, bash("a", "", "0")+","+bash("b", "", "1")), `0 tool-call Bash "{\"command\":\"a\"}"
0 tool-result Bash ok exit 0
0 tool-call Bash "{\"command\":\"b\"}"
0 tool-result Bash fail exit 1
`},
		{"other types", exportOf("", `7`, `7,null,{"type":["text"]},{"type":"tool","state":[]}`, agent, `{"type":"text","text":{}}`), `0 tool-call
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			events, _ := readAs(t, "x.json", tt.text, Options{})
			if diff := cmp.Diff(tt.want, show(events)); diff != "" {
				t.Error(diff)
			}
			calls := map[string]bool{}
			for _, e := range events {
				if e.Kind == ToolCall && calls[e.ToolUse] {
					t.Errorf("two calls are %q", e.ToolUse)
				}
				calls[e.ToolUse] = e.Kind == ToolCall
			}
		})
	}
}

// Messages of any length cost the memory of one.
func TestLongMessagesAreSteppedOver(t *testing.T) {
	text := exportOf("", `"user"`, textPart("one"), `"user"`, textPart(strings.Repeat("x", 9000)), `"user"`, textPart("three"))
	var got []string
	stats, err := Layout{Format: OpenCode, Object: true}.Read(strings.NewReader(text), Options{MaxLine: 4000}, func(e Event) error {
		got = append(got, fmt.Sprint(e.Line, e.Text))
		return nil
	})
	if err != nil || strings.Join(got, " ") != "0one 2three" || stats.TooLong != 1 {
		t.Errorf("%q, %+v, %v", got, stats, err)
	}
}

func TestPiecesOfStorageAreRefused(t *testing.T) {
	for _, piece := range []string{
		`{"id":"p","sessionID":"s","messageID":"m","type":"text","text":"x"}`, `{"id":"m","sessionID":"s","role":"user"}`, `{"id":"s","projectID":"p","directory":"/r"}`,
	} {
		_, err := Read("/h/x.json", strings.NewReader(piece), Options{}, func(e Event) error { t.Errorf("%+v", e); return nil })
		var refused *ErrFormat
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "/h/x.json") || !strings.Contains(err.Error(), "OpenCode") {
			t.Errorf("%s: %v", piece, err)
		}
	}
}

func FuzzOpenCode(f *testing.F) {
	f.Add(exportOf("", `"user"`, textPart("hi"), `"assistant"`, toolPart("bash", `{"status":"completed","input":{"command":"x"},"output":"y","metadata":{"exit":1}}`)))
	f.Add(`{"info":{"id":"s"},"messages":[{"info":{},"parts":[`)
	fuzzReader(f, Layout{Format: OpenCode, Object: true})
}
