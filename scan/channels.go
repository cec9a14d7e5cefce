package scan

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/automata"
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

// wrapping are parts of everything that notWords matches.
var wrapping = []string{"```", "</", "~~~", `"""`}

var notWords = sync.OnceValue(func() *automata.Pattern {
	return automata.New("(?s)<system-reminder>.*?</system-reminder>|<(?:command-[a-z]+|local-command-[a-z]+|bash-[a-z]+|ide_[a-z_]+|environment_context|user_instructions)>.*?" +
		"</(?:command-[a-z]+|local-command-[a-z]+|bash-[a-z]+|ide_[a-z_]+|environment_context|user_instructions)>|```.*?(?:```|$)|~~~.*?(?:~~~|$)|\"{3}.*?(?:\"{3}|$)")
})

// ownWords is what a person wrote themselves: without code, quotations, pasted
// output and what tools put around it. It is empty when nothing is left.
func ownWords(text string) string {
	if slices.ContainsFunc(wrapping, func(mark string) bool { return strings.Contains(text, mark) }) {
		text = notWords().ReplaceAllString(text, "\n")
	}
	var own strings.Builder
	from, at := 0, 0 // up to where the text is copied or left out, and read
	pasted := false  // within a block of lines that a program wrote
	for line := range strings.Lines(text) {
		begin := at
		at += len(line)
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" {
			pasted = false
		}
		quoted := strings.HasPrefix(line, ">") || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
		if !quoted && !pasted {
			pasted = output().MatchString(line)
		}
		switch end := begin + len(line); {
		case quoted || pasted:
			own.WriteString(text[from:begin])
			from = at
		case end+1 < at: // more than the end of a line
			own.WriteString(text[from:end])
			own.WriteByte('\n')
			from = at
		}
	}
	if from == 0 {
		return strings.TrimSpace(text) // as most texts
	}
	own.WriteString(text[from:])
	return strings.TrimSpace(own.String())
}

// output matches lines that shells, loggers, compilers and runtimes write: a
// prompt, a time, a place in a file, a frame of a stack, a row of data.
var output = sync.OnceValue(func() *automata.Pattern {
	return automata.New(`^\s*(?:[$❯➜%»]\s|PS [A-Z]:\\|\S+@\S+[ :][^\n]*[$%#>]\s|\(\w+\) [$%]|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d[.,\s]|\[(?:INFO|WARN|ERROR|DEBUG|FATAL|TRACE)\w*\]|(?:INFO|WARN|WARNING|DEBUG|FATAL)\b[: ]` +
		`|at \S+ ?\(.*\)$|File ".*", line \d+|Traceback \(most|npm (?:ERR!|error|warn)|--- FAIL|=== RUN|\S+\.\w+:\d+(?::\d+)?[:\s]|\S+\.\w+\(\d+,\d+\)|[{}\[\]]+,?\s*$|"\w+":|\|.*\|\s*$|[✖✗✓✔×●]\s|\+\+\+ |--- |@@ |diff --git|\d+:\d+\s+(?:error|warning)\b)`)
})

// wordCount is the number of words. Two characters count as one where no spaces
// stand between words.
func wordCount(s string) int {
	n, dense := 0, 0
	blank := uint8(1)
	for i := 0; i < len(s); {
		was, size := blank, 1
		if c := s[i]; c < utf8.RuneSelf {
			blank = blanks[c]
		} else {
			var r rune
			if r, size = utf8.DecodeRuneInString(s[i:]); r >= 0x2e80 && (r < 0xa4d0 || r >= 0xf900) { // Chinese and Japanese
				dense++
			}
			if blank = 0; unicode.IsSpace(r) {
				blank = 1
			}
		}
		n += int(was &^ blank) // without a branch, which would be guessed wrong at every word
		i += size
	}
	return n + dense/2
}

// blanks are 1 for what stands between words.
var blanks = [utf8.RuneSelf]uint8{'\t': 1, '\n': 1, '\v': 1, '\f': 1, '\r': 1, ' ': 1}

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
