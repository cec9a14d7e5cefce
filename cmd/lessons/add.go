package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
)

type addCommand struct {
	jsonOutput
	project.Draft
	KeepBoth  bool   `xor:"beside" help:"Keep it beside similar items, without asking."`
	Supersede string `xor:"beside" placeholder:"ID" help:"Replace an item; the old item then names the new one."`
	DryRun    bool   `help:"Show the diff and write nothing."`
}

// Run writes the lesson down and renders it at once. What was piped in or typed in an
// editor is kept in a file when it is refused.
func (c *addCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	text, err := c.text(inv)
	if err != nil && text == "" {
		return err
	}
	var done project.Done
	if err == nil {
		done, err = c.add(ctx, inv, p, text)
	}
	if err = inv.printDone(done, err, c.DryRun, c.JSON); err == nil || text == "" || c.DryRun {
		return err
	}
	return keptWith(err, p, "lesson.txt", text, "; when it is corrected: lessons add < that file")
}

// keptWith adds to an error where the text is kept that it refused, and what is next.
func keptWith(err error, p *project.Project, name, text, next string) error {
	file, failed := p.KeepTyped(name, []byte(text))
	if failed != nil {
		return errors.Join(err, failed)
	}
	return withHint(err, "what you typed is kept in %s%s", file, next)
}

func (c *addCommand) add(ctx context.Context, inv *invocation, p *project.Project, text string) (project.Done, error) {
	typed, err := c.take(ctx, p, text)
	if err != nil {
		return project.Done{}, err
	}
	if c.Supersede != "" && len(typed.Additions) > 1 {
		return project.Done{}, usageError{errors.New("--supersede takes one lesson, and the text holds several")}
	}
	for _, a := range typed.Additions {
		if a.Beside, err = c.beside(ctx, inv, a); err != nil {
			return project.Done{}, err
		}
	}
	return p.Add(ctx, typed, c.DryRun)
}

func (c *addCommand) take(ctx context.Context, p *project.Project, text string) (*project.Typed, error) {
	if text != "" {
		typed, err := p.TypeBlock(ctx, text)
		return typed, withHint(err, "see: lessons help add")
	}
	if err := c.Check(); err != nil {
		return nil, usageError{withHint(err, "see: lessons help add")}
	}
	return p.Type(ctx, c.Draft)
}

// beside asks what is to become of an addition to which something similar stands. Where
// nobody can be asked both are kept.
func (c *addCommand) beside(ctx context.Context, inv *invocation, a *project.Addition) (project.Beside, error) {
	if c.Supersede != "" {
		return project.Beside{Over: c.Supersede}, nil
	}
	for _, similar := range a.Similar {
		if similar.Same || c.JSON {
			continue
		}
		inv.printf("similar to %s:\n%s", similar.Place(), plain.Block(similar.Diff))
		if c.KeepBoth || c.DryRun || !inv.sys.interactive {
			continue
		}
		switch strings.ToLower(inv.choose(ctx, "Keep [b]oth, [s]upersede it, count yours as [e]vidence of it, or [q]uit?")) {
		case "b", "both":
		case "s", "supersede":
			return project.Beside{Over: similar.Name()}, nil
		case "e", "evidence":
			return project.Beside{Join: similar.Place()}, nil
		default:
			return project.Beside{}, errInterrupted
		}
	}
	return project.Beside{}, nil
}

// text is what was piped in or typed in the editor; empty when flags say it all.
func (c *addCommand) text(inv *invocation) (string, error) {
	if c.Title != "" || c.Mistake != "" || c.Fix != "" {
		return "", nil
	}
	if !inv.sys.interactive {
		data, err := io.ReadAll(io.LimitReader(inv.sys.stdin, 1<<20))
		if err == nil && strings.TrimSpace(string(data)) == "" {
			err = usageError{withHint(errors.New("a lesson needs a title or a block on standard input"), "see: lessons help add")}
		}
		return string(data), err
	}
	const form = "#lesson\ntool: Bash\ntrigger: \nmistake: \nfix: \ntags: \n#/lesson\n"
	data, err := inv.sys.typed("lesson.txt", []byte(form), 1)
	if string(data) == form {
		return "", cmp.Or(err, errInterrupted)
	}
	return string(data), err
}

// typed has a person edit a copy of a text, and returns what became of it, also where the
// editor failed.
func (s *system) typed(name string, text []byte, line int) ([]byte, error) {
	dir, err := os.MkdirTemp("", "lessons-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	failed := s.edit(file, line)
	after, err := os.ReadFile(file)
	return after, cmp.Or(failed, err)
}

// edit opens the person's editor on a file and waits for it.
func (s *system) edit(file string, line int) error {
	editor := cmp.Or(s.env("VISUAL"), s.env("EDITOR"), "vi")
	words := strings.Fields(editor)
	cmd := exec.Command(words[0], append(words[1:], editorPlace(words[0], file, line)...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Dir = os.Stdin, os.Stdout, os.Stderr, s.dir
	if err := cmd.Run(); err != nil {
		return withHint(err, "the editor was %q; set EDITOR to another", editor)
	}
	return nil
}

// editorPlace adds the line for editors of which it is known how they take it.
func editorPlace(editor, file string, line int) []string {
	switch filepath.Base(editor) {
	case "vi", "vim", "nvim", "nano", "emacs", "micro", "kak":
		if line > 1 {
			return []string{"+" + strconv.Itoa(line), file}
		}
	}
	return []string{file}
}
