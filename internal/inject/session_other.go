//go:build !unix

package inject

import "io/fs"

// The other systems keep a person's folders to that person by themselves.
func ownedByUs(fs.FileInfo) bool     { return true }
func safeToBelieve(fs.FileInfo) bool { return true }
