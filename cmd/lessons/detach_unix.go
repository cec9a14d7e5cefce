//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// startDetached starts a process in a session of its own, so that the agent's
// end, its terminal or its process group do not take it along.
func startDetached(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
