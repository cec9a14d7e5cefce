package project_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/outcomes"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// When a session ends, its counter of calls is dropped, whatever the log calls the session.
// The payloads and transcripts have the forms of the real programs.
func TestTheEndOfASessionDropsItsCounter(t *testing.T) {
	for _, tt := range []struct {
		client                          *agent.Client
		event, transcript, name, id, at string
	}{
		{agent.Claude, "SessionEnd", "claude/all-tools.jsonl", "projects/x/%s.jsonl", "00000000-0000-4000-8000-000000000001", "2026-11-20T12:00:00Z"},
		{agent.Codex, "SessionEnd", "codex/all-tools.jsonl", "sessions/rollout-2026-11-20T10-43-02-%s.jsonl", "00000000-0000-4000-8000-000000000002", "2026-11-20T12:00:00Z"},
		{agent.Gemini, "SessionEnd", "gemini/all-tools.jsonl", "chats/session-2026-11-20T10-47-%.8s.jsonl", "00000000-0000-4000-8000-000000000001", "2026-11-20T12:00:00Z"},
		{agent.Copilot, "sessionEnd", "copilot/denied-and-failed.jsonl", "session-state/%s/events.jsonl", "00000000-0000-4000-8000-000000000001", "2026-11-22T06:00:00Z"},
	} {
		t.Run(tt.client.Name, func(t *testing.T) {
			now, err := time.Parse(time.RFC3339, tt.at)
			if err != nil {
				t.Fatal(err)
			}
			repo := gittest.New(t)
			p := openProject(t, repo.Path("."), func() time.Time { return now })
			data, err := os.ReadFile(filepath.Join("../../scan/transcript/testdata", tt.transcript))
			if err != nil {
				t.Fatal(err)
			}
			file := repo.Path(filepath.Join("agent", fmt.Sprintf(tt.name, tt.id)))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
			e, err := tt.client.Decode(tt.event, fmt.Appendf(nil, `{"session_id":%q,"sessionId":%q,"transcript_path":%q,"cwd":%q,"hook_event_name":"SessionEnd","reason":"other"}`, tt.id, tt.id, file, repo.Path(".")))
			if err != nil {
				t.Fatal(err)
			}
			var started []string
			p.Answer(context.Background(), tt.client, e, func(args ...string) { started = args })
			at := slices.Index(started, "--ended")
			if at < 0 {
				t.Fatalf("the end starts %q", started)
			}
			if _, err := p.Scan(context.Background(), project.ScanOptions{Paths: []string{file}, Foreign: true}); err != nil {
				t.Fatal(err)
			}
			p.AfterScan(started[at+1])
			s, err := p.Outcomes()
			if err != nil {
				t.Fatal(err)
			}
			defer s.DB.Close()
			calls, err := s.List(outcomes.Query{})
			if err != nil || len(calls) == 0 {
				t.Fatalf("%d calls, %v", len(calls), err)
			}
			if left, err := s.Due(0); err != nil || len(left) != 0 {
				t.Errorf("counters are left of %q, %v", left, err)
			}
			if calls[0].Analyzed != 1 {
				t.Error("its calls are not marked as analysed")
			}
		})
	}
}
