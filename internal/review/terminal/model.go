package terminal

import (
	"fmt"
	"path"
	"strings"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"github.com/lessons-cli/lessons/internal/review"
)

// mode is what the keys mean now.
type mode int

const (
	browsing mode = iota
	helping
	giving    // a reason
	choosing  // an item to merge with
	comparing // with the one that was chosen
)

// model is the state of the screen.
type model struct {
	desk    review.Desk
	session *review.Session
	edit    func(name string, text []byte, line int) ([]byte, error)
	keep    func(name string, text []byte) string

	width, height int
	body          viewport.Model
	reason        field
	mode          mode
	detail        *review.Detail // nil: it is being read
	choices       []review.Choice
	chosen        review.Choice
	busy          bool   // a decision is being carried out
	leaving       bool   // as soon as it is
	said          string // what came of the last key
	failed        bool
}

func newModel(desk review.Desk, session *review.Session) *model {
	return &model{desk: desk, session: session, width: 80, height: 24, body: viewport.New()}
}

// What the desk answers.
type (
	detailRead struct {
		place  string
		detail review.Detail
		err    error
	}
	carriedOut struct {
		decision review.Decision
		done     review.Done
		err      error
	}
	undone struct {
		done review.Done
		err  error
	}
	choicesRead struct {
		choices []review.Choice
		err     error
	}
	textRead struct {
		item review.Item
		text []byte
		line int
		err  error
	}
	edited struct {
		item          review.Item
		before, after []byte
		err           error
	}
)

func (m *model) Init() tea.Cmd { return m.show() }

// show has the current item read.
func (m *model) show() tea.Cmd {
	m.mode, m.detail = browsing, nil
	m.draw()
	i, ok := m.session.Item()
	if !ok {
		return nil
	}
	return func() tea.Msg {
		detail, err := m.desk.Detail(i)
		return detailRead{i.Place, detail, err}
	}
}

// Update is what keys and answers do.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.draw()
	case tea.KeyPressMsg:
		return m, m.press(msg)
	case tea.PasteMsg:
		if m.mode == giving {
			m.reason.add(msg.Content)
		}
	case detailRead:
		if i, ok := m.session.Item(); ok && i.Place == msg.place {
			m.detail = &msg.detail
			m.fail(msg.err)
			m.draw()
		}
	case carriedOut:
		return m, m.carriedOut(msg)
	case undone:
		m.busy = false
		if !m.fail(msg.err) {
			m.session.Undone()
			m.tell(msg.done)
		}
		return m, m.next()
	case choicesRead:
		m.choices, m.mode = msg.choices, choosing
		if m.fail(msg.err) {
			m.mode = browsing
		} else if len(msg.choices) == 0 {
			m.mode, m.said = browsing, "There is nothing of its kind to merge it with."
		}
		m.draw()
	case textRead:
		if !m.fail(msg.err) {
			return m, m.editor(msg)
		}
	case edited:
		return m, m.edited(msg)
	}
	return m, nil
}

// next goes on after something was carried out.
func (m *model) next() tea.Cmd {
	if m.leaving {
		return tea.Quit
	}
	return m.show()
}

// fail shows an error, if there is one.
func (m *model) fail(err error) bool {
	if m.failed = err != nil; m.failed {
		m.said = err.Error()
	}
	return m.failed
}

func (m *model) tell(done review.Done) { m.said = strings.Join(done.Said, "; ") }

// carriedOut takes note of a decision. What a person typed and was refused is kept.
func (m *model) carriedOut(msg carriedOut) tea.Cmd {
	m.busy = false
	if m.fail(msg.err) {
		if msg.decision.Verb == review.Edit {
			m.said += ". What you typed is kept in " + m.keep(path.Base(msg.decision.Item.Path), msg.decision.After)
		}
		if m.leaving {
			return tea.Quit
		}
		m.draw()
		return nil
	}
	m.session.Decided(msg.decision)
	m.tell(msg.done)
	return m.next()
}

// decide has a decision about the current item carried out.
func (m *model) decide(d review.Decision) tea.Cmd {
	m.busy, m.mode, m.said, m.failed = true, browsing, "", false
	m.draw()
	return func() tea.Msg {
		done, err := m.desk.Decide(d)
		return carriedOut{d, done, err}
	}
}

// editor opens the person's editor on an item's file.
func (m *model) editor(msg textRead) tea.Cmd {
	session := &editing{edit: m.edit, name: path.Base(msg.item.Path), text: msg.text, line: msg.line}
	return tea.Exec(session, func(err error) tea.Msg { return edited{msg.item, msg.text, session.after, err} })
}

func (m *model) edited(msg edited) tea.Cmd {
	switch {
	case string(msg.after) == string(msg.before) || len(msg.after) == 0:
		m.said = fmt.Sprintf("%s is as it was.", msg.item.Name)
		m.fail(msg.err)
	case m.fail(msg.err):
		m.said += ". What you typed is kept in " + m.keep(path.Base(msg.item.Path), msg.after)
	default:
		return m.decide(review.Decision{Item: msg.item, Verb: review.Edit, Before: msg.before, After: msg.after})
	}
	m.draw()
	return nil
}
