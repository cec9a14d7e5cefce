//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestReadmePreventsAMistake: the README's five minutes, word for word, in a fresh repository, up
// to the session in which the first mistake is prevented. It logs how long each part takes.
func TestReadmePreventsAMistake(t *testing.T) {
	claudeCode.find(t)
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## The first five minutes\n")
	section, _, _ = strings.Cut(section, "\n## ")
	before, prompt, found := strings.Cut(section, "claude '")
	prompt, _, ended := strings.Cut(prompt, "'\n")
	if !found || !ended {
		t.Fatal("the section names no session of Claude Code")
	}
	s := newPlace(t)
	s.run("git", "init", "-q")
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(before, -1) {
		s.timed(block[1], func() string { return s.shell(block[1]) })
	}
	var requests []string
	s.timed("claude '"+prompt+"'", func() string {
		requests = s.session(claudeCode, prompt, bash("go test -timeout=45 ./..."), bash("go test -timeout=45s ./..."), says("done")).Requests()
		return lastResult(requests[1])
	})
	if stopped := lastResult(requests[1]); !strings.Contains(stopped, "go test -timeout=30s") || strings.Contains(stopped, "missing unit") {
		t.Errorf("the first call was not stopped with the fix:\n%.2000s", stopped)
	}
	if passed := lastResult(requests[2]); strings.Contains(passed, "go test -timeout=30s") {
		t.Errorf("the second call was stopped, too:\n%.2000s", passed)
	}
}

// timed logs what a part of the five minutes says, and how long it takes.
func (s *site) timed(what string, do func() string) {
	s.t.Helper()
	began := time.Now()
	said := do()
	s.t.Logf("%.2f s: %s\n%.3000s", time.Since(began).Seconds(), strings.TrimSpace(what), said)
}

// shell runs lines as a person types them.
func (s *site) shell(lines string) string {
	s.t.Helper()
	cmd := exec.Command("sh", "-ec", lines)
	cmd.Dir, cmd.Env = s.root, s.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s: %v\n%s", lines, err, out)
	}
	return string(out)
}
