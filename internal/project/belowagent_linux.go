package project

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

var agentPrograms = []string{"claude", "codex", "gemini", "opencode", "cursor-agent", "copilot"}

// BelowAgent says whether an agent is among the processes that this one
// descends from.
func BelowAgent() bool {
	for pid, steps := os.Getppid(), 0; pid > 1 && steps < 64; steps++ {
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil {
			return false
		}
		for _, word := range bytes.SplitN(command, []byte{0}, 3)[:min(2, bytes.Count(command, []byte{0}))] {
			name := strings.TrimSuffix(filepath.Base(string(word)), filepath.Ext(string(word)))
			if slices.Contains(agentPrograms, name) {
				return true
			}
		}
		if pid = parent(pid); pid == 0 {
			return false
		}
	}
	return false
}

// parent is the fourth field of /proc/PID/stat, behind the name in brackets.
func parent(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	n, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return n
}
