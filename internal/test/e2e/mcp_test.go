//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

// mcpCall is a call of a tool of the server, with what its answer holds.
type mcpCall struct {
	tool, want string
	input      map[string]any
}

// mcpCalls are a call of every tool and of every action; trace is one that is kept.
func mcpCalls(trace string) []mcpCall {
	return []mcpCall{
		{"check", "go test -timeout=30s", map[string]any{"command": "go test -timeout=30"}},
		{"fix", "problems", map[string]any{"error": "exit status 1", "command": "go test"}},
		{"search_knowledge", "ADR-001", map[string]any{"query": "integer cents"}},
		{"read_entry", "floats lost a cent", map[string]any{"id": "ADR-001"}},
		{"store_trace", "trace_", map[string]any{"type": "violation", "event": map[string]any{"what_happened": "pushed with force", "why": "others lose commits"}}},
		{"query_traces", "others lose commits", map[string]any{"query": "force", "level": "summary"}},
		{"extract_patterns", "patterns", map[string]any{"min": 5}},
		{"create_guard", "draft", map[string]any{"command": "git push --force", "suggest": "git push --force-with-lease"}},
		{"propose", "obs_", map[string]any{"tool": "Bash", "trigger": "make all", "mistake": "make has no target all", "fix": "make build"}},
		{"get_trace", "wanted the list", map[string]any{"id": trace}},
		{"memory_capture", "out_", map[string]any{"action": "tool_outcome", "sessionId": "s-1", "toolName": "Edit", "outcome": "success", "inputSummary": "a.go"}},
		{"memory_capture", "session_end_analysis", map[string]any{"action": "session_end_analysis", "sessionId": "s-1"}},
	}
}

// mcpSite is a repository without hooks, and with things to tell; among them a trace.
func mcpSite(t *testing.T) (s *site, trace string) {
	s = newSite(t, "--agent", "mcp")
	s.run("lessons", "add", "go test wants a unit", "--command", "go test -timeout=30", "--mistake", "a bare number is refused", "--fix", "go test -timeout=30s")
	s.run("lessons", "add", "Money is integer cents", "--type", "decision", "--decision", "int cents", "--because", "floats lost a cent")
	said := s.run("lessons", "trace", "store", "--type", "correction", "--correct", "the list", "wanted the list")
	trace = regexp.MustCompile(`trace_\w+`).FindString(said)
	if trace == "" {
		t.Fatalf("no trace was kept: %s", said)
	}
	return s, trace
}

// TestMCPInspectorCallsEveryTool: the protocol's own client reads what the server says.
func TestMCPInspectorCallsEveryTool(t *testing.T) {
	inspector, err := exec.LookPath("mcp-inspector")
	if err != nil {
		t.Skipf("SKIPPED, not installed: npm install -g @modelcontextprotocol/inspector (%v)", err)
	}
	s, trace := mcpSite(t)
	server := []string{"--cli", filepath.Join(s.bin(), "lessons"), "mcp"}
	for _, c := range mcpCalls(trace) {
		args := append(server[:len(server):len(server)], "--method", "tools/call", "--tool-name", c.tool)
		for name, value := range c.input {
			text, is := value.(string)
			if !is { // it reads JSON
				data, err := json.Marshal(value)
				if err != nil {
					t.Fatal(err)
				}
				text = string(data)
			}
			args = append(args, "--tool-arg", name+"="+text)
		}
		if out := s.run(inspector, args...); !strings.Contains(out, c.want) || strings.Contains(out, `"isError": true`) {
			t.Errorf("%s answers\n%s", c.tool, out)
		}
	}
	if out := s.run(inspector, append(server, "--method", "resources/read", "--uri", "lessons://index")...); !strings.Contains(out, "Money is integer cents") {
		t.Errorf("the index reads\n%s", out)
	}
}

// TestClaudeCodeCallsEveryToolOverMCP: without a hook the agent is given the index and the
// answers.
func TestClaudeCodeCallsEveryToolOverMCP(t *testing.T) {
	claudeCode.find(t)
	s, trace := mcpSite(t)
	config := filepath.Join(s.home, "mcp.json")
	if err := os.WriteFile(config, []byte(`{"mcpServers": {"lessons": {"command": "lessons", "args": ["mcp"]}}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	c := claudeCode
	c.args = func(prompt string) []string {
		return []string{"-p", prompt, "--model", "claude-sonnet-4-5", "--mcp-config", config, "--allowedTools", "mcp__lessons"}
	}
	var turns []mockmodel.Turn
	for _, call := range mcpCalls(trace) {
		turns = append(turns, tool("mcp__lessons__"+call.tool, call.input))
	}
	model := s.session(c, "Look around.", append(turns, says("Done."))...)
	requests := model.Requests()
	last := requests[len(requests)-1]
	for _, call := range mcpCalls(trace) {
		if !strings.Contains(last, call.want) {
			t.Errorf("the answer of %s did not reach the model", call.tool)
		}
	}
	if strings.Contains(last, "No such tool") || strings.Contains(last, "is_error\":true") {
		t.Errorf("a call failed:\n%s", last)
	}
	if !strings.Contains(requests[0], "Money is integer cents") {
		t.Error("the session did not begin with the index")
	}
}
