package agent

import "strings"

// Inside says whether a directory is root or lies below it. Both are absolute,
// with slashes.
func Inside(dir, root string) bool {
	return dir != "" && (dir == root || strings.HasPrefix(dir, strings.TrimSuffix(root, "/")+"/"))
}
