package inject

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
)

// maxText bounds the bytes of a text that keywords and patterns look at.
const maxText = 16 << 10

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// firstWord returns the first run of letters, digits and underscores.
func firstWord(s string) string {
	for w := range wordsOf(s) {
		return w
	}
	return ""
}

// wordsOf yields the words of a text.
func wordsOf(s string) iter.Seq[string] { return runs(s, isWord) }

// asciiWordsOf yields the words of a text as "\b" of a pattern sees them.
func asciiWordsOf(s string) iter.Seq[string] {
	return runs(s, func(r rune) bool { return r < utf8.RuneSelf && isWord(r) })
}

func runs(s string, isWord func(rune) bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := -1
		for i, r := range s {
			switch in := isWord(r); {
			case in && start < 0:
				start = i
			case !in && start >= 0:
				if !yield(s[start:i]) {
					return
				}
				start = -1
			}
		}
		if start >= 0 {
			yield(s[start:])
		}
	}
}

// containsWord says whether a keyword occurs in a text as a whole word; both
// are in lower case.
func containsWord(text, keyword string) bool {
	if keyword == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(keyword)
	last, _ := utf8.DecodeLastRuneInString(keyword)
	for at := 0; ; {
		i := strings.Index(text[at:], keyword)
		if i < 0 {
			return false
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(keyword):])
		if (i == 0 || !isWord(first) || !isWord(before)) && (i+len(keyword) == len(text) || !isWord(last) || !isWord(after)) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		at = i + size
	}
}

// matched returns those keywords that a text contains as whole words.
func matched(keywords []string, text string) []string {
	return lists.Filter(keywords, func(k string) bool { return containsWord(text, k) })
}

// fold makes a text comparable to keywords.
func fold(s string) string { return strings.ToLower(strings.ToValidUTF8(s, "\uFFFD")) }

// tail returns at most n bytes of the end of a text, from a character on.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	for s != "" && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s
}

// headOf returns at most n bytes of the start of a text, whole characters.
func headOf(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Run is one simple command of a command line, as a trace holds it.
type Run struct {
	Name   string   `json:"name"`             // program and sub-command: "go test"
	Words  []string `json:"words,omitempty"`  // keyed hashes of flags and operands
	Masked bool     `json:"masked,omitempty"` // the line's result does not tell this command's
}

// Program is the command's program.
func (r Run) Program() string {
	program, _, _ := strings.Cut(r.Name, " ")
	return program
}

// Same says whether two runs are of one command with the same words.
func (r Run) Same(o Run) bool { return r.Name == o.Name && slices.Equal(r.Words, o.Words) }

const (
	maxRuns     = 8
	maxRunWords = 24
)

// idle are flags with which a test or build command does not do its work.
var idle = []string{"--help", "--version", "--dry-run", "--collect-only", "--co", "--listTests", "--list-tests", "--no-run", "-list", "--setup-plan"}

// Runs takes a command line apart for a trace. Commands that only say something
// about themselves, as with --help, are left out.
//
// A command counts as passed when the line's success proves it: in "a && b" both,
// in "a; b" and "a | b" the last, in "a || b" and "! a" neither.
func (s *Session) Runs(line string) []Run {
	var runs []Run
	for _, c := range counted(shell.Parse(line)) {
		if !isIdle(c) && len(runs) < maxRuns {
			runs = append(runs, Run{Name: plainName(c), Words: s.words(c), Masked: c.Masked})
		}
	}
	return runs
}

// counted are the commands of a line that can be asked for: not what only declares
// variables, and not what runs for a word of another one.
func counted(line *shell.Line) []*shell.Command {
	return slices.DeleteFunc(slices.Clone(line.Commands), func(c *shell.Command) bool { return c.In(shell.Substituted) || c.Declares() })
}

func isIdle(c *shell.Command) bool {
	return slices.ContainsFunc(c.Flags, func(f shell.Flag) bool { return slices.Contains(idle, f.Name) })
}

// plainName is a command's name where it looks like one; a word that could be
// anything is not stored.
func plainName(c *shell.Command) string {
	for _, r := range c.Program {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-", r) {
			return "?"
		}
	}
	if len(c.Program) > 40 {
		return "?"
	}
	return telling(c.Name())
}

// words are the keyed hashes of a command's flags and operands, each flag also
// without its value.
func (s *Session) words(c *shell.Command) []string {
	var out []string
	add := func(kind, text string) {
		if h := s.word(kind, text); len(out) < maxRunWords && !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	for _, f := range c.Flags {
		add("flag", f.Name)
		add("flag", f.String())
	}
	for _, o := range c.Operands {
		add("operand", o)
	}
	return out
}

func (s *Session) word(kind, text string) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte(kind + "\x00" + text))
	return hex.EncodeToString(mac.Sum(nil)[:6])
}

// ran says whether a run is what a gate's command asks for: the same program and
// sub-command, with at least its flags and operands.
func (s *Session) ran(r Run, want *shell.Command) bool {
	if r.Name != want.Name() && !strings.HasPrefix(r.Name, want.Name()+" ") {
		return false
	}
	for _, f := range want.Flags {
		if !slices.Contains(r.Words, s.word("flag", f.String())) {
			return false
		}
	}
	return !slices.ContainsFunc(want.Operands, func(o string) bool { return !slices.Contains(r.Words, s.word("operand", o)) })
}
