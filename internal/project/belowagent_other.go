//go:build !linux

package project

// BelowAgent knows no process tree on this system; the environment must tell.
func BelowAgent() bool { return false }
