package scan

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plainLines are the lines of an output, taken apart at once.
func plainLines(text string) (kept []string) {
	lines := strings.Split(text, "\n")
	if len(lines) > 2*maxLines {
		lines = append(lines[:maxLines:maxLines], lines[len(lines)-maxLines:]...)
	}
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" {
			kept = append(kept, l)
		}
	}
	return kept
}

// outputLinePieces are what the outputs of commands are made of.
var outputLinePieces = []string{
	"", "   ", "ok  \tshop/cart\t0.3s", "PASS", "FAIL", "--- FAIL: TestTotal (0.00s)", "3 passed, 1 failed", "12 passed", "0 errors", "error: ", "error: unexpected argument '--x' found", "Error: boom",
	"src/cart.ts(4,7): error TS2322: Type", "a/b.go:9:12: Error return value (errcheck)", "\x1b[31mFAIL\x1b[0m src/a.test.ts", "er\x1b[0mror: x", "Exit code 1", "Exit code 127", "<tool_use_error>File has not been read yet</tool_use_error>", "HTTP ", "gh: Not Found (HTTP 404)",
	"cat: a.txt: No such file or directory", "/bin/bash: line 1: tree: command not found", "(eval):1: no matches found: *.x", "fatal: bad revision 'x'", "git: 'comit' is not a git command", "unknown flag: --x", "warning: unused", "npm error Missing script: \"test\"", "Traceback (most recent call last):",
	"sh: 1: foo: not found", "open /etc/x: Permission denied: errno=13", "cannot open a.txt (No such file or directory)", "x: cannot execute binary file: Exec format error", "x: cannot execute binary file: ENOEXEC", "'x' is not recognized as an internal or external command", "12 tests not found",
	"    at run (a.js:1:2)", "E   ModuleNotFoundError: No module named 'respx'", "> tsc --noEmit", "make: *** [all] Error 2", "Found 2 errors.", "Done in 2s", "grep: warning", "  ✓ adds one", "✗ adds two", "(fail) cart > adds one [0.29ms]", "not ok 3 adds", "x\r", strings.Repeat("long error ", 50), strings.Repeat("x", 2100) + "error",
}

func anyOutput(random *rand.Rand) string {
	var b strings.Builder
	n := 1 + random.IntN(6)
	if random.IntN(20) == 0 {
		n = 395 + random.IntN(20)
	}
	for range n {
		piece := outputLinePieces[random.IntN(len(outputLinePieces))]
		if n > 100 && random.IntN(40) > 0 {
			piece = "a line"
		}
		b.WriteString(piece)
		if random.IntN(12) > 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func TestOutputsAreReadAsLineByLine(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 4000 {
		sameReading(t, anyOutput(random))
	}
}

func sameReading(t *testing.T, text string) {
	t.Helper()
	lines := slices.Collect(linesOf(text))
	if want := plainLines(text); !slices.Equal(lines, want) {
		t.Fatalf("%q has the lines %q, want %q", text, lines, want)
	}
}

func FuzzOutput(f *testing.F) {
	for _, piece := range outputLinePieces {
		f.Add("a\n" + piece + "\nb")
	}
	f.Fuzz(sameReading)
}

func TestChangesAreThoseOfWholeTexts(t *testing.T) {
	text := rapid.SliceOfN(rapid.SampledFrom([]string{"a", " a", "b", "c\t", "", "\n", "\n", "\n"}), 0, 14)
	rapid.Check(t, func(t *rapid.T) {
		before, after := strings.Join(text.Draw(t, "before"), ""), strings.Join(text.Draw(t, "after"), "")
		a, b := apart(before, after)
		old, now := changedLines(a, b)
		slices.Sort(old)
		slices.Sort(now)
		wholeOld, wholeNow := less(saidIn(before), saidIn(after)), less(saidIn(after), saidIn(before))
		slices.Sort(wholeOld)
		slices.Sort(wholeNow)
		if more := len(wholeOld) - len(wholeNow); more < -1 || more > 1 {
			wholeOld, wholeNow = nil, nil // several lines changed
		}
		if !slices.Equal(old, wholeOld) || !slices.Equal(now, wholeNow) {
			t.Fatalf("%q to %q: %q became %q", before, after, old, now)
		}
	})
}

// saidIn returns the lines of a text that say something.
func saidIn(text string) []string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return slices.DeleteFunc(lines, func(l string) bool { return l == "" })
}

func TestQuotedWordsAreFoundAsByTheirQuotes(t *testing.T) {
	piece := rapid.SampledFrom([]string{"'", "`", `"`, "‘", "’", "a", "aa", "-", " "})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 10).Draw(t, "text"), "")
		word := strings.Join(rapid.SliceOfN(piece, 1, 3).Draw(t, "word"), "")
		want := slices.ContainsFunc([]string{"'%'", "`%'", "`%`", `"%"`, "‘%’"}, func(q string) bool {
			return strings.Contains(text, strings.Replace(q, "%", word, 1))
		})
		if got := (errorText{text: text}).quotes(word); got != want {
			t.Fatalf("%q in %q: %v, want %v", word, text, got, want)
		}
	})
}
