//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMB is the most memory that a process had resident.
func peakMB(s *os.ProcessState) float64 {
	r, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return float64(r.Maxrss) / 1e6
	}
	return float64(r.Maxrss) / 1e3
}
