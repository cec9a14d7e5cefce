package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/shell"
)

func isPython(base string) bool {
	return base == "python" || strings.HasPrefix(base, "python3") || base == "python2"
}

// plumbing are programs that only prepare or trim for another one.
var plumbing = map[string]bool{
	"cd": true, "echo": true, "printf": true, "tail": true, "head": true, "grep": true, "rg": true, "cat": true,
	"tee": true, "sed": true, "awk": true, "wc": true, "sort": true, "uniq": true, "tr": true, "cut": true,
	"true": true, "false": true, "sleep": true, "export": true, "set": true, "source": true, ".": true,
	"pwd": true, "test": true, "[": true, "mkdir": true, "xargs": true, "unset": true, "exit": true, "pushd": true, "popd": true,
}

// mainCommand returns the command that a line is about: the last one that is not
// plumbing, else the first. It is nil when the line runs nothing.
func mainCommand(l *shell.Line) *shell.Command {
	for _, c := range slices.Backward(l.Commands) {
		if !plumbing[c.Program] {
			return c
		}
	}
	if len(l.Commands) == 0 {
		return nil
	}
	return l.Commands[0]
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
