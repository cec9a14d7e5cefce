package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/store"
)

func clientNamed(name string) (*agent.Client, error) {
	if c, ok := agent.Named(name); ok {
		return c, nil
	}
	return nil, usageError{withHint(fmt.Errorf("no agent %q", name), "known: %s; mcp with init", strings.Join(namesOf(agent.All), ", "))}
}

// project is the repository of the working directory.
func (inv *invocation) project(ctx context.Context) (*project.Project, error) {
	p, err := openProject(ctx, inv.sys)
	if err == nil {
		inv.closing = append(inv.closing, p.Close)
	}
	return p, err
}

var errNoHome = errors.New("no home folder is known, in which lessons keeps what is yours")

func openProject(ctx context.Context, sys *system) (*project.Project, error) {
	if sys.home() == "" {
		return nil, withHint(errNoHome, "set HOME")
	}
	p, err := project.Open(ctx, sys.dir, sys.machine())
	switch {
	case errors.Is(err, project.ErrNoProject):
		return nil, withHint(err, "run git init first, or -C DIR to name a repository")
	case errors.Is(err, gitstate.ErrUnsupported):
		return nil, withHint(err, "install git: it reads this repository's format")
	}
	if err == nil {
		p.SpareMemory()
	}
	return p, err
}

// smallLog is how large a log is beside which collecting garbage is not worth its time, in
// bytes.
const smallLog = 4 << 20

// snapshot reads the repository's knowledge. What could not be read is told on
// standard error, and everything else goes on.
func (inv *invocation) snapshot(p *project.Project) (*store.Snapshot, error) {
	if p.Store.LogSize() <= smallLog {
		debug.SetGCPercent(2 * gcPercent) // all that is read fits into memory
	}
	s, err := p.Store.Load()
	if err == nil {
		inv.warn(s.Problems)
	}
	return s, err
}

// close ends what the repository still runs.
func (inv *invocation) close() {
	for _, end := range slices.Backward(inv.closing) {
		end()
	}
}

func (inv *invocation) warn(problems []knowledge.Problem) {
	for _, p := range problems {
		inv.sys.stderr.Printf("lessons: %s\n", p.Said())
	}
}

// warnBesides warns of the problems that an error does not tell anyway, and returns it.
func (inv *invocation) warnBesides(err error, problems []knowledge.Problem) error {
	inv.warn(lists.Filter(problems, func(p knowledge.Problem) bool {
		return err == nil || !strings.Contains(err.Error(), p.Path) || !strings.Contains(err.Error(), p.Text)
	}))
	return err
}

func (inv *invocation) printJSON(v any) error {
	return inv.sys.stdout.JSON(v, "")
}

// printLines prints each of several values as a line of JSON.
func printLines[V any](inv *invocation, values []V) error {
	return printEach(inv, slices.Values(values))
}

// printEach is printLines of values that are too many to hold.
func printEach[V any](inv *invocation, values iter.Seq[V]) error {
	return inv.sys.stdout.AtOnce(func() error {
		for v := range values {
			if err := inv.printJSON(v); err != nil {
				return err
			}
		}
		return nil
	})
}

// printListed prints a list: a line of JSON each, or a table, or a sentence where there is none.
func printListed[V any](inv *invocation, asJSON bool, values []V, none string, columns []plain.Column, row func(V) plain.Row) error {
	switch {
	case asJSON:
		return printLines(inv, values)
	case len(values) == 0:
		inv.printf("%s\n", none)
	default:
		inv.sys.stdout.Table(plain.Table{Columns: columns, Rows: lists.Map(values, row)})
	}
	return nil
}

func (inv *invocation) printf(format string, args ...any) {
	inv.sys.stdout.Printf(format, args...)
}

// lines prints texts, a line each.
func (inv *invocation) lines(all []string) {
	for _, line := range all {
		inv.printf("%s\n", line)
	}
}

// block prints text of several lines.
func (inv *invocation) block(text string) { inv.sys.stdout.Block(plain.Block(text)) }

// consent is embedded by every command that writes much at once: it asks at a terminal
// and needs --yes without one.
type consent struct {
	Yes bool `short:"y" help:"Do it without asking."`
}

var errNobody = errors.New("this asks first, and there is no terminal to ask at")

// agree does not go on without a person's yes.
func (c consent) agree(ctx context.Context, inv *invocation, question string) error {
	switch {
	case c.Yes:
		return nil
	case !inv.sys.interactive:
		return usageError{withHint(errNobody, "--yes does it without asking")}
	}
	if word := strings.ToLower(inv.choose(ctx, question+" [y/N]")); word != "y" && word != "yes" {
		return errInterrupted
	}
	return nil
}

// choose asks a person at a terminal for a word; it is empty when the person breaks off.
func (inv *invocation) choose(ctx context.Context, question string) string {
	inv.sys.stderr.Printf("%s ", question)
	if inv.answers == nil {
		inv.answers = bufio.NewReader(inv.sys.stdin)
	}
	answer := make(chan string, 1)
	go func() {
		line, _ := inv.answers.ReadString('\n')
		answer <- strings.TrimSpace(line)
	}()
	select {
	case word := <-answer:
		return word
	case <-ctx.Done():
		return ""
	}
}
