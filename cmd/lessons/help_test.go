package main

import (
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/lessons-cli/lessons/internal/plain"
)

// Every command says what it does and how it ends, and every text has a command.
func TestEveryCommandExplainsItself(t *testing.T) {
	parser, err := newParser(&grammar{}, &system{stdout: plain.NewPrinter(io.Discard), stderr: plain.NewPrinter(io.Discard)}, new(bool))
	if err != nil {
		t.Fatal(err)
	}
	commands := parser.Model.Children
	for _, cmd := range commands {
		if !strings.Contains(cmd.Detail, "Exit status") {
			t.Errorf("%s does not say how it ends: %q", cmd.Name, cmd.Detail)
		}
	}
	files, err := fs.Glob(helpTexts, "help/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "help/"), ".txt")
		if !slices.ContainsFunc(commands, func(c *kong.Node) bool { return c.Name == name }) {
			t.Errorf("%s belongs to no command", file)
		}
	}
}

// A paragraph is broken anew for every terminal, so columns in one would run together:
// they belong into a list or an indented block.
func TestNoHelpHasColumnsInAParagraph(t *testing.T) {
	files, err := fs.Glob(helpTexts, "help/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := helpTexts.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, " ") && strings.Contains(line, "   ") {
				t.Errorf("%s: %s", file, line)
			}
		}
	}
}
