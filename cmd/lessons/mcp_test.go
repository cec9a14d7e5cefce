package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lessons-cli/lessons/internal/agent"
)

// mcpClient is a client of lessons mcp in a repository of its own.
type mcpClient struct {
	*testing.T
	dir, home string
	session   *mcp.ClientSession
}

func newMCPClient(t *testing.T, prepare func(*mcpClient)) *mcpClient {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := &mcpClient{T: t, dir: dir, home: t.TempDir()}
	c.run("git", "init", "-q")
	if prepare != nil {
		prepare(c)
	}
	c.connect()
	return c
}

func (c *mcpClient) connect() {
	c.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(c.Context(), &mcp.CommandTransport{Command: c.command("lessons", "mcp")}, nil)
	if err != nil {
		c.Fatal(err)
	}
	c.session = session
	c.Cleanup(func() {
		if err := session.Close(); err != nil {
			c.Errorf("the server ended with %v", err)
		}
	})
}

func (c *mcpClient) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "HOME="+c.home, "USER=dev", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.com", "GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.com",
		"XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "CLAUDE_PROJECT_DIR=", agent.DeadlineVariable+"=1m")
	return cmd
}

func (c *mcpClient) run(name string, args ...string) string {
	c.Helper()
	out, err := c.command(name, args...).CombinedOutput()
	if err != nil {
		c.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// call calls a tool and decodes what it answers; the text is that of an error.
func (c *mcpClient) call(tool string, in any, out any) (failure string) {
	c.Helper()
	result, err := c.session.CallTool(c.Context(), &mcp.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		return err.Error()
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		return text
	}
	if err := json.Unmarshal([]byte(text), out); err != nil {
		c.Fatalf("%s: %v in %s", tool, err, text)
	}
	return ""
}

// taught is a repository that knows a few things.
func taught(c *mcpClient) {
	c.run("lessons", "init", "--yes")
	c.run("lessons", "add", "go test wants a unit", "--command", "go test -timeout=30", "--mistake", "a bare number is refused", "--fix", "go test -timeout=30s")
	c.run("lessons", "add", "--type", "decision", "Amounts are integer cents", "--decision", "keep amounts as integer cents", "--because", "floats lose them")
	folder, _ := agent.ClaudeFolder(c.dir)
	sessions := filepath.Join(c.home, ".claude", "projects", folder)
	if err := os.MkdirAll(sessions, 0o755); err != nil {
		c.Fatal(err)
	}
	for i := range 2 {
		var text strings.Builder
		for n, made := range []string{"git show HEAD --no-stats", "git show HEAD --no-stat"} {
			said, bad := "commit", false
			if n == 0 {
				said, bad = "Exit code 128\nfatal: unrecognized argument: --no-stats", true
			}
			for _, content := range []any{
				map[string]any{"type": "tool_use", "id": fmt.Sprint(i, n), "name": "Bash", "input": map[string]any{"command": made}},
				map[string]any{"type": "tool_result", "tool_use_id": fmt.Sprint(i, n), "is_error": bad, "content": said},
			} {
				role := "assistant"
				if content.(map[string]any)["type"] == "tool_result" {
					role = "user"
				}
				line, _ := json.Marshal(map[string]any{"type": role, "sessionId": fmt.Sprint("s", i), "cwd": c.dir, "timestamp": "2026-11-01T10:00:00Z", "message": map[string]any{"role": role, "content": []any{content}}})
				text.WriteString(string(line) + "\n")
			}
		}
		if err := os.WriteFile(filepath.Join(sessions, fmt.Sprintf("s%d.jsonl", i)), []byte(text.String()), 0o644); err != nil {
			c.Fatal(err)
		}
	}
	c.run("lessons", "scan")
}

// anything is a property of a schema that says nothing.
var anything = regexp.MustCompile(`"properties":\{(?:[^{}]|\{[^{}]*\})*"\w+":true[,}]`)

func TestMCPToolsAnswer(t *testing.T) {
	c := newMCPClient(t, taught)
	if got := c.session.InitializeResult().Instructions; !strings.Contains(got, "Amounts are integer cents") || !strings.Contains(got, "Call check") {
		t.Errorf("the instructions are %q", got)
	}
	tools, err := c.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		if tool.Description == "" || tool.OutputSchema == nil || tool.Annotations == nil || tool.Annotations.ReadOnlyHint == slices.Contains([]string{"propose", "memory_capture", "store_trace", "create_guard"}, tool.Name) {
			t.Errorf("%s is not described: %+v", tool.Name, tool.Annotations)
		}
	}

	for _, tool := range tools.Tools { // Claude Code drops all tools of a server where one has such a schema
		for name, schema := range map[string]any{"input": tool.InputSchema, "output": tool.OutputSchema} {
			if text, err := json.Marshal(schema); err != nil || anything.Match(text) {
				t.Errorf("the %s of %s may be anything: %s", name, tool.Name, text)
			}
		}
	}

	var check struct {
		Known []struct {
			Path, Says, Instead string
			Unreviewed          bool
		}
	}
	if failed := c.call("check", map[string]any{"command": "cd x && go test ./... -timeout=30"}, &check); failed != "" || len(check.Known) != 1 || check.Known[0].Instead != "go test -timeout=30s" || check.Known[0].Unreviewed {
		t.Errorf("check says %q %+v", failed, check)
	}
	if failed := c.call("check", map[string]any{"command": "ls"}, &check); failed != "" || len(check.Known) != 0 {
		t.Errorf("check of another command says %q %+v", failed, check)
	}

	var fix struct {
		Problems []struct {
			Problem, Advice string
			Sessions        int
		}
	}
	if failed := c.call("fix", map[string]any{"command": "git show v1 --no-stats", "error": "fatal: unrecognized argument: --no-stats"}, &fix); failed != "" || len(fix.Problems) != 1 || fix.Problems[0].Sessions != 2 || !strings.Contains(fix.Problems[0].Advice, "--no-stat") {
		t.Errorf("fix says %q %+v", failed, fix)
	}
	if failed := c.call("fix", map[string]any{"error": "fatal: unrecognized argument: --no-stats"}, &fix); failed != "" || len(fix.Problems) != 1 {
		t.Errorf("fix of the words alone says %q %+v", failed, fix)
	}
	if failed := c.call("fix", map[string]any{"command": "make", "error": "make: *** No rule to make target 'x'.  Stop."}, &fix); failed != "" || len(fix.Problems) != 0 {
		t.Errorf("fix of what nobody met says %q %+v", failed, fix)
	}

	var found struct {
		Hits  []struct{ ID, Title string }
		Total int
	}
	if failed := c.call("search_knowledge", map[string]any{"query": "integer cents"}, &found); failed != "" || found.Total == 0 || found.Hits[0].ID != "ADR-001" {
		t.Errorf("search says %q %+v", failed, found)
	}
	theirs := "---\nid: 01K00000000000000000000001\nstatus: active\npriority: critical\ntriggers:\n  commands: [\"go vet\"]\n---\n# Integer cents pass go vet\n\nSomebody says so.\n"
	if err := os.WriteFile(filepath.Join(c.dir, ".lessons", "theirs.md"), []byte(theirs), 0o644); err != nil {
		t.Fatal(err)
	}
	var both struct {
		Hits []struct {
			ID         string
			Unreviewed bool
		}
	}
	if failed := c.call("search_knowledge", map[string]any{"query": "integer cents"}, &both); failed != "" || len(both.Hits) != 2 || both.Hits[0].Unreviewed || !both.Hits[1].Unreviewed {
		t.Errorf("search says %q %+v", failed, both)
	}
	var read struct{ ID, Text string }
	if failed := c.call("read_entry", map[string]any{"id": "theirs"}, &read); failed != "" || !strings.HasPrefix(read.Text, "(unreviewed, from repository) ") {
		t.Errorf("read says %q %+v", failed, read)
	}
	skill := filepath.Join(c.dir, ".lessons", "skills", "their-release")
	if err := errors.Join(os.MkdirAll(skill, 0o755), os.WriteFile(filepath.Join(skill, "SKILL.md"), []byte("---\nname: their-release\n---\n# Their release\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if failed := c.call("read_entry", map[string]any{"id": ".lessons/skills/their-release/SKILL.md"}, &read); failed != "" || !strings.HasPrefix(read.Text, "(unreviewed, from repository) ") {
		t.Errorf("read says %q %+v", failed, read)
	}
	if failed := c.call("read_entry", map[string]any{"id": "ADR-001"}, &read); failed != "" || !strings.Contains(read.Text, "floats lose them") {
		t.Errorf("read says %q %+v", failed, read)
	}
	for _, uri := range []string{"lessons://index", "lessons://entry/ADR-001"} {
		resource, err := c.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || !strings.Contains(resource.Contents[0].Text, "integer cents") {
			t.Errorf("%s: %v %+v", uri, err, resource)
		}
	}
	if _, err := c.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "lessons://entry/ADR-999"}); err == nil {
		t.Error("an entry that is not there was read")
	}
}

// What an agent proposes is evidence of its session, as what it reports in a transcript.
func TestMCPProposals(t *testing.T) {
	c := newMCPClient(t, taught)
	in := map[string]any{"tool": "Bash", "trigger": "docker compose up --detached", "mistake": "docker compose up has no flag --detached", "fix": "docker compose up --detach"}
	var out struct{ ID, Status string }
	for range 2 { // the same again is the same
		if failed := c.call("propose", in, &out); failed != "" || !strings.HasPrefix(out.ID, "obs_") {
			t.Fatalf("propose says %q %+v", failed, out)
		}
	}
	if failed := c.call("propose", map[string]any{"decision": "all ids are ULIDs", "because": "they sort by time", "about": "src/store"}, &out); failed != "" {
		t.Errorf("propose says %q", failed)
	}
	c.run("lessons", "render")
	if list := c.run("lessons", "list"); strings.Count(list, "no flag --detached") != 1 || !regexp.MustCompile(`Proposed +All ids are ULIDs`).MatchString(list) {
		t.Errorf("the list is\n%s", list)
	}
	var check struct{ Known []struct{ Instead string } }
	if failed := c.call("check", map[string]any{"command": "docker compose up --detached"}, &check); failed != "" || len(check.Known) != 1 || check.Known[0].Instead != "docker compose up --detach" {
		t.Errorf("check says %q %+v", failed, check)
	}
	for name, in := range map[string]map[string]any{
		"nothing": {}, "half": {"decision": "x"}, "both": {"decision": "a", "because": "b", "mistake": "c", "fix": "d"},
		"unknown": {"mistake": "a", "fix": "b", "status": "active"}, "a number": {"mistake": 1, "fix": "b"},
	} {
		if failed := c.call("propose", in, &out); failed == "" {
			t.Errorf("%s was taken", name)
		}
	}
}

// Traces are kept, found in three levels of detail, and what repeats becomes the draft of a
// guard.
func TestMCPTraces(t *testing.T) {
	c := newMCPClient(t, taught)
	var stored struct{ ID string }
	store := func(feature, command string) {
		t.Helper()
		in := map[string]any{
			"type": "violation", "source": "enforcement_hook", "context": map[string]any{"agent": "coding-agent", "feature": feature, "command": command},
			"event": map[string]any{"what_happened": "Agent pushed " + feature + " with force", "what_was_correct": "git push --force-with-lease", "why": "others lose their commits"},
		}
		if failed := c.call("store_trace", in, &stored); failed != "" || !strings.HasPrefix(stored.ID, "trace_") {
			t.Fatalf("store_trace says %q %+v", failed, stored)
		}
	}
	store("PT-001", "git push --force origin main")
	store("PT-002", "git push origin dev --force")
	for name, in := range map[string]map[string]any{
		"no type": {"event": map[string]any{"what_happened": "x", "why": "y"}}, "nothing to learn": {"type": "violation", "event": map[string]any{"what_happened": "x"}},
	} {
		if failed := c.call("store_trace", in, &stored); failed == "" {
			t.Errorf("%s was taken", name)
		}
	}

	for level, want := range map[string]string{"metadata": `"agent":"coding-agent"`, "summary": `"why":"others lose their commits"`, "full": `"what_was_correct":"git push --force-with-lease"`} {
		var found struct{ Traces []json.RawMessage }
		if failed := c.call("query_traces", map[string]any{"query": "push force", "level": level, "type": "violation"}, &found); failed != "" || len(found.Traces) < 2 || !strings.Contains(string(found.Traces[0]), want) {
			t.Errorf("query_traces at %s says %q %s", level, failed, found.Traces)
		}
	}
	var got struct{ Trace struct{ ID string } }
	if failed := c.call("get_trace", map[string]any{"id": stored.ID}, &got); failed != "" || got.Trace.ID != stored.ID {
		t.Errorf("get_trace says %q %+v", failed, got)
	}
	if failed := c.call("get_trace", map[string]any{"id": "trace_none"}, &got); !strings.Contains(failed, "no trace") {
		t.Errorf("get_trace of nothing says %q", failed)
	}

	var repeated struct {
		Patterns []struct {
			ID, Command string
			Count       int
		}
	}
	if failed := c.call("extract_patterns", map[string]any{"min": 2}, &repeated); failed != "" || len(repeated.Patterns) != 1 || repeated.Patterns[0].Command != "git push --force" {
		t.Fatalf("extract_patterns says %q %+v", failed, repeated)
	}
	var guard struct {
		Path, Status string
		Right, Wrong int
	}
	if failed := c.call("create_guard", map[string]any{"pattern": repeated.Patterns[0].ID}, &guard); failed != "" || guard.Status != "draft" || guard.Wrong != 0 {
		t.Fatalf("create_guard says %q %+v", failed, guard)
	}
	text, err := os.ReadFile(filepath.Join(c.dir, guard.Path))
	if err != nil || !strings.Contains(string(text), "never: true") || !strings.Contains(string(text), "status: draft") {
		t.Errorf("%v %s", err, text)
	}
	if failed := c.call("create_guard", map[string]any{"command": "git show --no-stats", "suggest": "git show --no-stat"}, &guard); failed != "" || guard.Right != 2 || guard.Wrong != 0 {
		t.Errorf("create_guard of a command says %q %+v", failed, guard)
	}
	if failed := c.call("create_guard", map[string]any{"title": "x"}, &guard); failed == "" {
		t.Error("a guard of nothing was made")
	}
}

func TestMCPWithoutRepository(t *testing.T) {
	c := &mcpClient{T: t, dir: t.TempDir(), home: t.TempDir()}
	c.connect()
	var out any
	for tool, in := range map[string]map[string]any{
		"check": {"command": "ls"}, "fix": {"error": "x"}, "search_knowledge": {"query": "x"}, "read_entry": {"id": "x"}, "propose": {"mistake": "a", "fix": "b"},
		"memory_capture": {"action": "session_end_analysis", "sessionId": "s"},
		"query_traces":   {}, "extract_patterns": {}, "create_guard": {"command": "ls"},
	} {
		if failed := c.call(tool, in, &out); !strings.Contains(failed, "git") {
			t.Errorf("%s says %q", tool, failed)
		}
	}
}

// A client that gives a call up is not waited for, and the next one is answered.
func TestMCPCancelledCall(t *testing.T) {
	c := newMCPClient(t, taught)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: "search_knowledge", Arguments: map[string]any{"query": "cents"}}); err == nil {
		t.Error("a cancelled call was answered")
	}
	var found struct{ Total int }
	if failed := c.call("search_knowledge", map[string]any{"query": "cents"}, &found); failed != "" || found.Total == 0 {
		t.Errorf("afterwards search says %q %+v", failed, found)
	}
}

