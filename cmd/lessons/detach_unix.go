//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// startDetached starts a process in a session of its own, so that the agent's
// end, its terminal or its process group do not take it along.
func startDetached(cmd *exec.Cmd) (<-chan struct{}, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return startAndWatch(cmd)
}
