package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// events is a session of Copilot CLI that holds the given events behind its start.
// Each is a type and a body.
func events(pairs ...string) string {
	pairs = append([]string{"session.start", `{"sessionId":"s","copilotVersion":"1.0.102","context":{"cwd":"/r","branch":"main"}}`}, pairs...)
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, `{"type":%q,"data":%s,"id":"e%d","timestamp":"2026-01-02T03:04:%02dZ","parentId":null}`+"\n", pairs[i], pairs[i+1], i/2, i/2)
	}
	return b.String()
}

const started, completed = "tool.execution_start", "tool.execution_complete"

func startOf(id, tool, arguments string) string {
	return fmt.Sprintf(`{"toolCallId":%q,"toolName":%q,"arguments":%s}`, id, tool, arguments)
}

func endOf(id, rest string) string { return fmt.Sprintf(`{"toolCallId":%q,%s}`, id, rest) }

func TestCopilot(t *testing.T) {
	bash := func(rest string) string {
		return events(started, startOf("1", "bash", `{"command":"make"}`), completed, endOf("1", rest))
	}
	const called = "2 tool-call Bash \"{\\\"command\\\":\\\"make\\\"}\"\n"
	for _, tt := range []struct{ name, text, want string }{
		{"words", events("user.message", `{"content":"add a test","transformedContent":"<current_datetime>x</current_datetime>\n\nadd a test"}`, "assistant.message", `{"content":"Done.","toolRequests":[]}`), `2 user "add a test"
3 assistant "Done."
`},
		{"what a person says by name", events("user.message", `{"content":"go on","source":"user"}`), "2 user \"go on\"\n"},
		{"what the client writes", events("user.message", `{"content":"skill body","source":"skill-pdf"}`, "user.message", `{"content":"go on","isAutopilotContinuation":true}`,
			"user.message", `{"content":"[lessons] 1 for Bash\nuse make"}`, "system.message", `{"role":"system","content":"You are"}`, "system.notification", `{"content":"done"}`), ""},
		{"a command that failed with success", bash(`"success":true,"shellExecution":{"exitCode":2},"result":{"content":"no rule\n<shellId: 0 completed with exit code 2>"}`), called + `3 tool-result Bash fail exit 2 "no rule"
`},
		{"a status that only the text tells", bash(`"success":true,"result":{"content":"no rule\n<exited with exit code 2>"}`), called + `3 tool-result Bash fail exit 2 "no rule"
`},
		{"a command without output", bash(`"success":true,"result":{"content":"<shellId: 4 completed with exit code 0>"}`), called + `3 tool-result Bash ok exit 0
`},
		{"output that looks like a status", bash(`"success":true,"shellExecution":{"exitCode":0},"result":{"content":"<exit code 7>\nmore"}`), called + `3 tool-result Bash ok exit 0 "<exit code 7>\nmore"
`},
		{"nothing found", events(started, startOf("1", "bash", `{"command":"grep x y"}`), completed, endOf("1", `"success":true,"shellExecution":{"exitCode":1},"result":{"content":"<shellId: 0 completed with exit code 1>"}`)), `2 tool-call Bash "{\"command\":\"grep x y\"}"
3 tool-result Bash expected exit 1
`},
		{"held back by a hook", bash(`"success":false,"error":{"message":"Denied by preToolUse hook: use ninja","code":"denied"}`), called + `3 tool-result Bash blocked "Denied by preToolUse hook: use ninja"
`},
		{"held back by a rule", bash(`"success":false,"error":{"message":"Permission denied and could not request permission from user","code":"denied"}`), called + `3 tool-result Bash blocked "Permission denied and could not request permission from user"
`},
		{"refused", bash(`"success":false,"error":{"message":"The user rejected this tool call.","code":"rejected"}`), called + "3 rejection Bash rejected\n"},
		{"refused with words", bash(`"success":false,"error":{"message":"The user rejected this tool call. User feedback: use ninja","code":"denied"}`), called + "3 rejection Bash rejected \"use ninja\"\n"},
		{"too long", bash(`"success":false,"error":{"message":"no answer","code":"timeout"}`), called + "3 tool-result Bash timeout \"no answer\"\n"},
		{"a file that is not there", events(started, startOf("1", "view", `{"path":"/r/a","view_range":[1,9]}`), completed, endOf("1", `"success":false,"error":{"message":"Path does not exist","code":"failure"}`)), `2 tool-call Read "{\"file_path\":\"/r/a\",\"view_range\":[1,9]}"
3 tool-result Read fail "Path does not exist"
`},
		{"an edit", events(started, startOf("1", "edit", `{"path":"a","old_str":"x","new_str":"y"}`), completed, endOf("1", `"success":true,"result":{"content":"updated","detailedContent":"diff"}`)), `2 tool-call Edit "{\"file_path\":\"a\",\"new_string\":\"y\",\"old_string\":\"x\"}"
3 tool-result Edit ok "updated"
`},
		{"a new file", events(started, startOf("1", "create", `{"path":"a","file_text":"x"}`)), `2 tool-call Write "{\"content\":\"x\",\"file_path\":\"a\"}"
`},
		{"an answer to a question", events(started, startOf("1", "ask_user", `{"question":"Which?","choices":["SQLite","none"]}`), completed, endOf("1", `"success":true,"result":{"content":"User selected: SQLite"}`)), `2 tool-call AskUserQuestion "{\"choices\":[\"SQLite\",\"none\"],\"question\":\"Which?\"}"
3 tool-result AskUserQuestion ok "User has answered your questions: \"Which?\"=\"SQLite\". You can now continue with the user's answers in…"
`},
		{"a command that runs on", events(started, startOf("1", "bash", `{"command":"make"}`),
			completed, endOf("1", `"success":true,"result":{"content":"half\n<command with shellId: 7 is still running after 30 seconds. Use read_bash to continue waiting.>"}`),
			started, startOf("2", "read_bash", `{"shellId":"7","delay":5}`), completed, endOf("2", `"success":true,"result":{"content":"no rule\n<shellId: 7 completed with exit code 2>"}`)), called + `5 tool-result Bash fail exit 2 "no rule"
`},
		{"a command that is asked for in vain", events(started, startOf("1", "read_bash", `{"shellId":"7"}`), completed, endOf("1", `"success":false,"error":{"message":"no such shell","code":"failure"}`)), ""},
		{"stopped", events("abort", `{"reason":"user_initiated"}`, "abort", `{"reason":"autopilot_credit_limit"}`), "2 interrupt\n"},
		{"compaction", events("session.compaction_start", `{}`, "session.compaction_complete", `{"success":true}`), "3 compaction\n"},
		{"a sub-agent", strings.ReplaceAll(events("user.message", `{"content":"look around"}`, "assistant.message", `{"content":"x"}`), `"id":"e`, `"agentId":"a1","id":"e`), "3 assistant a1 \"x\"\n"},
		{"a sub-agent of older versions", events("assistant.message", `{"content":"x","parentToolCallId":"c1"}`), "2 assistant c1 \"x\"\n"},
		{"other types", events("user.message", `7`, "assistant.message", `{"content":[1]}`, started, `[]`, completed, `{"result":7}`, "new.kind", `{}`), "4 tool-call\n5 tool-result fail\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, stats := readAs(t, "events.jsonl", tt.text, Options{})
			if diff := cmp.Diff(tt.want, show(got)); diff != "" {
				t.Error(diff)
			}
			if m := stats.Meta; m.Session != "s" || m.Cwd != "/r" || m.Branch != "main" || m.Version != "1.0.102" || m.Agent != "" {
				t.Errorf("%+v", m)
			}
		})
	}
}

func FuzzCopilot(f *testing.F) {
	f.Add(events("user.message", `{"content":"hi"}`, started, startOf("1", "bash", `{"command":"x"}`), completed, endOf("1", `"success":true,"result":{"content":"x\n<exited with exit code 1>"}`)))
	f.Add(events(started, startOf("1", "read_bash", `{"shellId":"7"}`), completed, endOf("1", `"success":true,"result":{"content":"<shellId: 7 completed with exit code 1>"}`)))
	fuzzReader(f, Layout{Format: Copilot})
}
