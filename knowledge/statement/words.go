package statement

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/statement/weigh"
)

// wrapping are parts of everything that notWords matches.
var wrapping = []string{"```", "</", "~~~", `"""`}

var notWords = sync.OnceValue(func() *automata.Pattern {
	const tags = `command-[a-z]+|local-command-[a-z]+|bash-[a-z]+|ide_[a-z_]+|environment_context|user_instructions|examples?`
	return automata.New("(?s)<system-reminder>.*?</system-reminder>|<(?:" + tags + ")>.*?</(?:" + tags + ")>|```.*?(?:```|$)|~~~.*?(?:~~~|$)|\"{3}.*?(?:\"{3}|$)")
})

// OwnWords is what a person wrote themselves: without code, quotations, examples,
// pasted output and what tools put around it. It is empty when nothing is left.
func OwnWords(text string) string {
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
			pasted = output.MatchString(line)
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
var output = automata.New(`^\s*(?:[$❯➜%»]\s|PS [A-Z]:\\|\S+@\S+[ :][^\n]*[$%#>]\s|\(\w+\) [$%]|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d[.,\s]|\[(?:INFO|WARN|ERROR|DEBUG|FATAL|TRACE)\w*\]|(?:INFO|WARN|WARNING|DEBUG|FATAL)\b[: ]` +
	`|at \S+ ?\(.*\)$|File ".*", line \d+|Traceback \(most|npm (?:ERR!|error|warn)|--- FAIL|=== RUN|\S+\.\w+:\d+(?::\d+)?[:\s]|\S+\.\w+\(\d+,\d+\)|[{}\[\]]+,?\s*$|"\w+":|\|.*\|\s*$|[✖✗✓✔×●]\s|\+\+\+ |--- |@@ |diff --git|\d+:\d+\s+(?:error|warning)\b)`)

// Sentences yields what stands in a line up to full stops, exclamation and question
// marks, each with its mark.
func Sentences(line string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line != "" {
			end := sentenceEnd(line)
			if s := strings.TrimSpace(line[:end]); s != "" && !yield(s) {
				return
			}
			line = line[end:]
		}
	}
}

// sentenceEnd is where the first sentence of a line ends: behind a mark and before a
// blank, or behind one of the marks that no blank follows; not within code.
func sentenceEnd(line string) int {
	code := 0 // where it ends
	for i, r := range line {
		switch r {
		case '`':
			if i >= code {
				code = i + 2 + strings.IndexByte(line[i+1:], '`')
			}
		case '?', '!', '.':
			if i+1 == len(line) || line[i+1] == ' ' && i >= code && !abbreviates(line[:i+1]) {
				return i + 1
			}
		case ')':
			if i > 0 && (line[i-1] == ':' || line[i-1] == ';') && i+1 < len(line) && line[i+1] == ' ' {
				return i + 1 // a smile
			}
		case '。', '！', '？':
			return i + utf8.RuneLen(r)
		}
	}
	return len(line)
}

// abbreviates says whether a text ends in an abbreviation that goes before something else.
func abbreviates(text string) bool {
	return strings.HasSuffix(text, "e.g.") || strings.HasSuffix(text, "i.e.") || strings.HasSuffix(text, " vs.") || strings.HasSuffix(text, "z.B.")
}

