package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
)

// sandbox is a repository of its own with a home of its own.
type sandbox struct {
	data, scratch, root, home, bin string
	steps                          int
}

func newSandbox(lessons, data string) (*sandbox, error) {
	bin, err := filepath.Abs(lessons)
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "lessons-demo-")
	if err != nil {
		return nil, err
	}
	if scratch, err = filepath.EvalSymlinks(scratch); err != nil {
		return nil, err
	}
	s := &sandbox{data: data, scratch: scratch, root: filepath.Join(scratch, "shop"), home: filepath.Join(scratch, "home"), bin: bin}
	if err := os.MkdirAll(s.home, 0o755); err != nil {
		return s, err
	}
	return s, os.CopyFS(s.root, os.DirFS(filepath.Join(data, "project")))
}

func (s *sandbox) title(text string) {
	s.steps++
	fmt.Printf("\n%d. %s\n\n", s.steps, text)
}

// show prints a call of the agent, and what came of it.
func (s *sandbox) show(call, outcome string) { fmt.Printf("  agent: %s\n    %s\n", call, outcome) }

// run shows a command and what it prints.
func (s *sandbox) run(name string, args ...string) error {
	fmt.Printf("  $ %s\n", strings.Join(append([]string{name}, args...), " "))
	out, err := s.output(name, args...)
	s.print(out, "  ")
	return err
}

func (s *sandbox) quiet(name string, args ...string) error {
	_, err := s.output(name, args...)
	return err
}

func (s *sandbox) output(name string, args ...string) (string, error) {
	out, err := s.command(name, args...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, out)
	}
	return string(out), err
}

func (s *sandbox) commit(message string) error {
	if err := s.quiet("git", "add", "-A"); err != nil {
		return err
	}
	return s.quiet("git", "commit", "-qm", message)
}

func (s *sandbox) decide(what, because string) error {
	if err := s.quiet("lessons", "add", what, "--type", "decision", "--decision", what, "--because", because); err != nil {
		return err
	}
	return s.commit("Decide: " + what)
}

// ask puts a shell command to the hook, and returns why it stops it, if it does.
func (s *sandbox) ask(command string) (string, error) {
	payload, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "the-next", "cwd": s.root,
		"tool_name": "Bash", "tool_input": map[string]string{"command": command},
	})
	if err != nil {
		return "", err
	}
	hook := s.command("lessons", "hook", "claude", "PreToolUse")
	hook.Stdin = strings.NewReader(string(payload))
	out, err := hook.Output()
	if err != nil || len(out) == 0 {
		return "", err
	}
	var answer struct {
		HookSpecificOutput struct{ PermissionDecisionReason string }
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return "", err
	}
	return forPeople.ReplaceAllString(answer.HookSpecificOutput.PermissionDecisionReason, ""), nil
}

// forPeople is what a program reads in the answer of a hook.
var forPeople = regexp.MustCompile(`(?m)^(?:\[lessons\] |<!--.*-->\n?)`)

// file is the one file of the repository that a pattern names.
func (s *sandbox) file(pattern string) (string, error) {
	found, err := filepath.Glob(filepath.Join(s.root, pattern))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("%s names %d files, not one (%v)", pattern, len(found), err)
	}
	return filepath.Rel(s.root, found[0])
}

// body prints a Markdown file without its front matter.
func (s *sandbox) body(file string) error {
	text, err := os.ReadFile(filepath.Join(s.root, file))
	if err != nil {
		return err
	}
	parts := strings.SplitN(string(text), "\n---\n", 2)
	if len(parts) != 2 {
		return fmt.Errorf("%s has no front matter", file)
	}
	s.print(parts[1], "    ")
	return nil
}

func (s *sandbox) print(text, indent string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			fmt.Println(indent + line)
		}
	}
}

func (s *sandbox) command(name string, args ...string) *exec.Cmd {
	if name == "lessons" {
		name = s.bin
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = s.root
	cmd.Env = []string{
		"HOME=" + s.home, "USER=dev", "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(), "NO_COLOR=1",
		agent.DeadlineVariable + "=1m", // on a busy machine too
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.com", "GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.com",
	}
	return cmd
}
