package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestAction runs the script of action.yml the way GitHub's runner does: it
// builds this very program and checks a pull request.
func TestAction(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Runs struct{ Steps []struct{ Run string } }
	}
	if err := yaml.Unmarshal(data, &action); err != nil {
		t.Fatal(err)
	}
	script := action.Runs.Steps[len(action.Runs.Steps)-1].Run
	dir := t.TempDir()
	clone := filepath.Join(dir, "clone")
	gh := fakeGH(t, dir)
	run := func(dir, line string) (string, error) {
		cmd := exec.Command("bash", "-c", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "LESSONS_ACTION="+root, "LESSONS_BASE=", "LESSONS_SARIF="+filepath.Join(clone, "out.sarif"),
			"LESSONS_COMMENT=true", "LESSONS_PULL=7", "GITHUB_REPOSITORY=o/r", "PATH="+gh+string(os.PathListSeparator)+os.Getenv("PATH"),
			"GITHUB_BASE_REF=main", "RUNNER_TEMP="+t.TempDir(), "GIT_CONFIG_GLOBAL="+os.DevNull,
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run(dir, `git init -q -b main origin && cd origin && mkdir -p .memory/knowledge &&
		printf '# Decisions\n\n## ADR-001: One\n\n- **Status**: Accepted\n' > .memory/knowledge/decisions.md &&
		git add -A && git commit -qm base && git clone -q . ../clone && cd ../clone && git checkout -qb change &&
		echo 'see ADR-001' > notes.md && git add -A && git commit -qm good`); err != nil {
		t.Fatal(out, err)
	}
	if out, err := run(clone, script); err != nil {
		t.Fatalf("a good change: %v\n%s", err, out)
	}
	if comments, _ := filepath.Glob(filepath.Join(dir, "comment*")); len(comments) > 0 {
		t.Fatalf("nothing to say, and said: %q", comments)
	}
	if out, err := run(clone, "echo 'see ADR-002' > notes.md && git commit -qam bad"); err != nil {
		t.Fatal(out, err)
	}
	out, err := run(clone, script)
	if err == nil || !strings.Contains(out, "::error file=notes.md,line=1,title=lessons dangling-citation::there is no ADR-002") {
		t.Fatalf("a bad change: %v\n%s", err, out)
	}
	sarif, err := os.ReadFile(filepath.Join(clone, "out.sarif"))
	if err != nil || !strings.Contains(string(sarif), `"ruleId": "dangling-citation"`) {
		t.Fatalf("%v\n%s", err, sarif)
	}
	// One comment says what the change tells agents, and is kept up to date.
	if out, err := run(clone, "mkdir -p .memory/knowledge/decisions && printf '## ADR-002: Two\\n' > .memory/knowledge/decisions/ADR-002-two.md && git add -A && git commit -qm two"); err != nil {
		t.Fatal(out, err)
	}
	if out, err := run(clone, script); err != nil {
		t.Fatal(out, err)
	}
	posted, _ := os.ReadFile(filepath.Join(dir, "posted"))
	comment, _ := os.ReadFile(filepath.Join(dir, "comment"))
	if string(posted) != "POST\nPATCH\n" || !strings.Contains(string(comment), "## ADR-002: Two") {
		t.Errorf("written %q, and it says\n%s", posted, comment)
	}
	if out, err := run(clone, "touch "+filepath.Join(dir, "readonly")+";"+script); err != nil || !strings.Contains(out, "could not be written") {
		t.Errorf("a token that may not write fails the gate: %v\n%s", err, out)
	}
}

// fakeGH puts a gh on the path that knows one comment of one pull request, and returns its
// folder.
func fakeGH(t *testing.T, dir string) string {
	t.Helper()
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	const script = `#!/bin/bash
cd "$(dirname "$0")/.."
body=; for arg; do case "$arg" in body=@*) body="${arg#body=@}";; esac; done
case "$*" in
"api user"*) echo '{"message":"Resource not accessible by integration"}'; exit 1;;
*body=@*) [ -e readonly ] && exit 1
  case "$*" in *PATCH*issues/comments/41*) echo PATCH >> posted;; *issues/7/comments*) echo POST >> posted;; esac
  cp "$body" comment;;
*issues/7/comments*github-actions*) [ -e comment ] && echo 41;;
esac
true
`
	if err := os.WriteFile(filepath.Join(bin, "gh"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return bin
}
