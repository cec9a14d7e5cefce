package main

import (
	"context"
	"io"
	"os/exec"
	"time"

	"github.com/lessons-cli/lessons/agent"
	"github.com/lessons-cli/lessons/project"
)

type hookCommand struct {
	Agent string `arg:"" help:"The coding agent, such as claude."`
	Event string `arg:"" help:"The event, such as SessionStart."`
}

func (hookCommand) Help() string {
	return `What the agent's settings call: its payload on standard input, the answer or nothing on standard output.
LESSONS_DISABLE=1 silences it.

Example:
  echo '{"cwd":"'$PWD'","source":"startup"}' | lessons hook claude SessionStart

Exit status: 0, always.`
}

// Run exists for the help text: a hook is answered before the grammar is read.
func (c *hookCommand) Run(inv *invocation) error {
	runHook([]string{c.Agent, c.Event}, inv.sys)
	return nil
}

const (
	hookInput    = 4 << 20                // bytes of payload that are read (rulings 44)
	hookPatience = 300 * time.Millisecond // for standard input that stays open
	hookDeadline = time.Second            // for all of it
	hookLockWait = 20 * time.Millisecond  // for another process that writes
)

// runHook answers one hook. Whatever happens it ends with 0, within the
// deadline, and prints one JSON object or nothing.
func runHook(args []string, sys *system) int {
	if sys.env("LESSONS_DISABLE") != "" || len(args) != 2 {
		return exitDone
	}
	answer := make(chan []byte, 1)
	go func() {
		defer func() {
			if recover() != nil {
				answer <- nil
			}
		}()
		answer <- answerHook(args[0], args[1], sys)
	}()
	select {
	case out := <-answer:
		if len(out) > 0 {
			_, _ = sys.stdout.Write(out)
		}
	case <-time.After(hookDeadline):
	}
	return exitDone
}

func answerHook(name, event string, sys *system) []byte {
	client, err := clientNamed(name)
	if err != nil {
		return nil
	}
	input := readWithin(sys.stdin, hookInput, hookPatience)
	e, err := client.Decode(event, input)
	if err != nil {
		e = agent.Event{Name: agent.EventName(event)}
	}
	if e.Cwd == "" {
		e.Cwd = sys.dir
	}
	ctx, cancel := context.WithTimeout(context.Background(), hookDeadline*9/10)
	defer cancel()
	p, err := project.Open(ctx, e.Cwd, sys.machine())
	if err != nil {
		return nil
	}
	defer p.Close()
	p.Store.Wait = hookLockWait
	return client.Encode(e.Name, p.Answer(ctx, client, e, func(args ...string) { sys.background(p.Root, args...) }))
}

// background starts lessons itself beside this process, for work that a hook
// must not wait for.
func (s *system) background(dir string, args ...string) {
	if s.executable == "" || s.env("LESSONS_DRY_RUN") != "" { // doctor only asks
		return
	}
	cmd := exec.Command(s.executable, args...)
	cmd.Dir = dir
	_ = s.start(cmd) // a scan that did not start is caught up at the next session
}

// readWithin reads to the end of r, at most limit bytes, and no longer than
// patience. Longer or later input counts as none.
func readWithin(r io.Reader, limit int64, patience time.Duration) []byte {
	got := make(chan []byte, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(r, limit+1))
		if err != nil || int64(len(data)) > limit {
			data = nil
		}
		got <- data
	}()
	select {
	case data := <-got:
		return data
	case <-time.After(patience):
		return nil
	}
}
