package scan

import (
	"testing"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// A result whose text is not read is judged as if it had been.
func TestTextsThatAreNotReadSayNothing(t *testing.T) {
	unread := 0
	for _, tool := range []string{"Read", "Edit", "Grep", "Task", "Bash", "shell", "WebFetch", "mcp__x__y", "AskUserQuestion", ""} {
		for _, outcome := range []transcript.Outcome{transcript.OK, transcript.Fail, transcript.Masked, transcript.NotRun, transcript.TimedOut, transcript.Expected, transcript.Rejected} {
			if readsText(tool, outcome) {
				continue
			}
			unread++
			for _, text := range []string{"Error: no such file", "FAIL\nexit status 1", `{"error":"x"}`, `"Which?"="This one, because it is small"`} {
				call := &Step{Event: transcript.Event{Kind: transcript.ToolCall, Tool: tool}}
				result := &Step{Event: transcript.Event{Kind: transcript.ToolResult, Tool: tool, Outcome: outcome, Text: text}, call: call}
				if failed(call, result) || len(chosenOptions(result)) > 0 {
					t.Errorf("%s, %s: the words %q count", tool, outcome, text)
				}
			}
		}
	}
	if unread == 0 {
		t.Error("every text is read")
	}
}
