package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/scan/transcript"
)

// Two channels feed the detectors of what persons say (seed self-learning).
// USER_SIGNALS, a message on its own, is this function: it feeds workflows and
// procedures. DIALOG_PAIRS, a message with what the agent said before it, is
// [Window.lastClaim] and [Window.occasionOf]: they feed decisions and pitfalls.
func userSignal(w *Window) (*speech, bool) {
	s := w.Last()
	if s.Kind != transcript.User || s.Agent != "" {
		return nil, false
	}
	sp := s.speech()
	return sp, sp.words != ""
}

// foldWords puts a text in lower case on one line, to compare it.
func foldWords(s string) string { return strings.ToLower(onOneLine(s)) }

// headline is the first sentence or clause of a text.
func headline(text string) string {
	text = onOneLine(text)
	if i := strings.IndexAny(text, ".;"); i > 0 {
		for ; i > 0 && i < len(text); i++ {
			if text[i] == ';' || text[i] == '.' && (i+1 == len(text) || text[i+1] == ' ') {
				return text[:i]
			}
		}
	}
	return text
}
