// Package terminal shows a review at a terminal: the queue's items one at a time, by the
// keyboard alone, with or without colour.
package terminal

import (
	"context"
	"io"

	tea "charm.land/bubbletea/v2"

	"github.com/lessons-cli/lessons/internal/review"
)

// Screen is the terminal that a person sits at.
type Screen struct {
	In  io.Reader
	Out io.Writer
	// Edit has the person edit a copy of a text, and returns what became of it.
	Edit func(name string, text []byte, line int) ([]byte, error)
	// Keep keeps a text that was refused, and returns where.
	Keep func(name string, text []byte) string
}

// Run shows a session until the person leaves it. What was decided by then is in the session.
func (s Screen) Run(ctx context.Context, desk review.Desk, session *review.Session) error {
	m := newModel(desk, session)
	m.edit, m.keep = s.Edit, s.Keep
	_, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(s.In), tea.WithOutput(s.Out), tea.WithoutSignalHandler()).Run()
	return err
}
