//go:build !unix

package cputime

import "time"

var start = time.Now()

// Now is the time since the program began: here processor time is not asked for.
func Now() time.Duration { return time.Since(start) }
