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

func startDetached(cmd *exec.Cmd) (<-chan struct{}, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: detachedProcess | newProcessGroup}
	return startAndWatch(cmd)
}
