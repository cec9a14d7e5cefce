//go:build !unix

package cputime

import "time"

var start = time.Now()

func now() time.Duration { return time.Since(start) }
