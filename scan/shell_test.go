package scan

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/scan/transcript"
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
		for _, c := range shell.Parse(line.String()).Commands {
			if !canRun(line.String(), c.Program) {
				t.Errorf("%q runs %q", line.String(), c.Program)
			}
			if c.Program != "git" {
				continue
			}
			if runs++; !canRun(line.String(), "git") {
				t.Errorf("%q runs git", line.String())
			}
		}
	}
	if runs < 1000 {
		t.Errorf("only %d of the lines run git", runs)
	}
	if canRun("go test ./... | tail -3; echo g i x t", "git") {
		t.Error("a line without git may run it")
	}
}

// TestWhatMayRunTheSameProgram: the look for its letters hides no program that two
// lines share.
func TestWhatMayRunTheSameProgram(t *testing.T) {
	programs := []string{"git", "gcc-12", "gcc-13", "python", "python2", "python3", "python3.11", "python3-config", "Make", "my_tool", "7", "7.1", "./run.sh", "x.exe", "'go'", `g\o`, "go1.22"}
	shares := func(a, b *shell.Line) bool {
		for _, c := range a.Commands {
			for _, d := range b.Commands {
				if sameProgram(c, d) {
					return true
				}
			}
		}
		return false
	}
	for _, a := range programs {
		for _, b := range programs {
			one, other := commandStep(a+" x"), commandStep("cd y && "+b)
			if got, want := sharesProgram(one, other), shares(one.line(), other.line()); got != want {
				t.Errorf("%q and %q: %v", a, b, got)
			}
		}
	}
}

func commandStep(line string) *Step {
	return &Step{Event: transcript.Event{Arguments: transcript.Arguments{Command: line}}}
}
