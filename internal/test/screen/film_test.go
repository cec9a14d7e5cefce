package screen

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/kit"
)

// A film is as high as its highest screen, and shows each in its turn.
func TestFilmsShowEachScreenInTurn(t *testing.T) {
	got := Film("a film", []string{"one\n", "two\nlines\n", "\x1b[31mthree"}, 10)
	if err := kit.ValidPage(got); err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	rest := got
	for _, want := range []string{
		`viewBox="0 0 108 60"`, "<title>a film</title>", "f 9s step-end infinite", "33.332% { visibility: hidden }", "prefers-reduced-motion",
		`class="f first" style="animation-delay: -9s"`, ">one<", `class="f" style="animation-delay: -6s"`, ">lines<", "animation-delay: -3s", ">three<",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("no %q in its place in\n%s", want, got)
		}
		rest = after
	}
}
