package terminal

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/lessons-cli/lessons/internal/plain"
)

// field is one line of text that a person types at its end.
type field struct{ text string }

// press is what a key does: it adds its characters, or takes some away.
func (f *field) press(key tea.KeyPressMsg) {
	switch key.String() {
	case "backspace", "ctrl+h":
		_, size := utf8.DecodeLastRuneInString(f.text)
		f.text = f.text[:len(f.text)-size]
	case "ctrl+u":
		f.text = ""
	default:
		f.add(key.Text)
	}
}

// add puts a text behind the others; it stays one line.
func (f *field) add(text string) {
	f.text += strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

func (f *field) view(prompt string) string {
	return prompt + plain.Visible(f.text) + lipgloss.NewStyle().Reverse(true).Render(" ")
}
