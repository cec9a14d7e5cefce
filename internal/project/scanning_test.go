package project

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
)

// A hook at a session's start opens what was written since the last scan alone.
func TestOlderSessionsDoNotShow(t *testing.T) {
	scanned := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	meta := []byte(`{"type":"session_meta","payload":{"cwd":"/r"}}`)
	home := fstest.MapFS{
		"sessions/2026/02/28/rollout-1.jsonl": {Data: meta, ModTime: scanned},
		"sessions/2026/03/01/rollout-2.jsonl": {Data: meta, ModTime: scanned.Add(time.Second)},
		"opencode.db":                         {ModTime: scanned.Add(-time.Hour)}, // its log of changes may be newer
	}
	for _, c := range []struct {
		client *agent.Client
		since  time.Time
		want   string
	}{
		{agent.Codex, scanned, "sessions/2026/03/01/rollout-2.jsonl"},
		{agent.Codex, time.Time{}, "sessions/2026/02/28/rollout-1.jsonl sessions/2026/03/01/rollout-2.jsonl"},
		{agent.OpenCode, scanned, "opencode.db"},
	} {
		names, err := c.client.Sessions(writtenSince{home, c.since}, "/r")
		if got := strings.Join(names, " "); err != nil || got != c.want {
			t.Errorf("%s since %s: %s (%v)", c.client.Name, c.since, got, err)
		}
	}
}
