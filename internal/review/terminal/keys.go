package terminal

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/lessons-cli/lessons/internal/review"
)

// key is a key of the browsing mode, in the order in which the screen names them.
type key struct {
	press, does string
	verb        review.Verb // empty: it is for no item in particular
}

var keys = []key{
	{"a", "accept", review.Accept},
	{"e", "edit", review.Edit},
	{"m", "merge", review.Merge},
	{"r", "archive", review.Archive},
	{"d", "delete", review.Delete},
	{"n", "next", ""},
	{"p", "previous", ""},
	{"u", "undo", ""},
	{"?", "help", ""},
	{"q", "quit", ""},
}

// press is what a key does.
func (m *model) press(msg tea.KeyPressMsg) tea.Cmd {
	pressed := msg.String()
	switch {
	case pressed == "ctrl+c" && m.busy: // what is being written is written first
		m.leaving = true
		return nil
	case pressed == "ctrl+c":
		return tea.Quit
	case m.busy:
		return nil
	}
	switch m.mode {
	case giving:
		return m.typeReason(pressed, msg)
	case choosing:
		return m.choose(pressed)
	case comparing:
		return m.compare(pressed)
	case helping:
		m.mode = browsing
		m.draw()
		return nil
	}
	return m.browse(pressed, msg)
}

func (m *model) browse(pressed string, msg tea.KeyPressMsg) tea.Cmd {
	switch pressed {
	case "q", "esc":
		return tea.Quit
	case "?":
		m.mode = helping
		m.draw()
	case "u":
		m.busy, m.said = true, ""
		return func() tea.Msg {
			_, done, err := m.desk.Undo()
			return undone{done, err}
		}
	case "n", "right", "tab":
		return m.move(1)
	case "p", "left", "shift+tab":
		return m.move(-1)
	default:
		for _, k := range keys {
			if k.press == pressed && k.verb != "" {
				return m.start(k)
			}
		}
		var cmd tea.Cmd
		m.body, cmd = m.body.Update(msg)
		return cmd
	}
	return nil
}

func (m *model) move(n int) tea.Cmd {
	m.session.Move(n)
	m.said, m.failed = "", false
	return m.show()
}

// start begins what a person does with the item.
func (m *model) start(k key) tea.Cmd {
	i, ok := m.session.Item()
	if !ok {
		return nil
	}
	if !i.Can(k.verb) {
		m.said, m.failed = "There is nothing to "+k.does+" here.", false
		m.draw()
		return nil
	}
	switch k.verb {
	case review.Delete:
		m.mode, m.reason = giving, field{}
		m.draw()
		return nil
	case review.Merge:
		return func() tea.Msg {
			choices, err := m.desk.Others(i)
			return choicesRead{choices, err}
		}
	case review.Edit:
		return func() tea.Msg {
			text, line, err := m.desk.Text(i)
			return textRead{i, text, line, err}
		}
	}
	return m.decide(review.Decision{Item: i, Verb: k.verb})
}

func (m *model) typeReason(pressed string, msg tea.KeyPressMsg) tea.Cmd {
	switch pressed {
	case "esc":
		m.mode = browsing
		m.draw()
		return nil
	case "enter":
		reason := strings.TrimSpace(m.reason.text)
		if reason == "" {
			m.said = "Say in a few words why, or leave it with Esc."
			return nil
		}
		i, _ := m.session.Item()
		return m.decide(review.Decision{Item: i, Verb: review.Delete, Reason: reason})
	}
	m.reason.press(msg)
	return nil
}

func (m *model) choose(pressed string) tea.Cmd {
	n := strings.Index("123456789", pressed)
	switch {
	case len(pressed) == 1 && n >= 0 && n < len(m.choices):
		m.chosen, m.mode = m.choices[n], comparing
	case pressed == "esc" || pressed == "q":
		m.mode = browsing
	}
	m.draw()
	return nil
}

func (m *model) compare(pressed string) tea.Cmd {
	switch pressed {
	case "y", "enter":
		i, _ := m.session.Item()
		return m.decide(review.Decision{Item: i, Verb: review.Merge, Into: m.chosen.Name})
	case "esc", "n", "q":
		m.mode = choosing
	}
	m.draw()
	return nil
}
