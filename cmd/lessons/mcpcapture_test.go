package main

import (
	"strings"
	"testing"
)

// An agent without transcripts records its calls over MCP, and says when its session ends.
func TestMCPCapture(t *testing.T) {
	c := newMCPClient(t, nil)
	var out struct {
		Success    bool
		Action, ID string
		SessionID  string `json:"sessionId"`
	}
	in := map[string]any{
		"action": "tool_outcome", "sessionId": "opencode-1", "toolName": "Bash", "outcome": "failure", "outcomeType": "usage",
		"inputSummary": "deploy --all password=hunter2tonight9", "outputSummary": "unknown flag: --all", "durationMs": 1200, "projectId": "p",
	}
	if failed := c.call("memory_capture", in, &out); failed != "" || !out.Success || !strings.HasPrefix(out.ID, "out_") || out.SessionID != "opencode-1" {
		t.Fatalf("%s: %+v", failed, out)
	}
	listed := c.run("lessons", "outcome", "list", "--session", "opencode-1", "--json")
	for _, want := range []string{out.ID, `"outcome":"failure"`, `"outcomeType":"usage"`, `"durationMs":1200`, "[REDACTED]"} {
		if !strings.Contains(listed, want) {
			t.Errorf("%s lacks %s", listed, want)
		}
	}
	if strings.Contains(listed, "hunter2") {
		t.Error(listed)
	}
	if failed := c.call("memory_capture", map[string]any{"action": "session_end_analysis", "sessionId": "opencode-1"}, &out); failed != "" || out.Action != "session_end_analysis" {
		t.Errorf("%s: %+v", failed, out)
	}
	if listed := c.run("lessons", "outcome", "list", "--json"); !strings.Contains(listed, `"analyzed":1`) {
		t.Errorf("after the session ended: %s", listed)
	}
	for _, bad := range []map[string]any{
		{"action": "block_start", "sessionId": "s"},
		{"action": "tool_outcome", "sessionId": ""},
		{"action": "tool_outcome", "sessionId": "s", "toolName": "Bash", "outcome": "good"},
		{"action": "tool_outcome", "sessionId": "s", "outcome": "success"},
	} {
		if failed := c.call("memory_capture", bad, &out); failed == "" {
			t.Errorf("%v was taken", bad)
		}
	}
}
