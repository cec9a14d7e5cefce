//go:build !unix

package gitstate

// ownedHere leaves the question of who owns what to git.
func ownedHere(...string) bool { return false }
