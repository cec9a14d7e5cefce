package transcript

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What is plain masks nothing by the parser's reading either.
func TestPlainLinesMaskNothing(t *testing.T) {
	for line, want := range map[string]bool{
		"go test ./...": true, "cd a && make": true, `grep "a&&b" x > out 2>err`: true, "": true,
		"make 2>&1": true, "make && make >& log": true, "a >& b &": false, "a &> b": false,
		"a | b": false, "a || true": false, "a; b": false, "a & b": false, "a &": false, "a\nb": false, "coproc a": false, "echo `a`": false,
	} {
		if plain(line) != want {
			t.Errorf("plain(%q) = %v", line, !want)
		}
	}
	token := rapid.SampledFrom([]string{
		"a", "b", "&&", "&", "|", ";", "!", "(", ")", "((", "))", "{", "}", "[[", "]]", "if", "then", "fi", "for", "in", "do", "done", "while",
		"cd", "set -o pipefail", "sudo", "echo", "export", "typeset", "go test", "'a|b'", "\"a|b\"", "||", "|&", "; ", "A=1 ", "\"a\\`|b\"", "\\|", "x[", "\"$(cat <<'EOF'\n", "\nEOF\n", ")\"", "exit 1", "\n", "\"$?\"", "> x", ">>", "function", "time", "coproc", "case", "esac", "select", "<", ">", "<<", "<(", ">(", "$(", "`", "'", "\"", "\\", "$x", "x=1", "let", "declare", "set -e", "until", "#", "2>&1", "&>",
	})
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(token, 1, 12).Draw(t, "tokens"), rapid.SampledFrom([]string{" ", ""}).Draw(t, "space"))
		if got := masked(line); got != readShell(line).masked {
			t.Fatalf("%q is masked: %v", line, got)
		}
	})
}

// Most lines take no parser.
func TestSimpleLinesAreReadWithoutTheParser(t *testing.T) {
	for line, want := range map[string][2]bool{
		"go test ./... | tail":                          {true, true},
		"cd x && go test ./... 2>&1 | tail -5":          {true, true},
		"make -C x && go test 2>&1 | grep 'a|b' && x":   {true, true},
		`git log --format="%h" > "x" | head`:            {false, false},
		`git log --format="$f" > x | head`:              {true, true},
		"A=1 make | tail":                               {true, true},
		`make; echo "exit $?"`:                          {true, true},
		"cd x; make":                                    {false, true},
		`go test -run "A|B" && gh api --jq '.[] | {a}'`: {false, true},
		"grep \\| x":                                    {false, true},
		"make;":                                         {false, false},
		"echo hi | jq .":                                {false, false},
		"set -o pipefail && make | tail":                {false, false},
		"a || b":                                        {true, true},
		"cd x && a 2>/dev/null || echo no | cat":        {true, true},
		"a || exit 1":                                   {true, false},
		"git commit -m \"$(cat <<'EOF'\none | two\n$(three)\nEOF\n)\" && x": {false, true},
		"git commit -m \"$(cat <<'EOF'\nEOF\n)\"":                           {false, true},
		"git commit -m \"$(cat <<'EOF'\nEOF\n; a | b)\"":                    {false, false},
		"a |& b":               {false, false},
		"sudo a | b":           {false, false},
		"a 'b | c'":            {false, true},
		"$(a) | b":             {false, false},
		`a "$(b)" | c`:         {false, false},
		"if a | b; then c; fi": {false, false},
		"a > | b":              {false, false},
	} {
		if hides, sure := simple(line); hides != want[0] || sure != want[1] {
			t.Errorf("%q: hides %v, sure %v", line, hides, sure)
		}
	}
}

// What is no answer by its words is none by the parser's reading either.
func TestAnswersShowInTheWords(t *testing.T) {
	token := rapid.SampledFrom([]string{
		"grep", "rg x", "git", "diff", "--quiet", "command -v", "[", "[[", "]]", "test", "jq -e", "govulncheck", "tmux has-session", "/usr/bin/grep", "sudo", "echo", "go test",
		" ", " ", ";", "&&", "||", "|", "'", "\"", "\\", "\n", "$x", "${x}", "$1", "$(a)", "`a`", "(", ")", "{", "}", "!", "x=1", "@(", "<(", "a", "gr", "ep", "é", ">f", "2>&1", "2>", "if", "then", "fi", "time -p", "timeout 5", "env", "#", "coproc", "&",
	})
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(token, 1, 10).Draw(t, "tokens"), rapid.SampledFrom([]string{" ", ""}).Draw(t, "space"))
		for _, exit := range []int{1, 2, 3, 127, 141} {
			if readShell(line).expects(exit, true) && !mayAnswer(line, exit) {
				t.Fatalf("%d of %q is an answer", exit, line)
			}
		}
	})
}
