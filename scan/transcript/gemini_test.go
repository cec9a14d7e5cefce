package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// chat makes the messages of a session of Gemini CLI, without the braces.
func chat(messages ...string) []string {
	for i, m := range messages {
		messages[i] = fmt.Sprintf(`{"id":"m%d","timestamp":"2026-01-02T03:04:%02dZ",%s}`, i, i, m)
	}
	return messages
}

func chatLines(messages ...string) string {
	return `{"sessionId":"s","projectHash":"h","startTime":"2026-01-02T03:04:05Z","kind":"main"}` + "\n" + strings.Join(messages, "\n") + "\n"
}

func chatObject(messages ...string) string {
	return "{\n  \"sessionId\": \"s\",\n  \"projectHash\": \"h\",\n  \"messages\": [\n    " + strings.Join(messages, ",\n    ") + "\n  ]\n}\n"
}

// tool makes a message with one call.
func tool(name, args, status, result string) string {
	return fmt.Sprintf(`"type":"gemini","content":"","toolCalls":[{"id":"c-%s","name":%q,"args":%s,"status":%q,"timestamp":"2026-01-02T03:05:00Z","result":[{"functionResponse":{"response":%s}}]}]`, name, name, args, status, result)
}

func said(text string) string { return fmt.Sprintf(`{"output":%q}`, text) }

