package prose

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/plain"
)

// Neutral makes text safe for instructions that an agent executes: slash
// commands and skills. What cannot be seen is removed, and the syntax by which
// such files run programs, read files or take arguments loses its meaning while
// a reader still sees the text: "!" beside a backtick, "@" before a path,
// "$ARGUMENTS", "$1", "${…}", comments and the tags in which agents wrap their
// own instructions. Applying it again changes
// nothing.
func Neutral(text string) string {
	text = plain.Visible(text)
	var b strings.Builder
	b.Grow(len(text) + 8)
	before := byte('\n')
	for i := 0; i < len(text); i++ {
		c, after := text[i], byte(0)
		if i+1 < len(text) {
			after = text[i+1]
		}
		switch {
		case c == '<' && agentTag(text[i+1:]):
			b.WriteString("‹")
		case c == '!' && after == '`', c == '`' && after == '!',
			c == '@' && !IsNameByte(before) && startsPath(after),
			c == '$' && (after == '{' || IsNameByte(after)):
			b.WriteByte(c)
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
		before = c
	}
	return b.String()
}

func startsPath(c byte) bool {
	return c != 0 && strings.IndexByte(" \t\n,;)]}", c) < 0
}

// agentTag says whether the text behind a "<" would be a comment, a closing
// tag, or a tag with which agents frame instructions.
func agentTag(rest string) bool {
	if strings.HasPrefix(rest, "!") || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "|") {
		return true
	}
	name := strings.ToLower(rest[:min(len(rest), 24)])
	for _, tag := range [...]string{"system", "command-", "local-command", "user-", "function", "invoke", "parameter", "antml", "tool_", "assistant", "human", "bash-", "script", "iframe", "extremely", "important"} {
		if strings.HasPrefix(name, tag) {
			return true
		}
	}
	return false
}
