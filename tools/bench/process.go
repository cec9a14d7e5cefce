package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// buildEmpty builds the yardstick: a Go program that does nothing.
func buildEmpty(dir string) (string, error) {
	src := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(src, []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "empty")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin, src)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return bin, nil
}

// medians runs the commands in turn, so that noise hits all of them alike, and
// returns each one's median time.
func (p *place) medians(dir string, commands ...[]string) ([]time.Duration, error) {
	times := make([][]time.Duration, len(commands))
	for range p.runs {
		for i, c := range commands {
			cmd := exec.Command(c[0], c[1:]...)
			cmd.Dir = dir
			cmd.Env = p.env()
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			start := time.Now()
			if err := cmd.Run(); err != nil {
				return nil, fmt.Errorf("%v: %w: %s", c, err, out.Bytes())
			}
			times[i] = append(times[i], time.Since(start))
		}
	}
	medians := make([]time.Duration, len(commands))
	for i, t := range times {
		slices.Sort(t)
		medians[i] = t[len(t)/2]
	}
	return medians, nil
}

// env is what the programs see. Hooks have a minute: on a busy machine they would give up,
// and a measurement of that says nothing.
func (p *place) env() []string {
	return []string{
		"HOME=" + p.scratch, "PATH=" + os.Getenv("PATH"), "USER=dev", "GIT_CONFIG_NOSYSTEM=1", "LESSONS_HOOK_DEADLINE=1m", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.com", "GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.com",
	}
}

// repository makes an empty git repository in the scratch folder.
func (p *place) repository(name string) (string, error) {
	dir := filepath.Join(p.scratch, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return dir, p.do(dir, "git", "init", "-q")
}

func (p *place) do(dir string, args ...string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, p.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w: %s", args, err, out)
	}
	return nil
}