func TestGemini(t *testing.T) {
	const shell = "run_shell_command"
	for _, tt := range []struct {
		name     string
		messages []string
		want     string // with the number of the message in front
	}{
		{"a text and a list of texts", chat(`"type":"user","content":"add a test"`, `"type":"gemini","content":[{"text":"Done."},{"text":"hm","thought":true}]`, `"type":"user","content":[{"text":"and"},{"text":"another"}]`), `0 user "add a test"
1 assistant "Done."
2 user "and\nanother"
`},
		{"what the client writes", chat(`"type":"user","content":[{"text":"<session_context>\nThis is the Gemini CLI.\n</session_context>"}]`, `"type":"user","content":"System: Please continue."`,
			`"type":"info","content":"Update available"`, `"type":"error","content":"quota"`, `"type":"user","content":[{"functionResponse":{"response":{"output":"x"}}}]`), ""},
		{"what hooks write", chat(`"type":"user","content":[{"text":"<hook_context>[lessons] 1</hook_context>\n\nrun the tests"},{"text":"<hook_context>x</hook_context>"}]`), `0 user "run the tests"
`},
		{"files that were named", chat(`"type":"user","content":[{"text":"read @a.go"},{"text":"\n--- Content from referenced files ---\npackage a"}],"displayContent":[{"text":"read @a.go"}]`), `0 user "read @a.go"
`},
		{"stopped", chat(`"type":"user","content":"a"`, `"type":"info","content":"Request cancelled."`, `"type":"user","content":"b"`), `0 user "a"
1 interrupt
2 user "b"
`},
		{"compressed", chat(`"type":"info","content":"Chat history compressed from 100 to 10 tokens."`), "0 compaction\n"},
		{
			"a command that failed with success", chat(tool(shell, `{"command":"pytest"}`, "success", said("Command: pytest\nDirectory: (root)\nOutput: not found\nError: (none)\nExit Code: 127\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 7"))),
			`0 tool-call Bash "{\"command\":\"pytest\"}"
0 tool-result Bash fail exit 127 "not found"
`,
		},
		{
			"newer words", chat(tool(shell, `{"command":"pytest"}`, "success", said("<untrusted_context>\nOutput: not found\nExit Code: 127\nProcess Group PGID: 7\n</untrusted_context>\n\n<hook_context>use uv</hook_context>"))),
			`0 tool-call Bash "{\"command\":\"pytest\"}"
0 tool-result Bash fail exit 127 "not found"
`,
		},
		{
			"a line that only looks like a status", chat(tool(shell, `{"command":"cat log"}`, "success", said("Output: Exit Code: 3\nmore\nProcess Group PGID: 7"))),
			`0 tool-call Bash "{\"command\":\"cat log\"}"
0 tool-result Bash ok exit 0 "Exit Code: 3\nmore"
`,
		},
		{
			"two streams", chat(tool(shell, `{"command":"make"}`, "success", said("Command: make\nDirectory: /r\nStdout: (empty)\nStderr: no rule\nError: (none)\nExit Code: 2\nSignal: (none)"))),
			`0 tool-call Bash "{\"command\":\"make\"}"
0 tool-result Bash fail exit 2 "no rule"
`,
		},
		{"nothing found", chat(tool(shell, `{"command":"grep x y"}`, "success", said("Output: (empty)\nExit Code: 1"))), `0 tool-call Bash "{\"command\":\"grep x y\"}"
0 tool-result Bash expected exit 1
`},
		{"ended by a signal", chat(tool(shell, `{"command":"make"}`, "success", said("Output: half\nSignal: 9"))), `0 tool-call Bash "{\"command\":\"make\"}"
0 tool-result Bash fail exit 128 "half"
`},
		{"too long", chat(tool(shell, `{"command":"make"}`, "success", said("Command was automatically cancelled because it exceeded the timeout of 5 minutes without output."))), `0 tool-call Bash "{\"command\":\"make\"}"
0 tool-result Bash timeout "Command was automatically cancelled because it exceeded the timeout of 5 minutes without output."
`},
		{"refused", chat(tool(shell, `{"command":"rm x"}`, "cancelled", `{"error":"[Operation Cancelled] Reason: User did not allow tool call"}`)), `0 tool-call Bash "{\"command\":\"rm x\"}"
0 rejection Bash rejected
`},
		{"cancelled", chat(tool(shell, `{"command":"rm x"}`, "cancelled", `{"error":"[Operation Cancelled] Reason: User cancelled the operation."}`)), `0 tool-call Bash "{\"command\":\"rm x\"}"
0 tool-result Bash interrupted "[Operation Cancelled] Reason: User cancelled the operation."
`},
		{"held back by a hook", chat(tool(shell, `{"command":"rm x"}`, "error", `{"error":"Tool execution blocked: use trash"}`)), `0 tool-call Bash "{\"command\":\"rm x\"}"
0 tool-result Bash blocked "Tool execution blocked: use trash"
`},
		{"no such tool", chat(tool("nosuch", `{}`, "error", `{"error":"Tool \"nosuch\" not found. Did you mean one of: \"glob\"?"}`)), `0 tool-call nosuch "{}"
0 tool-result nosuch not-run "Tool \"nosuch\" not found. Did you mean one of: \"glob\"?"
`},
		{"an edit that failed", chat(tool("replace", `{"file_path":"a","old_string":"x","new_string":"y"}`, "error", `{"error":"0 occurrences found"}`)), `0 tool-call Edit "{\"file_path\":\"a\",\"new_string\":\"y\",\"old_string\":\"x\"}"
0 tool-result Edit fail "0 occurrences found"
`},
		{"a file under another name", chat(tool("read_file", `{"absolute_path":"/r/a"}`, "success", said("x"))), `0 tool-call Read "{\"file_path\":\"/r/a\"}"
0 tool-result Read ok "x"
`},
		{"a call that still runs", chat(tool(shell, `{"command":"make"}`, "executing", said(""))), `0 tool-call Bash "{\"command\":\"make\"}"
`},
		{"other types", chat(`"type":"gemini","content":{"a":1},"toolCalls":{"x":2}`, `"type":7`, `"type":"gemini","content":null,"toolCalls":[7,{"name":3}]`), `2 tool-call
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			events, _ := readAs(t, "x.json", chatObject(tt.messages...), Options{})
			if diff := cmp.Diff(tt.want, show(events)); diff != "" {
				t.Error("one object:", diff)
			}
			events, _ = readAs(t, "x.jsonl", chatLines(tt.messages...), Options{})
			for i := range events {
				events[i].Line -= 2 // the first line is the chat's own
			}
			if diff := cmp.Diff(tt.want, show(events)); diff != "" {
				t.Error("lines:", diff)
			}
		})
	}
}

func TestGeminiLines(t *testing.T) {
	ask := `{"id":"m1","timestamp":"2026-01-02T03:04:06Z","type":"user","content":"hi"}`
	answer := `{"id":"m2","timestamp":"2026-01-02T03:04:07Z","type":"gemini","content":"I look."`
	call := `"toolCalls":[{"id":"c1","name":"glob","args":{},"status":"success","result":[{"functionResponse":{"response":{"output":"x"}}}]}]}`
	running := strings.Replace(call, `"success"`, `"executing"`, 1)
	for _, tt := range []struct{ name, text, want string }{
		{"a message that is written again", chatLines(ask, answer+"}", `{"$set":{"lastUpdated":"x"}}`, answer+","+call), `2 user "hi"
3 assistant "I look."
5 tool-call Glob "{}"
5 tool-result Glob ok "x"
`},
		{"a call that ends later", chatLines(answer+","+running, answer+","+call), `2 assistant "I look."
2 tool-call Glob "{}"
3 tool-result Glob ok "x"
`},
		{"all messages at once, and again", chatLines(`{"$set":{"messages":[`+ask+`]}}`, `{"$set":{"messages":[`+ask+","+answer+`}]}}`), `2 user "hi"
3 assistant "I look."
`},
		{"gone back", chatLines(ask, `{"$rewindTo":"m1"}`, strings.Replace(ask, "m1", "m3", 1)), `2 user "hi"
4 user "hi"
`},
		{"damage", chatLines(ask, `{"id":`, "not JSON", answer+"}"), `2 user "hi"
5 assistant "I look."
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			events, _ := readAs(t, "x.jsonl", tt.text, Options{})
			if diff := cmp.Diff(tt.want, show(events)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestGeminiSubAgent(t *testing.T) {
	text := strings.Replace(chatLines(chat(`"type":"user","content":"look around"`, `"type":"gemini","content":"x"`)...), `"main"`, `"subagent"`, 1)
	events, stats := readAs(t, "/h/.gemini/tmp/p/chats/parent/s.jsonl", text, Options{})
	if show(events) != "3 assistant s \"x\"\n" || stats.Meta.Session != "parent" || stats.Meta.Agent != "s" {
		t.Errorf("%s%+v", show(events), stats.Meta)
	}
}

func FuzzGeminiLines(f *testing.F) {
	f.Add(chatLines(chat(`"type":"user","content":"hi"`, tool("run_shell_command", `{"command":"x"}`, "success", said("Output: x\nExit Code: 1")))...))
	fuzzReader(f, Layout{Format: Gemini})
}

func FuzzGeminiObject(f *testing.F) {
	f.Add(chatObject(chat(`"type":"user","content":"hi"`, tool("run_shell_command", `{"command":"x"}`, "success", said("Output: x\nExit Code: 1")))...))
	fuzzReader(f, Layout{Format: Gemini, Object: true})
}
