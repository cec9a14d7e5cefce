package scan

import (
	"fmt"
	"testing"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// Any command with any output is judged without a fault of ours, and the same
// way each time; and whatever mends it is told of once.
func FuzzToolErrors(f *testing.F) {
	f.Add("npm test 2>&1 | tail", "npm error Missing script: \"test\"", "npm run test", "ok")
	f.Add("ls *.x", "(eval):1: no matches found: *.x", "ls '*.x'; echo $?", "exit 0")
	f.Add("git commit -m \"$(cat <<'E'\nx\nE\n)\"", "husky - pre-commit script failed", "git commit", "")
	f.Add("", "\x1b[31merror\x1b[0m: \xff", "&&|", "\x00")
	f.Fuzz(func(t *testing.T, command, output, next, answer string) {
		run := func() string {
			s := story{bash(command, masked, output), says(output), bash(command, fail, output), says(next), bash(next, ok, answer), bash(next, masked, answer), user(output), bash(next, transcript.TimedOut, output)}
			said := ""
			for _, d := range []Detector{errorFixes{}, hangs{}, diagnoses{}} {
				for _, x := range found(d, s) {
					said += fmt.Sprintln(x.kind, x.errorLine, x.line, x.mistake, x.fix, x.title)
				}
			}
			return said
		}
		if a, b := run(), run(); a != b {
			t.Errorf("%q and then %q", a, b)
		}
	})
}

// Whatever a person types and an agent answers, each detector of words ends.
// One recursion had no end on words that begin by turning against something.
func FuzzWords(f *testing.F) {
	for _, words := range []string{
		"but that's fine for now", "But great, but thanks, but perfect", "however, looks good", "ok but ok but ok but", "no\n\n1. x\n2. but fine", "> but\nbut", "",
	} {
		f.Add(words, "Done. But that's fine for now.")
		f.Add("fix it", words)
	}
	f.Fuzz(func(t *testing.T, words, answer string) {
		s := story{user(words), says(answer), edit("/home/dev/app/a.go", "", "x\n"), user(words), rejected("rm -r x", words), interrupt(), user(words), edit("/home/dev/app/a.go", "x\n", "y\n"), says(answer), user(answer)}
		for _, d := range []Detector{corrections{}, decisions{}, diagnoses{}, interrupts{}, rejections{}, workflows{}, routines{}} {
			found(d, s)
		}
	})
}
