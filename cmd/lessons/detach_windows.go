package main

import (
	"os/exec"
	"syscall"
)

// detachedProcess and newProcessGroup are DETACHED_PROCESS and
// CREATE_NEW_PROCESS_GROUP of the Windows API.
const (
	detachedProcess = 0x00000008
	newProcessGroup = 0x00000200
)

func startDetached(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: detachedProcess | newProcessGroup}
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}
