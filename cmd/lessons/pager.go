package main

import (
	"cmp"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// paged are the commands whose output may be long.
var paged = []string{"show", "list", "search", "problems", "log", "diff", "blame", "audit", "help"}

// page sends what a command prints through the person's pager, on a terminal. The function that
// it returns waits until the person has read it.
func (inv *invocation) page(command string) (wait func()) {
	program := cmp.Or(inv.sys.env("PAGER"), "less")
	words := strings.Fields(program)
	if !inv.sys.stdout.OnTerminal() || !slices.Contains(paged, command) || len(words) == 0 || words[0] == "cat" {
		return func() {}
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return func() {}
	}
	pager := exec.Command(words[0], words[1:]...)
	pager.Stdout, pager.Stderr = inv.sys.screen, inv.sys.screen
	if inv.sys.env("LESS") == "" {
		pager.Env = append(pager.Environ(), "LESS=FRX") // a page or less is printed as it is
	}
	pipe, err := pager.StdinPipe()
	if err != nil || pager.Start() != nil {
		return func() {}
	}
	return inv.through(pipe, pager)
}

func (inv *invocation) through(pipe io.WriteCloser, pager *exec.Cmd) (wait func()) {
	sys := *inv.sys
	sys.stdout = sys.stdout.To(pipe)
	inv.sys = &sys
	return func() {
		_ = pipe.Close()
		_ = pager.Wait()
	}
}
