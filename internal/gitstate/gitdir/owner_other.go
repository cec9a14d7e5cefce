//go:build !unix

package gitdir

// ownedHere leaves the question of who owns what to git.
func ownedHere(...string) bool { return false }
