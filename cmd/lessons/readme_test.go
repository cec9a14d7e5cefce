package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/agent"
)

// TestReadmeFirstFiveMinutes runs the shell blocks of the README's section, in
// order, word for word.
func TestReadmeFirstFiveMinutes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "## The first five minutes")
	if !ok {
		t.Fatal("the section is not there")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	out, repo := runBlocks(t, section)
	for _, want := range []string{"ADR-001  Money is integer cents", "is stopped by go-test-timeout-wants-a-unit", "the call passes", "nothing is ready"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(repo, ".lessons", "go-test-*.md")); len(left) > 0 {
		t.Errorf("the deleted lesson came back: %v", left)
	}
}

// TestTutorial runs the shell blocks of the tutorial, word for word.
func TestTutorial(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	out, dir := runBlocks(t, string(text))
	rest := out
	for _, want := range []string{
		"failed 1 time in 1 session", "wrote", "deploy",
		"stopped", "passes", // the lesson of one's own
		"passes", "stopped", // the colleague's, before and after trust
		"removed in", "nothing is ready",
	} {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("the output lacks %q in its place:\n%s", want, out)
		}
		rest = after
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "shop", ".lessons", "*deploy*.md")); len(left) > 0 {
		t.Errorf("the deleted lesson came back: %v", left)
	}
}

// runBlocks runs the shell blocks of a page one after another, in an empty repository of a
// machine without settings.
func runBlocks(t *testing.T, page string) (output, dir string) {
	t.Helper()
	var script strings.Builder
	script.WriteString("set -e\n")
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(page, -1)
	if len(blocks) < 4 {
		t.Fatalf("%d shell blocks", len(blocks))
	}
	for _, b := range blocks {
		script.WriteString(b[1])
	}
	bin, repo := t.TempDir(), t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "lessons"), ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command("sh", "-c", "git init -q && "+script.String())
	cmd.Dir = repo
	cmd.Env = []string{
		"HOME=" + t.TempDir(), "USER=dev", "LESSONS_DRY_RUN=1", agent.DeadlineVariable + "=1m", // no work beside the test, and no haste
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.com",
		"GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.com",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out), repo
}
