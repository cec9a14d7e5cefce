package prose

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/plain"
)

// activeSyntax lists what must not come out of [Neutral].
var activeSyntax = []string{"!`", "`!", "$ARGUMENTS", "$1", "${", "<system", "</", "<!--", "\u202e", "\u200b"}

func TestNeutralTakesTheMeaningOutOfInstructions(t *testing.T) {
	for text, want := range map[string]string{
		"run !`rm -rf x` now":             "run ! `rm -rf x` now",
		"```!\nrm\n```":                   "``` !\nrm\n```",
		"read @src/main.go and @~/.x":     "read @ src/main.go and @ ~/.x",
		"mail a@b.invalid, react@18, x @": "mail a@b.invalid, react@18, x @",
		"cost $5, $ARGUMENTS ${HOME} $x":  "cost $ 5, $ ARGUMENTS $ {HOME} $ x",
		"a < b, x <name>, cat <<EOF":      "a < b, x <name>, cat <<EOF",
		"</command> <System-reminder>":    "‹/command> ‹System-reminder>",
		"!\u200b`x`":                      "! `x`",
		"`code` stays":                    "`code` stays",
	} {
		got := Neutral(text)
		if got != want {
			t.Errorf("Neutral(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestNeutralLeavesNoActiveSyntax(t *testing.T) {
	piece := rapid.OneOf(rapid.SampledFrom([]string{"!", "`", "```", "@", "$", "{", "1", "ARGUMENTS", "<", "system", "/", "a", " ", "\n", "\u200b", "\u202e", "!`", "@/etc", "<!--"}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
		got := Neutral(text)
		for _, active := range activeSyntax {
			if strings.Contains(got, active) {
				t.Fatalf("%q is in %q", active, got)
			}
		}
		for i := range got {
			if got[i] == '@' && (i == 0 || !IsNameByte(got[i-1])) && i+1 < len(got) && startsPath(got[i+1]) {
				t.Fatalf("a path is named in %q", got)
			}
		}
		if Neutral(got) != got || !utf8.ValidString(got) {
			t.Fatalf("not stable: %q, then %q", got, Neutral(got))
		}
	})
}

func FuzzNeutral(f *testing.F) {
	f.Add("!`x` @/y $1 ${z} </s>")
	f.Fuzz(func(t *testing.T, text string) {
		got := Neutral(text)
		if Neutral(got) != got || plain.Invisible(got) >= 0 {
			t.Fatalf("%q became %q", text, got)
		}
		for _, active := range activeSyntax {
			if strings.Contains(got, active) {
				t.Fatalf("%q is in %q", active, got)
			}
		}
	})
}
