package prose

import "testing"

func TestNormaliseTitle(t *testing.T) {
	for in, want := range map[string]string{
		"  Use `Result` types — not exceptions. ": "use result types not exceptions",
		"C++ and C#":   "c++ and c#",
		"--no-header":  "no header",
		"Über\täöü":    "über äöü",
		"日本語の題":        "日本語の題",
		"🎉":            "🎉",
		"":             "",
		"foo_bar v1.2": "foo_bar v1 2",
	} {
		if got := NormaliseTitle(in); got != want {
			t.Errorf("NormaliseTitle(%q) = %q, want %q", in, got, want)
		}
		if again := NormaliseTitle(NormaliseTitle(in)); again != NormaliseTitle(in) {
			t.Errorf("normalising %q twice gives %q", in, again)
		}
	}
}
