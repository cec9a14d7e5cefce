package hook

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/redact"
)

// maxRedacted is how much output is redacted, in bytes: a millisecond's work. Of a part of
// a longer one nobody can tell whether it is the end of a secret.
const maxRedacted = 64 << 10

// words are the command and the output of a failed call of a shell or on files: redacted as
// a whole, then shortened.
func (sys *System) words(c *agent.Call) (in, out string) {
	if !c.Failed || c.Command == "" && len(c.Paths) == 0 || len(c.Command)+len(c.Response) > maxRedacted {
		return "", ""
	}
	r := redact.Redactor{Home: cmp.Or(sys.Env("HOME"), sys.Env("USERPROFILE")), User: cmp.Or(sys.Env("USER"), sys.Env("USERNAME"))}
	return r.Text(c.Command).Cut(inject.MaxIn).String(), ends(r.Text(c.Response), inject.MaxOut)
}

// ends are the beginning and the end of a text in at most n bytes: a command that was wrong
// is told at the beginning of its output, a test that failed at the end.
func ends(text redact.Text, n int) string {
	s := text.String()
	if len(s) <= n {
		return s
	}
	head := text.Cut(n * 2 / 5).String()
	tail := s[len(s)-(n-len(head)-1):]
	if _, lines, more := strings.Cut(tail, "\n"); more {
		return head + "\n" + lines
	}
	for !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return head + "\n" + tail
}
