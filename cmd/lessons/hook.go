package main

import (
	"context"
	"os/exec"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/hook"
	"github.com/lessons-cli/lessons/internal/project"
)

type hookCommand struct {
	Agent string `arg:"" help:"The coding agent, such as claude."`
	Event string `arg:"" help:"The event, such as SessionStart."`
}

// Run exists for the help text: a hook is answered before the grammar is read.
func (c *hookCommand) Run(inv *invocation) error {
	runHook([]string{c.Agent, c.Event}, inv.sys)
	return nil
}

// runHook answers one hook; its status is 0 whatever happens.
func runHook(args []string, sys *system) int {
	h := &hook.System{
		Stdin: sys.stdin, Stdout: sys.answers, Env: sys.env, Dir: sys.dir, Now: sys.now,
		Start: sys.background,
	}
	h.Whole = func(c *agent.Client, e agent.Event, _ []byte) hook.Reply {
		if !h.First(e) {
			return hook.Reply{Done: true}
		}
		return sys.whole(c, e)
	}
	hook.Run(args, h)
	return exitDone
}

// whole answers an event that needs store, git and transcripts.
func (s *system) whole(client *agent.Client, e agent.Event) hook.Reply {
	deadline := agent.HookDeadline(s.env)
	ctx, cancel := context.WithTimeout(context.Background(), deadline*9/10) // the rest is for printing
	defer cancel()
	p, err := project.Open(ctx, e.Cwd, s.machine())
	if err != nil {
		return hook.Reply{}
	}
	p.SpareMemory()
	defer p.Close()
	p.Store.Wait = deadline / 50 // for another process that writes
	start := func(args ...string) { s.background(p.Root, args...) }
	return hook.Reply{Answer: p.Answer(ctx, client, e, start)}
}

// background starts lessons itself beside this process, for work that a hook
// must not wait for. The channel is closed when it ended.
func (s *system) background(dir string, args ...string) <-chan struct{} {
	if s.executable == "" || s.env("LESSONS_DRY_RUN") != "" { // doctor only asks
		return nil
	}
	cmd := exec.Command(s.executable, args...)
	cmd.Dir = dir
	ended, err := s.start(cmd)
	if err != nil {
		return nil // a scan that did not start is caught up at the next session
	}
	return ended
}
