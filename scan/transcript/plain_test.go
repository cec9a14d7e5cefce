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
		"a | b": false, "a || true": false, "a; b": false, "a & b": false, "a &": false, "a\nb": false, "coproc a": false, "echo `a`": false,
	} {
		if plain(line) != want {
			t.Errorf("plain(%q) = %v", line, !want)
		}
	}
	token := rapid.SampledFrom([]string{
		"a", "b", "&&", "&", "|", ";", "!", "(", ")", "((", "))", "{", "}", "[[", "]]", "if", "then", "fi", "for", "in", "do", "done", "while",
		"function", "time", "coproc", "case", "esac", "select", "<", ">", "<<", "<(", ">(", "$(", "`", "'", "\"", "\\", "$x", "x=1", "let", "declare", "set -e", "until", "#", "2>&1", "&>",
	})
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(token, 1, 12).Draw(t, "tokens"), rapid.SampledFrom([]string{" ", ""}).Draw(t, "space"))
		if plain(line) && readShell(line).masked {
			t.Fatalf("%q is masked", line)
		}
	})
}
