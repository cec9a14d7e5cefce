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

	"github.com/lessons-cli/lessons/internal/project"
)

type addCommand struct {
	jsonOutput
	project.Draft
	DryRun bool `help:"Show the diff and write nothing."`
}

// Run writes the lesson down and renders it at once.
func (c *addCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	text, err := c.text(inv)
	if err != nil {
		return err
	}
	added, err := c.add(ctx, p, text)
	return inv.printDone(added, err, c.DryRun, c.JSON)
}

func (c *addCommand) add(ctx context.Context, p *project.Project, text string) (project.Done, error) {
	if text != "" {
		added, err := p.AddBlock(ctx, text, c.DryRun)
		if err != nil {
			err = withHint(err, "see: lessons help add")
		}
		return added, err
	}
	if err := c.Check(); err != nil {
		return project.Done{}, usageError{withHint(err, "see: lessons help add")}
	}
	return p.Add(ctx, c.Draft, c.DryRun)
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
	dir, err := os.MkdirTemp("", "lessons-add")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "lesson.txt")
	if err := os.WriteFile(file, []byte("#lesson\ntool: Bash\ntrigger: \nmistake: \nfix: \ntags: \n#/lesson\n"), 0o600); err != nil {
		return "", err
	}
	if err := inv.sys.edit(file, 1); err != nil {
		return "", err
	}
	data, err := os.ReadFile(file)
	return string(data), err
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
