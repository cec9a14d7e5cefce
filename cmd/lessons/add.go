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
	Title      string   `arg:"" optional:"" help:"What the lesson is called."`
	Type       string   `enum:"lesson,decision,pitfall" default:"lesson" help:"lesson, decision or pitfall."`
	Mistake    string   `help:"What goes wrong."`
	Fix        string   `help:"What to do instead."`
	Tool       string   `help:"The agent's tool, such as Bash." placeholder:"TOOL"`
	Command    []string `help:"The command it is about, such as 'go test -timeout=30'." placeholder:"CMD"`
	Unless     []string `help:"What makes the command right, such as --no-header." placeholder:"FLAG"`
	Path       []string `help:"Files it is about, as a glob." placeholder:"GLOB"`
	Keyword    []string `help:"Words that call for it." placeholder:"WORD"`
	Tag        []string `help:"Tags, such as tool:pytest." placeholder:"TAG"`
	Kind       string   `enum:",checklist,pattern,warning,requirement" default:"" help:"checklist, pattern, warning or requirement (default: from the text)."`
	Priority   string   `default:"high" help:"low, medium, high, critical, or 1 to 10."`
	Context    string   `help:"Of a decision: the situation."`
	Decision   string   `help:"Of a decision: what was decided."`
	Because    string   `help:"Of a decision: the reason."`
	Area       string   `help:"Of a pitfall: the path or module."`
	Issue      string   `help:"Of a pitfall: what is wrong."`
	Impact     string   `help:"Of a pitfall: what it costs."`
	Resolution string   `help:"Of a pitfall: what to do."`
	DryRun     bool     `help:"Show the diff and write nothing."`
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
	draft := c.draft()
	if err := draft.Check(); err != nil {
		return project.Done{}, usageError{withHint(err, "see: lessons help add")}
	}
	return p.Add(ctx, draft, c.DryRun)
}

func (c *addCommand) draft() project.Draft {
	return project.Draft{
		Title: c.Title, Type: c.Type, Mistake: c.Mistake, Fix: c.Fix, Tool: c.Tool, Commands: c.Command, Unless: c.Unless,
		Paths: c.Path, Keywords: c.Keyword, Tags: c.Tag, Kind: c.Kind, Priority: c.Priority, Context: c.Context,
		Decision: c.Decision, Because: c.Because, Area: c.Area, Issue: c.Issue, Impact: c.Impact, Resolution: c.Resolution,
	}
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
