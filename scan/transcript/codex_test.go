package transcript

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rollout makes the lines of a session of Codex: kind and payload by turns.
func rollout(pairs ...string) string {
	var b strings.Builder
	b.WriteString(`{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"id":"s","cwd":"/r","cli_version":"1.0","source":"cli"}}` + "\n")
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, `{"timestamp":"2026-01-02T03:04:%02dZ","type":%q,"payload":%s}`+"\n", 6+i/2, pairs[i], pairs[i+1])
	}
	return b.String()
}

func userItem(text string) string {
	return fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}`, text)
}

func shellCall(id, arguments string) string {
	return fmt.Sprintf(`{"type":"function_call","name":"shell","arguments":%q,"call_id":%q}`, arguments, id)
}

func output(id, text string) string {
	return fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":%q}`, id, text)
}

func TestCodex(t *testing.T) {
	const item, event = "response_item", "event_msg"
	for _, tt := range []struct{ name, text, want string }{
		{
			"a message said twice", rollout(item, userItem("add a test"), event, `{"type":"user_message","message":"add a test"}`,
				event, `{"type":"agent_message","message":"Done."}`, item, `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}`),
			`2 user "add a test"
4 assistant "Done."
`,
		},
		{
			"the same words twice", rollout(item, userItem("go on"), event, `{"type":"user_message","message":"go on"}`,
				item, userItem("go on"), event, `{"type":"user_message","message":"go on"}`),
			`2 user "go on"
4 user "go on"
`,
		},
		{"events alone", rollout(event, `{"type":"user_message","message":"review it"}`, event, `{"type":"agent_message","message":"ok"}`), `2 user "review it"
3 assistant "ok"
`},
		{"what the client writes", rollout(
			item, userItem("<environment_context>\n<cwd>/r</cwd>\n</environment_context>"), item, userItem("<user_instructions>\nuse tabs\n</user_instructions>"),
			item, userItem("# AGENTS.md instructions for /r\n\n<INSTRUCTIONS>\nuse tabs\n</INSTRUCTIONS>"),
			item, userItem("<subagent_notification>\n{}\n</subagent_notification>"), item, userItem(`<hook_prompt hook_run_id="stop:1">run the tests</hook_prompt>`),
			item, userItem("<user_shell_command>\nls\n</user_shell_command>"), item, userItem("[lessons] 1 for Bash\nuse make"),
			item, userItem("Another language model started to solve this problem and produced a summary")), ""},
		{"who wrote it is said", rollout(item, `{"type":"message","role":"user","content":[{"type":"input_text","text":"from a hook"},{"type":"input_text","text":"mine"}],`+
			`"internal_chat_message_metadata_passthrough":{"content_item_metadata":[{"provenance":{"type":"harness"}},{"provenance":{"type":"user"}}]}}`), `2 user "mine"
`},
		{"an editor's context", rollout(item, userItem("# Context from my IDE setup:\n\n## Open tabs:\n- a.go\n\n## My request for Codex:\nfix the flag\n")), `2 user "fix the flag"
`},
		{"an editor's context alone", rollout(item, userItem("# Context from my IDE setup:\n\n## Open tabs:\n- a.go\n")), ""},
		{"a person's angle brackets", rollout(item, userItem("<div> is not closed here")), `2 user "<div> is not closed here"
`},

		{
			"a shell's script", rollout(item, shellCall("1", `{"command":["bash","-lc","go test | tail"],"workdir":"/r"}`), item, output("1", "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nFAIL\n")),
			`2 tool-call Bash "{\"command\":\"go test | tail\",\"workdir\":\"/r\"}"
3 tool-result Bash masked "FAIL\n"
`,
		},
		{
			"arguments", rollout(item, shellCall("1", `{"command":["git","commit","-m","a b"]}`), item, output("1", `{"output":"nothing to commit\n","metadata":{"exit_code":1,"duration_seconds":0.1}}`)),
			`2 tool-call Bash "{\"command\":\"git commit -m 'a b'\"}"
3 tool-result Bash fail exit 1 "nothing to commit\n"
`,
		},
		{
			"a local shell", rollout(item, `{"type":"local_shell_call","call_id":"1","status":"completed","action":{"type":"exec","command":["ls"]}}`, item, output("1", "Process exited with code 2\nOutput:\nno\n")),
			`2 tool-call Bash "{\"command\":\"ls\",\"type\":\"exec\"}"
3 tool-result Bash fail exit 2 "no\n"
`,
		},
		{
			"an answer that is no failure", rollout(item, shellCall("1", `{"command":"grep x y"}`), item, output("1", "Exit code: 1\nWall time: 0 seconds\nOutput:\n")),
			`2 tool-call Bash "{\"command\":\"grep x y\"}"
3 tool-result Bash expected exit 1
`,
		},
		{
			"too long", rollout(item, shellCall("1", `{"command":"sleep 99"}`), item, output("1", `{"output":"command timed out after 10000 milliseconds\n","metadata":{"exit_code":124}}`)),
			`2 tool-call Bash "{\"command\":\"sleep 99\"}"
3 tool-result Bash timeout exit 124 "command timed out after 10000 milliseconds\n"
`,
		},
		{"refused", rollout(item, shellCall("1", `{"command":"rm x"}`), item, output("1", "exec command rejected by user")), `2 tool-call Bash "{\"command\":\"rm x\"}"
3 rejection Bash rejected
`},
		{"held back by a rule", rollout(item, shellCall("1", `{"command":"rm x"}`), event, `{"type":"exec_command_end","call_id":"1","exit_code":-1,"status":"declined"}`, item, output("1", "approval required by policy, but AskForApproval is set to Never")), `2 tool-call Bash "{\"command\":\"rm x\"}"
4 tool-result Bash blocked "approval required by policy, but AskForApproval is set to Never"
`},
		{"stopped in the shell", rollout(item, shellCall("1", `{"command":"make"}`), item, output("1", "Wall time: 3.2 seconds\naborted by user")), `2 tool-call Bash "{\"command\":\"make\"}"
3 tool-result Bash interrupted "aborted by user"
`},
		{"a negative status", rollout(item, shellCall("1", `{"command":"make"}`), item, output("1", "Exit code: -1\nWall time: 0 seconds\nOutput:\nno such file")), `2 tool-call Bash "{\"command\":\"make\"}"
3 tool-result Bash fail "no such file"
`},
		{"held back by a hook", rollout(item, shellCall("1", `{"command":"rm x"}`), item, output("1", "Command blocked by PreToolUse hook: no. Command: rm x")), `2 tool-call Bash "{\"command\":\"rm x\"}"
3 tool-result Bash blocked "Command blocked by PreToolUse hook: no. Command: rm x"
`},
		{"stopped", rollout(item, shellCall("1", `{"command":"make"}`), item, output("1", "aborted by user after 3.2s"), event, `{"type":"turn_aborted","reason":"interrupted"}`,
			item, userItem("<turn_aborted>\nstopped\n</turn_aborted>"), item, userItem("use ninja")), `2 tool-call Bash "{\"command\":\"make\"}"
3 tool-result Bash interrupted "aborted by user after 3.2s"
4 interrupt
6 user "use ninja"
`},
		{
			"a status that only an event tells", rollout(item, shellCall("1", `{"command":"make"}`), event, `{"type":"exec_command_end","call_id":"1","exit_code":2,"aggregated_output":"no rule\n"}`, item, output("1", "a hook's words")),
			`2 tool-call Bash "{\"command\":\"make\"}"
4 tool-result Bash fail exit 2 "no rule\n"
`,
		},
		{
			"a command that runs on", rollout(item, shellCall("1", `{"cmd":"make"}`), item, output("1", "Process running with session ID 7\nOutput:\n"),
				item, `{"type":"function_call","name":"write_stdin","arguments":"{\"session_id\":7,\"chars\":\"\"}","call_id":"2"}`, item, output("2", "Process exited with code 2\nOutput:\nno rule\n")),
			`2 tool-call Bash "{\"command\":\"make\"}"
5 tool-result Bash fail exit 2 "no rule\n"
`,
		},
		{
			"a patch", rollout(item, `{"type":"custom_tool_call","call_id":"1","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a.go\n@@ f\n x\n-old\n+new\n*** End Patch"}`,
				item, `{"type":"custom_tool_call_output","call_id":"1","output":"apply_patch verification failed: no such lines"}`),
			`2 tool-call Edit "{\"file_path\":\"a.go\",\"new_string\":\"x\\nnew\",\"old_string\":\"x\\nold\"}"
3 tool-result Edit fail "apply_patch verification failed: no such lines"
`,
		},
		{
			"a patch through the shell", rollout(item, shellCall("1", `{"command":["bash","-lc","apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: b.go\n+package b\n*** End Patch\nEOF"]}`)),
			`2 tool-call Write "{\"content\":\"package b\",\"file_path\":\"b.go\"}"
`,
		},
		{
			"a patch that failed without a word", rollout(item, `{"type":"custom_tool_call","call_id":"1","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch"}`,
				event, `{"type":"patch_apply_end","call_id":"1","success":false,"stderr":"denied"}`, item, `{"type":"custom_tool_call_output","call_id":"1","output":"see above"}`),
			`2 tool-call Edit "{\"file_path\":\"a\",\"new_string\":\"y\",\"old_string\":\"x\"}"
4 tool-result Edit fail "denied"
`,
		},
		{
			"an answer to a question", rollout(item, `{"type":"function_call","name":"request_user_input","call_id":"1","arguments":"{\"questions\":[{\"id\":\"db\",\"question\":\"Which?\"}]}"}`, item, output("1", `{"answers":{"db":{"answers":["SQLite","user_note: no server"]}}}`)),
			`2 tool-call AskUserQuestion "{\"questions\":[{\"id\":\"db\",\"question\":\"Which?\"}]}"
3 tool-result AskUserQuestion ok "User has answered your questions: \"Which?\"=\"SQLite, no server\". You can now continue with the user's…"
`,
		},
		{"compaction said twice", rollout("compacted", `{"message":"…"}`, event, `{"type":"context_compacted"}`), "2 compaction\n"},
		{
			"a sub-agent", strings.Replace(rollout(item, userItem("look around"), item, shellCall("1", `{"command":"ls"}`)), `"source":"cli"`, `"source":{"subagent":"review"},"parent_thread_id":"p"`, 1),
			`3 tool-call s Bash "{\"command\":\"ls\"}"
`,
		},
		{"two objects on a line", strings.Replace(rollout(item, userItem("a"), item, userItem("b")), "}\n{\"timestamp\":\"2026-01-02T03:04:07Z\"", "}{\"timestamp\":\"2026-01-02T03:04:07Z\"", 1), "2 user \"a\"\n2 user \"b\"\n"},
		{"the first versions", `{"id":"s","timestamp":"2025-05-01T00:00:00Z","instructions":null,"git":{"branch":"main"}}
{"record_type":"state"}
{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}
{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"1"}
{"type":"function_call_output","call_id":"1","output":"{\"output\":\"\",\"metadata\":{\"exit_code\":0}}"}
`, `3 user "hi"
4 tool-call Bash "{\"command\":\"ls\"}"
5 tool-result Bash ok exit 0
`},
		{"fields of other types", rollout(item, `{"type":"message","role":"user","content":7}`, item, `{"type":"function_call","name":["x"],"arguments":{"a":1},"call_id":3}`, event, `{"type":"user_message","message":{}}`, "event_msg", `[]`), `3 tool-call
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			events, _ := readAs(t, "rollout-x.jsonl", tt.text, Options{})
			if diff := cmp.Diff(tt.want, show(events)); diff != "" {
				t.Error(diff)
			}
			for _, e := range events {
				if e.Session != "s" && e.Session != "p" {
					t.Errorf("%+v is of no session", e)
				}
			}
		})
	}
}

func TestCodexForksShareASession(t *testing.T) {
	fork := strings.Replace(rollout("response_item", userItem("hi")), `"source":"cli"`, `"source":"cli","forked_from_id":"first"`, 1)
	_, stats := readAs(t, "x.jsonl", fork, Options{})
	if stats.Meta.Session != "first" {
		t.Errorf("session %q", stats.Meta.Session)
	}
}

func FuzzCodex(f *testing.F) {
	f.Add(rollout("response_item", userItem("hi"), "response_item", shellCall("1", `{"command":["ls"]}`), "response_item", output("1", "Exit code: 1\nOutput:\nx")))
	f.Add(rollout("event_msg", `{"type":"item_completed","item":{"type":"FileChange","id":"exec-1","changes":{"a":{"type":"add","content":"x"}}}}`))
	fuzzReader(f, Layout{Format: Codex})
}

// fuzzReader reads whatever it is given: nothing panics, nothing is made up, and
// the same text gives the same events.
func fuzzReader(f *testing.F, layout Layout) {
	f.Fuzz(func(t *testing.T, text string) {
		opts := Options{Name: "x", MaxLine: 4 << 10, Whole: true}
		read := func() ([]Event, int) {
			var events []Event
			size := 0
			_, err := layout.Read(strings.NewReader(text), opts, func(e Event) error {
				events = append(events, e)
				size += len(e.Text) + len(e.Input)
				return nil
			})
			var refused *ErrFormat
			if err != nil && !errors.As(err, &refused) {
				t.Fatal(err)
			}
			return events, size
		}
		events, size := read()
		if size > 16*len(text)+4096 {
			t.Errorf("%d bytes of text from %d", size, len(text))
		}
		if again, _ := read(); show(again) != show(events) {
			t.Error("the second reading differs")
		}
	})
}
