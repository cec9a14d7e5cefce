package transcript

import (
	"fmt"
	"strconv"
	"strings"
)

// asks is the tool with which an agent asks the person questions.
const asks = "AskUserQuestion"

// answered puts a person's answers to an agent's questions into the form in
// which Claude Code gives them. Other agents name each answer by its question's
// id or number. What is no list of answers stays as it is.
func answered(input value, text string) string {
	answers := value(text).get("answers")
	if answers.first() != '{' {
		return text
	}
	var pairs []string
	for i, q := range input.get("questions").list() {
		v := q.pick("id", "question")
		answer := answers.get(v[0].text())
		if !answer.present() {
			answer = answers.get(strconv.Itoa(i))
		}
		if given := choice(answer); given != "" && v[1].text() != "" {
			pairs = append(pairs, fmt.Sprintf("%q=%q", v[1].text(), given))
		}
	}
	if len(pairs) == 0 {
		return text
	}
	return answeredAll(pairs...)
}

// answeredAll is what Claude Code says of a person's answers, each of which is
// written "question"="answer".
func answeredAll(pairs ...string) string {
	return "User has answered your questions: " + strings.Join(pairs, ", ") + ". You can now continue with the user's answers in mind."
}

// choice is one answer: a text, or a list of them.
func choice(v value) string {
	if v.first() == '{' {
		v = v.get("answers")
	}
	if v.first() == '"' {
		return v.text()
	}
	var all []string
	v.each(func(e value) {
		if s := strings.TrimPrefix(e.text(), "user_note: "); s != "" {
			all = append(all, s)
		}
	})
	return strings.Join(all, ", ")
}
