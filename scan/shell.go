package scan

import (
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
)

func isPython(base string) bool {
	return base == "python" || strings.HasPrefix(base, "python3") || base == "python2"
}

// operandsOf are the words that a command works on: the script that it runs among
// them.
func operandsOf(c *shell.Command) []string {
	if file, _ := c.Script(); file != "" {
		return append([]string{file}, c.Operands...)
	}
	return c.Operands
}

// kindOfScript is the kind of the script that a command runs, as a glob.
func kindOfScript(c *shell.Command) string {
	file, _ := c.Script()
	if ext := path.Ext(file); len(ext) > 1 {
		return "*" + ext
	}
	return ""
}

// task is what a command asks of its program: another script is an operand, and
// another package script or goal another task.
func task(c *shell.Command) []string {
	if file, _ := c.Script(); file != "" {
		return c.Sub[:len(c.Sub)-1]
	}
	return c.Sub
}

// plumbing are programs that only prepare or trim for another one.
var plumbing = lists.Words(`cd echo printf tail head grep rg cat tee sed awk wc sort uniq tr cut true false sleep export set source . pwd test [ mkdir xargs
	unset exit pushd popd`)

// mainCommand returns the command that a line is about: the last one that is not
// plumbing, and no filter behind another, else the first. It is nil when the line runs
// nothing.
func mainCommand(l *shell.Line) *shell.Command {
	var filter *shell.Command
	for _, c := range slices.Backward(l.Commands) {
		switch {
		case plumbing[c.Program]:
		case filters[c.Program]:
			filter = c
		default:
			return c
		}
	}
	if filter == nil && len(l.Commands) > 0 {
		return l.Commands[0]
	}
	return filter
}

// filters are programs that take from the output of others what is asked for, and fail where
// that is not in their format.
var filters = lists.Words("jq yq")

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
