// Package cputime measures what a process computes, in processor time: other
// programs of a busy machine are not in it, as they are in time by the clock.
package cputime

import "time"

// Of is the processor time that this process uses while f runs, other goroutines
// included.
func Of(f func()) time.Duration {
	begin := Now()
	f()
	return Now() - begin
}
