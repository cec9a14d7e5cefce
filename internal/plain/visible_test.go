package plain

import "testing"

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
		"🏴\U000e0067": "🏴",
		"🏴\U000e0072\U000e006d\U000e007f🏴\U000e0061\U000e0062\U000e0063\U000e0064\U000e0065\U000e007f": "🏴🏴", // no region's
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