// Of ten thousand lessons a page comes at a time, each hit once.
func TestMCPPages(t *testing.T) {
	t.Parallel()
	many := 10_000
	if testing.Short() {
		many = 300
	}
	c := newMCPClient(t, func(c *mcpClient) {
		folder := filepath.Join(c.dir, ".lessons")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			c.Fatal(err)
		}
		for i := range many {
			text := fmt.Sprintf("---\nid: 01K%023d\nstatus: active\npriority: 5\ntriggers:\n  commands: [\"tool%d run\"]\n---\n# tool%d runs slowly\n\nTake another.\n", i, i, i)
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("tool-%d.md", i)), []byte(text), 0o644); err != nil {
				c.Fatal(err)
			}
		}
	})
	seen := map[string]bool{}
	cursor, total := "", 0
	for {
		var page struct {
			Hits       []struct{ ID string }
			Total      int
			NextCursor string
		}
		if failed := c.call("search_knowledge", map[string]any{"query": "slowly", "limit": 1000, "cursor": cursor}, &page); failed != "" {
			t.Fatal(failed)
		}
		if len(page.Hits) > 100 {
			t.Fatalf("a page has %d hits", len(page.Hits))
		}
		for _, h := range page.Hits {
			seen[h.ID] = true
		}
		if cursor, total = page.NextCursor, page.Total; cursor == "" || len(seen) >= 300 {
			break
		}
	}
	if total != many || len(seen) != 300 {
		t.Errorf("%d hits in all, %d seen", total, len(seen))
	}
	var out any
	if failed := c.call("search_knowledge", map[string]any{"query": "slowly", "cursor": "-1"}, &out); failed == "" {
		t.Error("a cursor of nobody's was taken")
	}
}
