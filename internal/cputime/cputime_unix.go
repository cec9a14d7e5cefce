//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Now is the processor time that this process has used.
func Now() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
