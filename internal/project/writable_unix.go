//go:build unix

package project

import "golang.org/x/sys/unix"

// writable asks the kernel, without writing.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK) == nil }
