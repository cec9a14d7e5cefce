package main

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// Exit statuses (cli.md). They are an interface.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitFound       = 3 // check and doctor found something
	exitInterrupted = 130
)

// errNoRendered: no version of the item is the one that was rendered.
var errNoRendered = errors.New("the rendered text is neither here nor in history")

// hinted is an error with a next step for the person who reads it.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }

// withHint adds a next step to an error, where there is one.
func withHint(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return hinted{err, fmt.Sprintf(format, args...)}
}

// usageError is a mistake in the command line.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// worded says in this program's words what the parser of the command line found wrong.
func worded(err error) error {
	text := err.Error()
	for _, w := range [][2]string{
		{`^unexpected argument (\S+), did you mean (.*)$`, `no command "$1"; did you mean $2`},
		{`^unknown flag (-\d+).*$`, `$1 looks like a flag; write -- before it`},
		{`"",|,""`, ``},
		{`^(?:\[?(<\S+?>)\]?|(--\S+)) must be one of (.*) but got (".*")$`, `$1$2: $4 is not one of $3`},
		{`^(--\S+): expected .* value but got "EOL" .*$`, `$1 needs a value`},
		{`^(--\S+): expected a valid .*int but got (".*")$`, `$1: $2 is not a whole number`},
	} {
		text = regexp.MustCompile(w[0]).ReplaceAllString(text, w[1])
	}
	return errors.New(text)
}

// found is not a failure: the command did its work and reported findings.
type found struct{ n int }

// foundAny is a [found] where something was.
func foundAny(n int) error {
	if n == 0 {
		return nil
	}
	return found{n}
}

func (f found) Error() string { return fmt.Sprintf("%d found", f.n) }

// status maps an error to the exit status, and report prints it; both are
// decided here only.
func status(err error) int {
	_, isFound := errors.AsType[found](err)
	_, isUsage := errors.AsType[usageError](err)
	switch {
	case err == nil:
		return exitDone
	case isFound:
		return exitFound
	case isUsage:
		return exitUsage
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	}
	return exitFailed
}

var errInterrupted = errors.New("interrupted")

func report(p *plain.Printer, err error, asJSON bool) {
	if _, isFound := errors.AsType[found](err); err == nil || isFound {
		return
	}
	h, isHinted := errors.AsType[hinted](err)
	if !isHinted && errors.Is(err, store.ErrLocked) {
		h.hint = "nothing was written; run the command again"
	}
	if asJSON {
		_ = p.JSON(struct {
			Type    string `json:"message_type"`
			Code    int    `json:"code"`
			Message string `json:"message"`
			Hint    string `json:"hint,omitempty"`
		}{"error", status(err), err.Error(), h.hint}, "")
		return
	}
	p.Printf("lessons: %v\n", err)
	if h.hint != "" {
		p.Printf("  %s\n", h.hint)
	}
}
