package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/agent/claude"
	"github.com/lessons-cli/lessons/internal/agent/codex"
	"github.com/lessons-cli/lessons/internal/agent/copilot"
	"github.com/lessons-cli/lessons/internal/agent/cursor"
	"github.com/lessons-cli/lessons/internal/agent/gemini"
	"github.com/lessons-cli/lessons/internal/agent/opencode"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
)

// clients are the coding agents that lessons knows, by their name.
var clients = []agent.Client{claude.Client{}, codex.Client{}, gemini.Client{}, opencode.Client{}, cursor.Client{}, copilot.Client{}}

func clientNamed(name string) (agent.Client, error) {
	var names []string
	for _, c := range clients {
		if c.Name() == name {
			return c, nil
		}
		names = append(names, c.Name())
	}
	return nil, usageError{withHint(fmt.Errorf("no agent %q", name), "known: %s", strings.Join(names, ", "))}
}

// open finds the repository of the working directory.
func (inv *invocation) open(ctx context.Context) (*project.Project, error) {
	p, err := project.Open(ctx, inv.sys.dir, inv.sys.machine())
	if errors.Is(err, project.ErrNoProject) {
		return nil, withHint(err, "run git init first, or -C DIR to name a repository")
	}
	if errors.Is(err, gitstate.ErrUnsupported) {
		return nil, withHint(err, "install git: it reads this repository's format")
	}
	return p, err
}

// load opens the repository and reads its knowledge. What could not be read is
// told on standard error, and everything else goes on.
func (inv *invocation) load(ctx context.Context) (*project.Project, *knowledge.Snapshot, error) {
	p, err := inv.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	s, err := p.Store.Load()
	if err != nil {
		p.Close()
		return nil, nil, err
	}
	inv.warn(s.Problems)
	return p, s, nil
}

func (inv *invocation) warn(problems []knowledge.Problem) {
	for _, p := range problems {
		fmt.Fprintf(inv.sys.stderr, "lessons: %s\n", problemLine(p))
	}
}

// besides are the problems that the error does not tell anyway.
func besides(err error, problems []knowledge.Problem) []knowledge.Problem {
	if err == nil {
		return problems
	}
	return slices.DeleteFunc(slices.Clone(problems), func(p knowledge.Problem) bool {
		return strings.Contains(err.Error(), p.Path) && strings.Contains(err.Error(), p.Text)
	})
}

// problemLine is file, line and what is wrong, as compilers print it.
func problemLine(p knowledge.Problem) string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", p.Path, p.Line, p.Text)
	}
	return fmt.Sprintf("%s: %s", p.Path, p.Text)
}

func (inv *invocation) printJSON(v any) error {
	enc := json.NewEncoder(inv.sys.stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// printLines prints each of several values as a line of JSON.
func printLines[V any](inv *invocation, values []V) error {
	out := bufio.NewWriter(inv.sys.stdout)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, v := range values {
		if err := enc.Encode(v); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (inv *invocation) printf(format string, args ...any) {
	fmt.Fprintf(inv.sys.stdout, format, args...)
}

// ask puts a yes-or-no question; without a terminal the answer is no.
func (inv *invocation) ask(question string) bool {
	if !inv.sys.interactive {
		return false
	}
	inv.printf("%s [y/N] ", question)
	line, _ := bufio.NewReader(inv.sys.stdin).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}

// interruptible is done when the person presses Ctrl-C.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}
