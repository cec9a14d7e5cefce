//go:build unix

package project

import (
	"os/exec"
	"syscall"
	"time"
)

// inGroup gives a program a process group of its own, so that it ends with all
// that it started: first asked to, then by force. end is called once it ended,
// and ends what it left running.
func inGroup(cmd *exec.Cmd) (end func()) {
	var force *time.Timer
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		group := cmd.Process.Pid
		force = time.AfterFunc(endPatience/2, func() { _ = syscall.Kill(-group, syscall.SIGKILL) })
		return syscall.Kill(-group, syscall.SIGTERM)
	}
	return func() {
		if force != nil {
			force.Stop()
		}
		if cmd.Process != nil {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // mostly there is nothing left
		}
	}
}