// CountWords is the number of words. Two characters count as one where no spaces
// stand between words.
func CountWords(s string) int {
	n, dense := 0, 0
	blank := uint8(1)
	for i := 0; i < len(s); {
		was, size := blank, 1
		if c := s[i]; c < utf8.RuneSelf {
			blank = blanks[c]
		} else {
			var r rune
			if r, size = utf8.DecodeRuneInString(s[i:]); weigh.IsDense(r) {
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

// wordsOf yields the words of a text in lower case, without punctuation around them.
// Chinese characters, each of the Japanese scripts and others are words apart.
func wordsOf(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for run := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune(",;:!?()[]{}\"“”‘’«»*…。、，！？：；「」『』（）|/", r)
		}) {
			for run != "" {
				n := sameScript(run)
				if w := strings.Trim(run[:n], ".'`_-"); w != "" && !yield(w) {
					return
				}
				run = run[n:]
			}
		}
	}
}

// sameScript is how many bytes at the beginning of a text are of one script.
func sameScript(s string) int {
	first, _ := utf8.DecodeRuneInString(s)
	if i := strings.IndexFunc(s, func(r rune) bool { return scriptOf(r) != scriptOf(first) }); i > 0 {
		return i
	}
	return len(s)
}

// scriptOf tells the scripts of Chinese and Japanese apart; nil: another one.
func scriptOf(r rune) *unicode.RangeTable {
	if !weigh.IsDense(r) {
		return nil
	}
	for _, script := range []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana} {
		if unicode.Is(script, r) || script == unicode.Katakana && r == 'ー' {
			return script
		}
	}
	return nil
}

const (
	maxMessage   = 16 << 10 // bytes of a message that are read
	maxSentences = 24       // of a message; of a longer one half of them from each end
	maxSentence  = 600      // bytes
)

// passage is a quotation of several sentences.
var passage = automata.New(`"[^"]{8,}[.!?] [^"]{8,}"|“[^”]{8,}[.!?] [^”]{8,}”`)

// split returns the sentences of a person's message, and its language. What holds for
// later stands at the beginning or the end of a long one.
func split(message string) (*language, []string) {
	words := unwrapped(OwnWords(message))
	if len(words) > maxMessage {
		words = words[:maxMessage/2] + "\n" + words[len(words)-maxMessage/2:]
	}
	words = strings.ToValidUTF8(words, "")
	l := languageOf(words)
	if strings.HasPrefix(words, "<") || strings.HasPrefix(words, "[[") {
		return l, nil // a program wrote it
	}
	var all []string
	rules := func() bool { return true } // what a list holds is rules
	headed := false                      // lines without marks may be its items
	for line := range strings.Lines(words) {
		line = passage.ReplaceAllString(strings.TrimSpace(line), "…")
		if len(all) > 0 && others.MatchString(line) {
			break // the rest is pasted
		}
		headed = headed && !ended.MatchString(line)
		switch item := listed.MatchString(line) || headed && line != ""; {
		case item && !rules():
			continue // of a report, or of a brief
		case !item && line != "":
			rules, headed = sync.OnceValue(func() bool { return l.announces(line) }), strings.HasSuffix(line, ":")
		}
		for s := range Sentences(strings.TrimLeft(line, "*-•# ")) {
			if len(s) <= maxSentence {
				all = append(all, l.typed(strings.Join(strings.Fields(s), " ")))
			}
		}
	}
	if len(all) > maxSentences {
		all = append(all[:maxSentences/2:maxSentences/2], all[len(all)-maxSentences/2:]...)
	}
	return l, all
}

// others matches lines with which the words of others begin: the head of a mail or of a commit, the
// title of a report.
var others = automata.New(`(?i)^(?:#{1,6} |-{4,}|={4,}|commit [0-9a-f]{7,64}(?: \(.*\))?$|author: .*<\S+@|(?:from|to|cc|subject|von|an|betreff|de|para|asunto|差出人|件名|发件人|收件人|主题)\s*[:：] ?\S)`)

// ended matches a line that ends like a sentence, or heads others.
var ended = automata.New(`[.!?…。！？:：][\s"')”’]*$`)

// announces says whether what is listed behind a line holds for later.
func (l *language) announces(line string) bool {
	return l.standingAt(line) != nil || l.notes.MatchString(line) || l.writes.MatchString(line)
}

// unwrapped takes off the quotation marks that some clients put around a prompt which was
// given on their command line.
func unwrapped(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	inner := s[1 : len(s)-1]
	if strings.Contains(strings.ReplaceAll(inner, `\"`, ""), `"`) {
		return s
	}
	return strings.ReplaceAll(inner, `\"`, `"`)
}

// listed matches headings and items of lists.
var listed = automata.New(`^(?:#+ |[-*•+] |\d{1,2}[.)] |\|)`)
