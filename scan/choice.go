package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
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
	for _, row := range answerRow.FindAllStringSubmatch(s.Text, maxAnswers) {
		question, answer, notes := row[1], row[2], row[3]
		if asks(answer) || p.procedure.MatchString(answer) || p.procedure.MatchString(question) {
			continue // about how to go on, not about the work
		}
		choice := statement.Choice(answer, "")
		if choice.Rule == "" {
			choice.Rule = answer
		}
		if choice.Because == "" && notes != answer {
			choice.Because = notes
		}
		f := findingOf(choice, s)
		f.tool, f.context, f.quotes = s.Tool, question, []string{strings.TrimSpace(question + " " + answer + " " + notes)}
		f.title = answered(f.fix, question)
		found = append(found, f)
	}
	return found
}

// maxAnswers bounds the answers of a result.
const maxAnswers = 8

// answerRow is a question, its answer, and what the person noted beside it.
var answerRow = automata.New(`"([^"\n]{3,300})"\s*=\s*"([^"\n]{1,300})"(?: user notes: ((?s:.{1,600}?))(?:\. You can now continue|, "|$))?`)

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
	text = lastWordsOf(text, 2500)
	for _, line := range append(strings.Split(text, "\n"), withinLine(text)...) {
		m := decisionPatterns().option.FindStringSubmatch(strings.TrimRight(line, "\r"))
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

// withinLine are the options that stand behind one another in the last line that has some,
// "(1) a service, (2) a cron job", each as a line of its own.
func withinLine(text string) []string {
	var found []string
	for line := range strings.Lines(text) {
		marks := optionMark.FindAllStringSubmatchIndex(line, -1)
		if len(marks) < 2 {
			continue
		}
		found = found[:0]
		for i, at := range marks {
			end := len(line)
			if i+1 < len(marks) {
				end = marks[i+1][0]
			}
			option, _, _ := strings.Cut(line[at[0]:end], ". ")
			found = append(found, strings.Trim(strings.Replace(option, "(", "", 1), " ,;.?\r\n"))
		}
	}
	return found
}

var optionMark = automata.New(`(?i)\b(?:option|variant) [A-E1-5][:)]|\([A-E1-5]\) |\b[A-E1-5]\) `)

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
