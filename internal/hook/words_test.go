package hook

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
)

func TestWordsOfFailedCalls(t *testing.T) {
	env := map[string]string{"HOME": "/home/ada", "USER": "ada"}
	sys := &System{Env: func(name string) string { return env[name] }}
	long := strings.Repeat("compiling a part\n", 100)
	key := "ghp_" + strings.Repeat("a1B2c3", 6)
	for _, c := range []struct {
		name    string
		call    agent.Call
		in, out string
	}{
		{"what worked has none", agent.Call{Command: "make", Response: "done"}, "", ""},
		{"a tool of another kind has none", agent.Call{Failed: true, Response: "no such issue"}, "", ""},
		{"a command", agent.Call{Failed: true, Command: "make x", Response: "no rule"}, "make x", "no rule"},
		{"a file", agent.Call{Failed: true, Paths: []string{"a.go"}, Response: "not found"}, "", "not found"},
		{"a home", agent.Call{Failed: true, Command: "cat /home/ada/x", Response: "/home/ada/x: no such file"}, "cat ~/x", "~/x: no such file"},
		{"a secret", agent.Call{Failed: true, Command: "deploy --password hunter2tonight9", Response: "bad token " + key}, "deploy --password [REDACTED]", "bad token [REDACTED]"},
		{"a secret where the text is cut", agent.Call{Failed: true, Command: strings.Repeat("x ", 90) + key, Response: "no"}, strings.Repeat("x ", 90) + "[REDACTED]", "no"},
		{"more than is redacted", agent.Call{Failed: true, Command: "make", Response: strings.Repeat("a", maxRedacted)}, "", ""},
		{"both ends of long output", agent.Call{Failed: true, Command: "make", Response: "usage: make\n" + long + "FAIL: it broke"}, "make", "usage: make\n*FAIL: it broke"},
	} {
		in, out := sys.words(&c.call)
		head, tail, both := strings.Cut(c.out, "*")
		if in != c.in || !both && out != c.out || !strings.HasPrefix(out, head) || !strings.HasSuffix(out, tail) {
			t.Errorf("%s: %q and %q", c.name, in, out)
		}
	}
}

// However long and of which characters: what is stored is text within its bounds.
func TestWordsStayWithinTheirBounds(t *testing.T) {
	sys := &System{Env: func(string) string { return "" }}
	for _, unit := range []string{"a", "é", "漢字", "🙂", "\n", "<&>", "é\n", "\xff"} {
		for _, n := range []int{1, 100, 499, 500, 501, 1000, 9000} {
			text := strings.Repeat(unit, n)
			in, out := sys.words(&agent.Call{Failed: true, Command: text, Response: text})
			if len(in) > inject.MaxIn || len(out) > inject.MaxOut || !utf8.ValidString(in+out) {
				t.Errorf("%q %d times: %d and %d bytes", unit, n, len(in), len(out))
			}
		}
	}
}
