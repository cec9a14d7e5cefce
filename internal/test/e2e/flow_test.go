//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/agent"
)

// TestClaudeCodeIsLedAndHeldBack: the first request of a session holds the next step of the
// feature list, and what was violated five times is held back by the guard that was made of it,
// the sixth time and the seventh.
func TestClaudeCodeIsLedAndHeldBack(t *testing.T) {
	claudeCode.find(t)
	s := newSite(t)
	const lesson = "01KF0RCE000000000000000000"
	s.write(".lessons/force.md", "---\nid: "+lesson+"\nkind: warning\npriority: high\nstatus: active\nconfidence: 1\naction: stop-once\ntriggers:\n  tools: [Bash]\n  commands: [\"git push --force\"]\n---\n# Nobody force-pushes\n\nDo: git push --force-with-lease\n")
	s.run("lessons", "trust", "--yes")
	for n := range 5 {
		s.violated(n, "git push --force origin main", lesson)
	}
	s.run("lessons", "scan")
	if out := s.run("lessons", "guard", "propose", "--write"); !strings.Contains(out, "would have held back 5 calls that went wrong, 0 calls that worked") {
		t.Fatalf("proposed:\n%s", out)
	}
	guards, err := filepath.Glob(filepath.Join(s.root, ".lessons", "guard-*.md"))
	if err != nil || len(guards) != 1 {
		t.Fatal(guards, err)
	}
	s.run("lessons", "promote", filepath.Base(guards[0]))
	s.write(".claude/progress/feature-list.json", `{"features": [{"id": "A-1", "description": "Read events", "status": "pending", "tested": false, "retry": 0}]}`)
	s.run("lessons", "flow", "init", "--yes")

	model := s.session(claudeCode, "Go on.", bash("git push --force origin main"), bash("git push --force origin main"), says("Done."))
	requests := model.Requests()
	if !strings.Contains(requests[0], "Give A-1 (Read events) to coding-agent") {
		t.Error("the first request does not hold the next step")
	}
	if n := strings.Count(requests[len(requests)-1], "lessons allow "); n < 2 {
		t.Errorf("the guard held back %d of 2 calls", n)
	}
}

// write makes a file of the repository.
func (s *site) write(name, text string) {
	s.t.Helper()
	name = filepath.Join(s.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// violated records a session in which a lesson stopped a command.
func (s *site) violated(n int, command, lesson string) {
	s.t.Helper()
	folder, _ := agent.ClaudeFolder(s.root)
	lines := fmt.Sprintf(`{"type":"assistant","uuid":"a%[1]d","sessionId":"old%[1]d","timestamp":"2026-05-0%[2]dT10:00:00Z","cwd":%[3]q,"message":{"role":"assistant","content":[{"type":"tool_use","id":"t%[1]d","name":"Bash","input":{"command":%[4]q}}]}}
{"type":"user","uuid":"u%[1]d","sessionId":"old%[1]d","timestamp":"2026-05-0%[2]dT10:00:01Z","cwd":%[3]q,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%[1]d","is_error":true,"content":"[lessons] 1 for Bash\nlessons show %[5]s; if the call is right, make it again"}]}}
`, n, n+1, s.root, command, lesson)
	dir := filepath.Join(s.home, ".claude", "projects", folder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("old%d.jsonl", n)), []byte(lines), 0o644); err != nil {
		s.t.Fatal(err)
	}
}
