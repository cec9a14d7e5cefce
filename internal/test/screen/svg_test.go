package screen

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestScreensAreDrawn(t *testing.T) {
	for name, c := range map[string]struct {
		captured    string
		want, never []string
	}{
		"text":     {"a <b>\n\n", []string{`>a &lt;b&gt;</text>`, `viewBox="0 0 108 42"`}, []string{"<b>"}},
		"colours":  {"\x1b[31mred\x1b[38;5;196mx\x1b[38;2;1;2;3my\x1b[39mz", []string{`fill="#f14c4c">red`, `fill="#ff0000">x`, `fill="#010203">y`, `fill="#d4d4d4">z`}, []string{"\x1b"}},
		"style":    {"\x1b[1;2mb\x1b[0mn", []string{`font-weight="bold" opacity="0.65">b<`, `fill="#d4d4d4">n<`}, nil},
		"inverse":  {"\x1b[7mi", []string{`height="18.0" fill="#d4d4d4"/>`, `fill="#1e1e1e">i<`}, nil},
		"links":    {"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\!", []string{">link!<"}, []string{"http://x"}},
		"columns":  {"é\x1b[1mb", []string{`x="20.4"`}, nil},
		"a broken": {"a\x1b[38;5", []string{">a<"}, []string{"\x1b"}},
	} {
		got := SVG("t", c.captured, 10)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", name, want, got)
			}
		}
		for _, never := range c.never {
			if strings.Contains(got, never) {
				t.Errorf("%s: %q in\n%s", name, never, got)
			}
		}
		d := xml.NewDecoder(strings.NewReader(got))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, got)
			}
		}
	}
}
