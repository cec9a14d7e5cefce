package transcript

import "strings"

// plain says that a command line is so simple that a failure shows in its
// status, which needs no parser: one command, or several joined by &&. Quotes,
// substitutions and redirections do not matter, because without the characters
// looked for here nothing can run behind or beside the command. It may say no of
// a line that would be.
func plain(line string) bool {
	if len(line) > maxShell {
		return false
	}
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '|', ';', '\n', '\r', '`', '\\':
			return false
		case '&':
			if i++; i == len(line) || line[i] != '&' {
				return false
			}
		}
	}
	for _, word := range []string{"coproc", "case", "select", "$("} {
		if strings.Contains(line, word) {
			return false
		}
	}
	return true
}
