package transcript

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// Each head begins as the agent's own files do.
func TestDetect(t *testing.T) {
	for _, tt := range []struct {
		name, path, head string
		want             Format
	}{
		{"prompt", "x.jsonl", `{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"hi"},"uuid":"u","sessionId":"s"}` + "\n", Claude},
		{"old title first", "x.jsonl", `{"type":"summary","summary":"t","leafUuid":"u"}` + "\n", Claude},
		{"state first", "x.jsonl", `{"type":"new-kind-of-state","sessionId":"s"}` + "\n" + `{"type":"queue-operation","operation":"enqueue","sessionId":"s"}` + "\n", Claude},
		{"snapshot first", "x.jsonl", `{"type":"file-history-snapshot","messageId":"m","snapshot":{}}` + "\n", Claude},
		{"a first line that does not end", "x.jsonl", `{"parentUuid":null,"type":"user","uuid":"u","message":{"role":"user","content":"aaaaaa`, Claude},
		{"damage first", "x.jsonl", "\uFEFF\x00\x00{\"typ\n" + `{"type":"assistant","uuid":"u","message":{"role":"assistant","content":[]}}`, Claude},
		{"head that says nothing", "/h/.claude/projects/-p/s.jsonl", "\n", Claude},
		{"talk about another agent", "x.jsonl", `{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"{\"type\":\"session_meta\",\"payload\":{}}"}}`, Claude},

		{"rollout", "x.jsonl", `{"timestamp":"t","type":"session_meta","payload":{"id":"i","cwd":"/r"}}` + "\n", Codex},
		{"paginated rollout", "x.jsonl", `{"timestamp":"t","ordinal":0,"type":"response_item","payload":{"type":"message"}}` + "\n", Codex},
		{"rollout by its name", "/c/rollout-2026-01-02T03-04-05-a.jsonl", "", Codex},
		{"chat", "x.jsonl", `{"sessionId":"s","projectHash":"h","startTime":"t","lastUpdated":"t","kind":"main"}` + "\n", Gemini},
		{"chat batch", "x.jsonl", `{"$set":{"messages":[]}}` + "\n", Gemini},
		{"chat as one object", "x.json", "{\n  \"sessionId\": \"s\",\n  \"projectHash\": \"h\",\n  \"messages\": [", Gemini},
		{"export", "x.json", "{\n \"info\": {\n  \"id\": \"ses_1\",\n  \"projectID\": \"p\",\n  \"directory\": \"/r\"", OpenCode},
		{"stored part", "x.json", `{"id":"p","sessionID":"s","messageID":"m","type":"text","text":"x"}`, OpenCode},
		{"fork of another client", "x.jsonl", `{"uuid":"u","sessionId":"s","type":"user","cwd":"/r","message":{"role":"user","parts":[{"text":"x"}]}}` + "\n", Qwen},
		{"roles at the top", "x.jsonl", `{"role":"user","message":{"content":[{"type":"text","text":"x"}]}}` + "\n", Cursor},
		{"events", "x.jsonl", `{"type":"session.start","data":{"sessionId":"s"}}` + "\n", Copilot},
		{"messages", "x.jsonl", `{"type":"session_start","id":"s","title":"t"}` + "\n", Droid},
		{"stream", "x.jsonl", `{"type":"system","subtype":"init","sessionId":"s","timestamp":1,"tools":[]}` + "\n" + `{"type":"message","sessionId":"s","role":"user","text":"x"}` + "\n", Droid},
		{"session first", "x.jsonl", `{"type":"session","version":3,"id":"s","cwd":"/r"}` + "\n", Pi},
		{"web export", "x.json", "{\n  \"loglines\": [", WebExport},

		{"prompt history", "history.jsonl", `{"session_id":"s","ts":1,"text":"x"}` + "\n", CodexHistory},
		{"first rollouts", "x.jsonl", `{"id":"s","timestamp":"t","instructions":null}` + "\n", Codex},

		{"nothing", "x.jsonl", "", Unknown},
		{"text", "README.md", "# Title\n{not json}\n", Unknown},
		{"other JSON lines", "x.jsonl", `{"subject":"a","predicate":"b"}` + "\n", Unknown},
		{"settings", "settings.json", "{\n  \"hooks\": {}\n}\n", Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Detect(tt.path, []byte(tt.head))
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			var refused *ErrFormat
			if (err == nil) != formatOf(tt.want).readable() || err != nil && !errors.As(err, &refused) {
				t.Fatalf("error %v", err)
			}
			if err != nil && (!strings.Contains(err.Error(), tt.path) || !strings.Contains(err.Error(), formatOf(tt.want).name)) {
				t.Errorf("%q names neither file nor agent", err)
			}
		})
	}
}

// A file of another agent is refused before anything of it is taken for a
// session.
func TestOtherAgentsAreNeverMisread(t *testing.T) {
	other := `{"type":"session_start","id":"i","title":"t"}` + "\n" + line("user", "u", `"planted"`) + "\n"
	stats, err := Read("x.jsonl", strings.NewReader(other), Options{}, func(e Event) error {
		t.Errorf("emitted %+v", e)
		return nil
	})
	var refused *ErrFormat
	if !errors.As(err, &refused) || refused.Format != Droid || stats.Events != 0 {
		t.Errorf("%v, %+v", err, stats)
	}
	if _, err := Read("empty.jsonl", strings.NewReader(""), Options{}, nil); err != nil {
		t.Errorf("an empty file: %v", err)
	}
}

func TestReadPassesOn(t *testing.T) {
	data, err := os.ReadFile("testdata/claude/compact.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := read(t, string(data), Options{})
	n := 0
	stats, err := Read("compact.jsonl", strings.NewReader(string(data)), Options{}, func(Event) error { n++; return nil })
	if err != nil || n != len(want) || stats.Offset != int64(len(data)) {
		t.Errorf("%d events, want %d: %+v, %v", n, len(want), stats, err)
	}
}
