package scan

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestEveryProgramMayRun: no way to write a program's name escapes the look for its
// letters.
func TestEveryProgramMayRun(t *testing.T) {
	pieces := []string{"g", "i", "t", "g", "i", "t", "git", "Git", ".exe", "'", "\"", "\\", "\\\n", "$'", "$\"", "$", "\x00", "\r", "\n", " ", "/", "sudo ", "bash -c ", "eval ", "x", "1", "é", "\xff", "reset", "$(", ")", "<<'E'\n", "\nE\n"}
	random := rand.New(rand.NewPCG(1, 2))
	runs := 0
	for range 200_000 {
		var line strings.Builder
		for range 1 + random.IntN(12) {
			line.WriteString(pieces[random.IntN(len(pieces))])
		}
		for _, c := range scriptCommands(parseShell(line.String())) {
			if c.program != "git" {
				continue
			}
			if runs++; !mayRun(line.String(), "git") {
				t.Errorf("%q runs git", line.String())
			}
		}
	}
	if runs < 1000 {
		t.Errorf("only %d of the lines run git", runs)
	}
	if mayRun("go test ./... | tail -3; echo g i x t", "git") {
		t.Error("a line without git may run it")
	}
}
