package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/shell"
)

// maxWarned is how much of an answer is searched for a warning, at either end, in bytes.
const maxWarned = 8 << 10

// warns is how programs warn.
var warns = automata.New(`(?i)(?:(?:^|[\s:(\[])warn(?:ing)?(?:\]|:\s|\s+[a-z0-9@(]+)|\bdeprecated\b)`)

// showers print what others wrote: a warning in that is none of theirs.
var showers = map[string]bool{
	"cat": true, "head": true, "tail": true, "less": true, "more": true, "nl": true, "grep": true, "egrep": true, "rg": true, "ag": true, "ack": true,
	"sed": true, "awk": true, "find": true, "ls": true, "tree": true, "echo": true, "printf": true, "jq": true, "yq": true, "curl": true, "wget": true,
	"diff": true, "strings": true, "xxd": true, "sqlite3": true, "psql": true, "gh": true, "man": true,
	"git log": true, "git show": true, "git diff": true, "git grep": true, "git blame": true, "git cat-file": true, "git status": true,
	"docker logs": true, "kubectl logs": true, "journalctl": true, "go doc": true,
}

// warned is the line in which a command that worked warns, empty where it does not. What
// a command only shows counts for nothing, and neither does a filter behind it.
func warned(call *Step, text string) string {
	if !isShell(call.Tool) || !strings.Contains(text, "arn") && !strings.Contains(text, "WARN") && !strings.Contains(text, "eprecated") {
		return ""
	}
	if slices.ContainsFunc(sources(call.line()), func(c *shell.Command) bool { return showers[c.Program] || showers[c.Name()] }) {
		return ""
	}
	if len(text) > 2*maxWarned {
		text = text[:maxWarned] + "\n" + text[len(text)-maxWarned:]
	}
	for line := range strings.SplitSeq(text, "\n") {
		if warns.MatchString(line) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// sources are the commands of a line that no other command feeds.
func sources(line *shell.Line) []*shell.Command {
	var all []*shell.Command
	for i, c := range line.All {
		if i == 0 || !line.All[i-1].In(shell.Piped) {
			all = append(all, c)
		}
	}
	return all
}
