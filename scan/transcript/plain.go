package transcript

import (
	"path"
	"strings"
)

// masked says whether a command line hides the status of what it runs. Most
// lines are so simple that it takes no parser to tell.
func masked(line string) bool {
	if plain(line) {
		return false
	}
	if hides, sure := simple(line); sure {
		return hides
	}
	return readShell(line).masked
}

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
			if i > 0 && line[i-1] == '>' {
				continue // 2>&1
			}
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

// simple says whether a line hides a status that consists of nothing but simple
// commands with && and ; between them, up to the first pipe. Of other lines it is
// not sure.
func simple(line string) (hides, sure bool) {
	if len(line) > maxShell || strings.Contains(line, "pipefail") {
		return false, false
	}
	loud := false // a command before a separator matters
	for rest := line; ; {
		end := simpleEnd(rest)
		if end < 0 {
			return false, false
		}
		name := program(rest[:end])
		if name == "" || name == "set" {
			return false, false
		}
		loud = loud || !harmless[name]
		switch {
		case end == len(rest):
			return hides, true
		case strings.HasPrefix(rest[end:], "&&"):
			end++
		case rest[end] == ';':
			hides = hides || loud
			loud = false
		case strings.HasPrefix(rest[end:], "||"):
			return true, !passesOn(rest[end:])
		case harmless[name] || strings.HasPrefix(rest[end:], "|&") || rest[end] != '|':
			return false, false
		default:
			return true, true // also when nobody can make sense of what follows
		}
		rest = rest[end+1:]
	}
}

// runsOnly says whether a line consists of nothing but simple commands with
// separators and pipes between them whose programs are all of a kind. It may say no
// of a line that does.
func runsOnly(line string, kind func(program string) bool) bool {
	if len(line) > maxShell {
		return false
	}
	for rest := line; ; {
		end := simpleEnd(rest)
		if end < 0 {
			return false
		}
		if name := program(rest[:end]); name == "" || !kind(name) {
			return false
		}
		if end == len(rest) {
			return true
		}
		two := strings.HasPrefix(rest[end:], "&&") || strings.HasPrefix(rest[end:], "||")
		if rest[end] == '&' && !two || strings.HasPrefix(rest[end:], "|&") {
			return false
		}
		if rest = rest[end+1:]; two {
			rest = rest[1:]
		}
	}
}

// passesOn says whether an alternative may end with the status of what failed.
func passesOn(alternative string) bool {
	return strings.Contains(alternative, "exit") || strings.Contains(alternative, "return") || strings.Contains(alternative, "false")
}

// simpleEnd returns where a simple command ends: at a separator or the end of
// the line. It is -1 when the command has more than words, quotes, names of
// variables and redirections.
func simpleEnd(line string) int {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '|', ';':
			return i
		case '&':
			if i == 0 || line[i-1] != '>' {
				return i
			}
		case '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return -1
			}
			i += end + 1
		case '"':
			end := quoteEnd(line[i+1:])
			if end < 0 {
				return -1
			}
			i += end + 1
		case '\\':
			if i++; i == len(line) || line[i] == '\n' || line[i] == '\r' {
				return -1
			}
		case '>':
			if !redirects(line[i+1:]) {
				return -1
			}
		case '$':
			if i+1 == len(line) || !letter(line[i+1]) {
				return -1
			}
		case '`', '(', ')', '{', '}', '[', ']', '<', '#', '\n', '\r', 0:
			return -1
		}
	}
	return len(line)
}

// quoteEnd returns where a text in double quotes ends that begins behind the
// first one, or -1 if it is more than a text with names of variables.
func quoteEnd(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			return i
		case '\\':
			i++
		case '`', '\r', 0:
			return -1
		case '$':
			if text := heredoc(s[i:]); text > 0 {
				i += text - 1
			} else if i+1 == len(s) || !letter(s[i+1]) && s[i+1] != '?' {
				return -1
			}
		}
	}
	return -1
}

// heredoc returns the length of the form in which agents give texts of several
// lines, $(cat <<'EOF' and so on, if it stands at the beginning.
func heredoc(s string) int {
	const begin, end = "$(cat <<'EOF'\n", "\nEOF\n"
	if !strings.HasPrefix(s, begin) {
		return 0
	}
	at := strings.Index(s[len(begin)-1:], end)
	if at < 0 {
		return 0
	}
	n := len(begin) - 1 + at + len(end)
	if n == len(s) || s[n] != ')' || strings.ContainsAny(s[:n], "\r\x00") {
		return 0
	}
	return n + 1
}

// redirects says whether the target of a redirection stands behind its sign.
func redirects(behind string) bool {
	behind = strings.TrimPrefix(behind, ">")
	if number, ok := strings.CutPrefix(behind, "&"); ok {
		return number != "" && '0' <= number[0] && number[0] <= '9'
	}
	behind = strings.TrimLeft(behind, " ")
	return behind != "" && (letter(behind[0]) || behind[0] == '/' || behind[0] == '.')
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }

// program returns the name of the program that a simple command runs, or nothing
// where that takes a closer look: words of the shell, and programs that run
// another one.
func program(command string) string {
	name, rest := firstWord(command)
	for strings.IndexByte(name, '=') > 0 && letter(name[0]) && inert(strings.Replace(name, "=", "", 1)) {
		name, rest = firstWord(rest) // a variable for it
	}
	if !inert(name) {
		return ""
	}
	if name = path.Base(name); name == "." || grammar[name] {
		return ""
	}
	return name
}

func firstWord(s string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimLeft(s, " \t"), " ")
	return word, rest
}

// inert says whether a word stands for itself and for nothing else.
func inert(word string) bool {
	for _, c := range []byte(word) {
		if !letter(c) && (c < '-' || c > '9') {
			return false
		}
	}
	return true
}

// grammar are names that no program of its own has, or one that runs another.
var grammar = map[string]bool{
	"if": true, "then": true, "elif": true, "else": true, "fi": true, "while": true, "until": true, "for": true, "select": true, "do": true, "done": true,
	"case": true, "in": true, "esac": true, "let": true, "function": true, "time": true, "coproc": true, "typeset": true, "nameref": true,
	"declare": true, "local": true, "export": true, "readonly": true,
	"sudo": true, "command": true, "nohup": true, "nice": true, "env": true, "exec": true, "stdbuf": true, "builtin": true, "timeout": true,
}
