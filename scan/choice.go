package scan

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/statement"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// chosenOptions reads the result of a tool that puts questions with options to
// the person: what they chose, and the reason if they gave one.
func chosenOptions(s *Step) []finding {
	if s.Tool != "AskUserQuestion" || s.Outcome != transcript.OK || clarifies(s.Text) {
		return nil
	}
	var found []finding
	p := decisionPatterns()
	for question, answer := range answers(s.Text) {
		if asks(answer) || p.procedure.MatchString(answer) || p.procedure.MatchString(question) {
			continue // about how to go on, not about the work
		}
		choice, reason := statement.Reasoned(answer)
		found = append(found, finding{
			kind: Decision, typ: knowledge.Decision, origin: observe.OriginDecision,
			line: s.Line, at: s.Time, tool: s.Tool, title: strings.TrimRight(question, "?？") + ": " + choice, fix: choice,
			context: question, rationale: reason, quotes: []string{question + " " + answer},
			unfit: lacksReason(reason),
		})
	}
	return found
}

// maxAnswers and longestAnswer bound the answers of a result, and their length in
// characters.
const (
	maxAnswers    = 8
	longestAnswer = 300
)

// answers yields the questions and answers of a result, written "question"="answer".
func answers(text string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for n := 0; n < maxAnswers; n++ {
			question, answer, rest, ok := nextAnswer(text)
			if !ok || !yield(question, answer) {
				return
			}
			text = rest
		}
	}
}

func nextAnswer(text string) (question, answer, rest string, ok bool) {
	const blanks = " \t\n\f\r"
	for {
		at := strings.IndexByte(text, '"')
		if at < 0 {
			return "", "", "", false
		}
		text = text[at:]
		question, rest, ok = quotedText(text, 3)
		if rest = strings.TrimLeft(rest, blanks); ok && strings.HasPrefix(rest, "=") {
			if answer, rest, ok = quotedText(strings.TrimLeft(rest[1:], blanks), 1); ok {
				return question, answer, rest, true
			}
		}
		text = text[1:]
	}
}

// quotedText returns the words between two quotation marks on one line, if they are
// neither too short nor too long.
func quotedText(text string, least int) (words, rest string, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		return "", "", false
	}
	words, rest, ok = strings.Cut(text[1:], `"`)
	n := utf8.RuneCountInString(words)
	return words, rest, ok && n >= least && n <= longestAnswer && strings.IndexByte(words, '\n') < 0
}

// questionOf returns the question with which a text of the agent ends, or "".
// Options may stand behind it.
func questionOf(text string) string {
	last := ""
	for line := range strings.Lines(lastWordsOf(text, 1500)) {
		if strings.IndexByte(line, '?') < 0 {
			continue
		}
		for s := range statement.Sentences(strings.TrimSpace(line)) {
			if s = strings.Trim(s, "*_` "); strings.HasSuffix(s, "?") {
				last = s
			}
		}
	}
	return last
}

// optionsOf returns the options that a text of the agent lists, by position; the
// first is 1, and the last is 0 too.
func optionsOf(text string) map[int]string {
	options := map[int]string{}
	n := 0
	for line := range strings.Lines(lastWordsOf(text, 2500)) {
		m := decisionPatterns().option.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		at := ordinal(strings.ToLower(m[1]))
		if at == 1 {
			clear(options) // the newest list counts
		}
		options[at] = strings.TrimRight(strings.ReplaceAll(m[2], "**", ""), ". ")
		n = max(n, at)
	}
	if n > 0 {
		options[0] = options[n]
	}
	return options
}

// ordinal reads the name of an option: a digit, a letter, a word; the last is 0.
func ordinal(name string) int {
	name = strings.ToLower(name)
	if len(name) == 1 {
		if name[0] >= 'a' {
			return int(name[0]-'a') + 1
		}
		return int(name[0] - '0')
	}
	for _, names := range [][]string{{"last", "first", "second", "third", "fourth", "fifth"}, {"", "one", "two", "three", "four", "five"}} {
		if i := slices.Index(names, name); i >= 0 {
			return i
		}
	}
	return -1
}
