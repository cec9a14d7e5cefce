package redact

import (
	"strings"
	"testing"
)

func TestTerminalCodesAreTakenOut(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "": "", "\x1b": "", "\x1b[": "[", "a\x1b[1;31mb\x1b[0mc": "abc", "\x1b[?25lx\x1b[2Ky": "xy", "\x1b]0;title\ax": "x",
		"\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\": "link", "\x1b]0;no end": "]0;no end", "\x1b(Bx\x1b=y\x1bcz": "xyz", "\x1b\x1b[0m[31m": "[31m",
	} {
		got := Unstyled(in)
		if got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
		if strings.IndexByte(got, esc) >= 0 {
			t.Errorf("%q keeps an escape", got)
		}
	}
}

func TestAColouredSecretIsRedacted(t *testing.T) {
	key := "ghp_" + strings.Repeat("aB3dE5gH7", 4)
	torn := key[:12] + "\x1b[0m\x1b[1m" + key[12:]
	if got := (&Redactor{}).Text("token: \x1b[32m" + torn + "\x1b[0m").String(); strings.Contains(got, key[14:]) || strings.Contains(got, "\x1b") {
		t.Errorf("stored as %q", got)
	}
}

func FuzzUnstyled(f *testing.F) {
	f.Add("a\x1b[31mb\x1b]0;t\a\x1b")
	f.Fuzz(func(t *testing.T, text string) {
		got := Unstyled(text)
		if strings.IndexByte(got, esc) >= 0 || len(got) > len(text) {
			t.Errorf("%q is %q", text, got)
		}
	})
}
