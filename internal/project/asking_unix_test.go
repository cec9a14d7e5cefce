//go:build unix

package project_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/redact"
)

// shell is a model that is a shell script.
func shell(t *testing.T, script string) *project.Program {
	t.Helper()
	return &project.Program{
		Headless: agent.Headless{Program: "sh", Args: []string{"-c", script}}, Time: time.Minute, Temp: t.TempDir(),
		Environ: os.Environ(), Redactor: &redact.Redactor{}, FS: fsx.OS{},
	}
}

func TestAProgramIsAsked(t *testing.T) {
	t.Setenv("CLAUDECODE", "1")
	t.Setenv("GIT_DIR", "/elsewhere")
	p := shell(t, `cat; pwd; echo "$LESSONS_LEARNING$OWN${CLAUDECODE-unset}${GIT_DIR-unset}"; cat given; echo noise >&2`)
	p.Environ = os.Environ()
	p.Env, p.Files = []string{"OWN=own"}, map[string]string{"given": "by the agent"}
	p.Answer = func(out []byte) (string, error) { return "<" + string(out) + ">", nil }
	got, err := p.Ask(t.Context(), "the prompt\n")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(got, "\n")
	if lines[0] != "<the prompt" || filepath.Dir(lines[1]) != p.Temp || lines[2] != "1ownunsetunset" || lines[3] != "by the agent>" {
		t.Errorf("%q", lines)
	}
	if left, _ := os.ReadDir(p.Temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAProgramThatFails(t *testing.T) {
	key := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	for name, c := range map[string]struct {
		p    *project.Program
		want string
	}{
		"words on standard error":  {shell(t, "echo first >&2; echo no key "+key+" >&2; exit 3"), "sh failed (exit status 3): first / no key [REDACTED]"},
		"words on standard output": {shell(t, "echo no credit; exit 1"), "sh failed (exit status 1): no credit"},
		"no words":                 {shell(t, "exit 1"), "sh failed (exit status 1)"},
		"not there":                {&project.Program{Headless: agent.Headless{Program: "no-such-program-here"}, Time: time.Minute, Temp: t.TempDir(), Redactor: &redact.Redactor{}, FS: fsx.OS{}}, "no-such-program-here"},
	} {
		if _, err := c.p.Ask(t.Context(), ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := shell(t, "echo x")
	p.Answer = func([]byte) (string, error) { return "", errors.New("it says " + key) }
	if _, err := p.Ask(t.Context(), ""); err == nil || strings.Contains(err.Error(), key) {
		t.Errorf("%v", err)
	}
}

// Time-out, interrupt and endless output end the program and all that it
// started, also what does not want to; a program that ends leaves nothing running.
// What still runs holds the pipe open, and says so at its end.
func TestNothingOfAProgramIsLeftRunning(t *testing.T) {
	const child = `{ sleep 60; echo survived; } >"$PIPE" 2>/dev/null & `
	for name, c := range map[string]struct {
		script string
		time   time.Duration
		cancel bool
		want   string
	}{
		"time-out":                          {child + "wait", 300 * time.Millisecond, false, "no answer within 300ms"},
		"deaf to SIGTERM":                   {"trap '' TERM; " + child + "wait; sleep 60", 300 * time.Millisecond, false, "no answer within"},
		"interrupt":                         {child + "wait", time.Hour, true, "context canceled"},
		"endless output":                    {child + "yes", time.Hour, false, "more than 4 MB"},
		"it ends":                           {`{ sleep 60; echo survived >"$PIPE"; } 3>"$PIPE" >/dev/null 2>&1 &`, time.Hour, false, ""},
		"it leaves a child with its output": {`{ sleep 60; echo survived >"$PIPE"; } 3>"$PIPE" &`, time.Hour, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(name, 0o600); err != nil {
				t.Fatal(err)
			}
			pipe, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer pipe.Close()
			p := shell(t, c.script)
			p.Env, p.Time = []string{"PIPE=" + name}, c.time
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.cancel {
				go func() {
					if f, err := os.Open(name); err == nil { // once the child opened it, too
						f.Close()
					}
					cancel()
				}()
			}
			_, err = p.Ask(ctx, "prompt")
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if said, err := io.ReadAll(pipe); err != nil || len(said) > 0 {
				t.Errorf("a child was left running: %q, %v", said, err)
			}
		})
	}
}
