package plain

import "strings"

// Code is a text of others as code within a line of Markdown: nothing in it is markup, a
// mention, a link or a reference there.
func Code(text string) Block {
	text = strings.TrimSpace(Line(text))
	if text == "" {
		return "(empty)"
	}
	pad := ""
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		pad = " "
	}
	marks := fence(text, 1)
	return Block(marks + pad + text + pad + marks)
}

// Fenced is a text of others as a block of code of Markdown.
func Fenced(text string) Block {
	text = strings.Trim(Visible(text), "\n")
	marks := fence(text, 3)
	return Block(marks + "text\n" + text + "\n" + marks + "\n")
}

// fence is a run of backticks, as short as may be, that a text does not hold.
func fence(text string, least int) string {
	longest, run := least-1, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}
