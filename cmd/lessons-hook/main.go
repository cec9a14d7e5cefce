// Command lessons-hook answers the hooks of coding agents. It is a part of
// lessons, built for the moment in which an agent waits: what needs the whole
// program it hands on to it.
package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/hook"
)

// An answer is there before a garbage collection pays; what a hook reads is bounded.
const gcPercent = 800

func main() {
	debug.SetGCPercent(gcPercent)
	dir, _ := os.Getwd()
	hook.Run(os.Args[1:], &hook.System{
		Stdin: os.Stdin, Stdout: os.Stdout, Env: os.Getenv, Dir: dir, Now: time.Now,
		Whole: handOn, Start: start,
	})
}

// handOn has the whole program answer.
func handOn(c *agent.Client, e agent.Event, input []byte) hook.Reply {
	name := lessons()
	if name == "" {
		return hook.Reply{Done: true}
	}
	cmd := exec.Command(name, "hook", c.Name, string(e.Native))
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		out = nil
	}
	return hook.Reply{Encoded: out, Done: true}
}

// start starts the whole program beside this one.
func start(dir string, args ...string) <-chan struct{} {
	name := lessons()
	if name == "" || os.Getenv("LESSONS_DRY_RUN") != "" {
		return nil
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	detach(cmd)
	if cmd.Start() != nil {
		return nil
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	return ended
}

// lessons is the program beside this one, else the first on the path.
func lessons() string {
	if self, err := os.Executable(); err == nil {
		if beside := filepath.Join(filepath.Dir(self), "lessons"+filepath.Ext(self)); isProgram(beside) {
			return beside
		}
	}
	name, err := exec.LookPath("lessons")
	if err != nil {
		return ""
	}
	return name
}

func isProgram(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
