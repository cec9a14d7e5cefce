package statement

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Words are what [strings.Fields] parts, and half the Chinese and Japanese
// characters.
func TestUnwrapped(t *testing.T) {
	for in, want := range map[string]string{
		`"use pnpm here"`: "use pnpm here", `"say \"no\" to npm"`: `say "no" to npm`, `"one" and "two"`: `"one" and "two"`, `"open`: `"open`, `"`: `"`, "": "",
	} {
		if got := unwrapped(in); got != want {
			t.Errorf("%s became %s", in, got)
		}
	}
}

func TestCountWordsIsThatOfFields(t *testing.T) {
	letters := rapid.StringOf(rapid.SampledFrom([]rune(" \t\n\v\f\ra-\u0085\u00a0\u3000é世한\ufffd")))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "any") + letters.Draw(t, "letters") + rapid.SampledFrom([]string{"", "\xa0", "\xe4 a"}).Draw(t, "broken")
		n, dense := len(strings.Fields(s)), 0
		for _, r := range s {
			if r >= 0x2e80 && (r < 0xa4d0 || r >= 0xf900) {
				dense++
			}
		}
		if got, want := CountWords(s), n+dense/2; got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	})
}

// One's own words are the lines that neither quote nor come from a program.
func TestOwnWordsAreTheLinesThatRemain(t *testing.T) {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a word", "", " ", "> said", "    code", "\tcode", "$ go test", "12:01:02 INFO x", "at x (y)", " b ", "c\r", "\r"}), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(lines.Draw(t, "lines"), rapid.SampledFrom([]string{"\n", "\r\n", "\n\n"}).Draw(t, "end")) + rapid.SampledFrom([]string{"", "\n", "\r"}).Draw(t, "last")
		var kept []string
		pasted := false
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\r\n")
			if strings.TrimSpace(line) == "" {
				pasted = false
			}
			if strings.HasPrefix(line, ">") || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
				continue
			}
			if pasted = pasted || output.MatchString(line); !pasted {
				kept = append(kept, line)
			}
		}
		if got, want := OwnWords(text), strings.TrimSpace(strings.Join(kept, "\n")); got != want {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	})
}

// A sentence ends with the first full stop, exclamation or question mark that a blank
// or nothing follows.
func TestSentenceEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringOfN(rapid.SampledFrom([]rune("ab .!?é")), 0, 20, -1).Draw(t, "line")
		want := len(line)
		for i := range line {
			if strings.IndexByte(".!?", line[i]) >= 0 && (i+1 == len(line) || line[i+1] == ' ') {
				want = i + 1
				break
			}
		}
		if got := sentenceEnd(line); got != want {
			t.Fatalf("%q ends at %d, want %d", line, got, want)
		}
	})
}
