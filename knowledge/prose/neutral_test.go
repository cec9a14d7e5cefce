package prose

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext\n":                       "plain\ttext\n",
		"a\r\nb\rc":                           "a\nb\nc",
		"a\u202eb\u2066c\u200fd":              "abcd",
		"a\u200bb\u200cc\u200dd\u2060e\ufeff": "abcde",
		"\x1b[31mred\x07":                     "[31mred",
		"tags\U000e0041\U000e0042":            "tags",
		"👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3":      "👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3",
		"می\u200cخواهم":                       "می\u200cخواهم",
		"क्\u200dष":                           "क्\u200dष",
		"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f!": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f!",
		"🏴\U000e0067":         "🏴",
		"\xff\xfeab":          "\ufffdab",
		"a\u0085b\u009bc":     "abc",
		"\ufffe\ufdd0x\u3164": "x",
		"x\ufe0f":             "x",
	} {
		if got := Visible(text); got != want {
			t.Errorf("Visible(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]int{"ab\u202ec": 2, "abc\r\n": -1, "é👩\u200d💻": -1, "\u200b": 0, "né\U000e0041": 3} {
		if got := Invisible(text); got != want {
			t.Errorf("Invisible(%q) = %d, want %d", text, got, want)
		}
	}
}

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
		if Neutral(got) != got || Invisible(got) >= 0 {
			t.Fatalf("%q became %q", text, got)
		}
		for _, active := range activeSyntax {
			if strings.Contains(got, active) {
				t.Fatalf("%q is in %q", active, got)
			}
		}
	})
}
