//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// detach gives a process a session of its own, so that the agent's end does not
// take it along.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
