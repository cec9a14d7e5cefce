package main

import (
	"os/exec"
	"syscall"
)

// detach is DETACHED_PROCESS and CREATE_NEW_PROCESS_GROUP of the Windows API.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: 0x00000208} }
