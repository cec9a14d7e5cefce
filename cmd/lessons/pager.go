package main

import (
	"bytes"
	"cmp"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// paged are the commands whose output may be long.
var paged = []string{"show", "list", "status", "search", "problems", "log", "diff", "blame", "audit", "check", "explain", "outcome", "trace", "stats", "help"}

// page sends what a command prints through the person's pager, where it is longer than the
// terminal. The function that it returns waits until the person has read it.
func (inv *invocation) page(command string) (wait func()) {
	words := strings.Fields(cmp.Or(inv.sys.env("PAGER"), "less"))
	if inv.sys.rows == 0 || !slices.Contains(paged, command) || len(words) == 0 || words[0] == "cat" {
		return func() {}
	}
	program := exec.Command(words[0], words[1:]...)
	program.Stdout, program.Stderr = inv.sys.screen, inv.sys.screen
	if inv.sys.env("LESS") == "" {
		program.Env = append(program.Environ(), "LESS=FRX")
	}
	p := &pager{program: program, screen: inv.sys.screen, rows: inv.sys.rows}
	sys := *inv.sys
	sys.stdout = sys.stdout.To(p)
	inv.sys = &sys
	return p.close
}

// pager holds back what fits on the screen, and starts a program for what does not.
type pager struct {
	program *exec.Cmd
	screen  io.Writer
	rows    int
	held    bytes.Buffer
	to      io.WriteCloser // the program's input, once it runs
}

func (p *pager) Write(data []byte) (int, error) {
	if p.to != nil {
		return p.to.Write(data)
	}
	p.held.Write(data)
	if bytes.Count(p.held.Bytes(), []byte("\n")) < p.rows {
		return len(data), nil
	}
	return len(data), p.start()
}

// start has the program show what was held back; without a program the screen does.
func (p *pager) start() error {
	pipe, err := p.program.StdinPipe()
	if err != nil || p.program.Start() != nil {
		pipe = onScreen{p.screen}
	}
	p.to = pipe
	_, err = p.held.WriteTo(p.to)
	return err
}

func (p *pager) close() {
	if p.to == nil {
		_, _ = p.held.WriteTo(p.screen)
		return
	}
	_ = p.to.Close()
	_ = p.program.Wait() // fails where it never started
}

type onScreen struct{ io.Writer }

func (onScreen) Close() error { return nil }
