package main

import (
	"cmp"
	"fmt"
	"go/doc/comment"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// manual is a form in which help is printed: Markdown for docs, or a man page.
type manual interface {
	title(level int, text string)
	paragraph(text string)
	code(text string)
	item(term, text string)
	text() string
}

// writeCommand explains a command from the model: what it does, its usage, its own text,
// its arguments and its flags.
func writeCommand(m manual, cmd *kong.Node) {
	m.title(2, cmd.FullPath())
	m.paragraph(cmd.Help)
	m.paragraph("`" + usageOf(cmd) + "`")
	writeText(m, 3, cmd.Detail)
	for _, arg := range cmd.Positional {
		m.item(arg.Summary(), arg.Help)
	}
	for _, flag := range cmd.Flags {
		if !flag.Hidden {
			m.item(flagTerm(flag), flag.Help)
		}
	}
	for _, child := range cmd.Children {
		if !child.Hidden {
			writeCommand(m, child)
		}
	}
}

func usageOf(cmd *kong.Node) string {
	usage := cmd.FullPath()
	if len(cmd.Children) > 0 {
		usage += " [command]"
	}
	if len(cmd.Flags) > 0 {
		usage += " [flags]"
	}
	for _, arg := range cmd.Positional {
		usage += " " + arg.Summary()
	}
	return usage
}

func flagTerm(flag *kong.Flag) string {
	term := "--" + flag.Name
	if !flag.IsBool() {
		term += "=" + cmp.Or(flag.PlaceHolder, strings.ReplaceAll(strings.Trim(flag.Enum, ","), ",", "|"), strings.ToUpper(flag.Name))
	}
	if flag.Short != 0 {
		term = fmt.Sprintf("-%c, %s", flag.Short, term)
	}
	return term
}

// writeText prints a help text or a topic. Their form is that of Go's doc comments:
// paragraphs, headings, lists, and code that is indented.
func writeText(m manual, level int, text string) {
	for _, block := range new(comment.Parser).Parse(text).Content {
		switch b := block.(type) {
		case *comment.Heading:
			m.title(level, plainText(b.Text))
		case *comment.Paragraph:
			m.paragraph(plainText(b.Text))
		case *comment.Code:
			m.code(strings.TrimSuffix(b.Text, "\n"))
		case *comment.List:
			for _, item := range b.Items {
				for _, block := range item.Content {
					m.item("", plainText(block.(*comment.Paragraph).Text)) // a list holds nothing else
				}
			}
		}
	}
}

func plainText(parts []comment.Text) string {
	var b strings.Builder
	for _, part := range parts {
		switch t := part.(type) {
		case comment.Plain:
			b.WriteString(string(t))
		case comment.Italic:
			b.WriteString(string(t))
		case *comment.Link:
			b.WriteString(plainText(t.Text))
		}
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}

func writeTopic(m manual, level int, t topic) error {
	text, err := t.text()
	writeText(m, level, text)
	return err
}

const generated = "Made by `make docs` from the program itself."

// commandsPage is the reference of all commands.
func commandsPage(m manual, app *kong.Application) error {
	m.title(1, "Commands")
	m.paragraph(generated + " Every command takes `-C DIR`, which works as if started in DIR, and `--help`.")
	for _, group := range groups {
		m.paragraph(group.Title + ":")
		for _, cmd := range inGroup(app, group.Key) {
			m.item("lessons "+cmd.Name, cmd.Help)
		}
	}
	for _, group := range groups {
		for _, cmd := range inGroup(app, group.Key) {
			writeCommand(m, cmd)
		}
	}
	return nil
}

// topicsPage is the reference of everything else.
func topicsPage(m manual) error {
	m.title(1, "Reference")
	m.paragraph(generated + " In a terminal: `lessons help topics`.")
	for _, t := range topics {
		if err := writeTopic(m, 2, t); err != nil {
			return err
		}
	}
	return nil
}

// manPage is lessons(1): all commands and topics.
func manPage(m manual, app *kong.Application) error {
	m.title(1, "NAME")
	m.paragraph("lessons - keep what coding agents learn, as Markdown in git")
	m.title(1, "SYNOPSIS")
	m.code("lessons [-C DIR] COMMAND [FLAGS]")
	m.title(1, "COMMANDS")
	for _, group := range groups {
		for _, cmd := range inGroup(app, group.Key) {
			writeCommand(m, cmd)
		}
	}
	for _, t := range topics {
		if err := writeTopic(m, 1, t); err != nil {
			return err
		}
	}
	return nil
}

func inGroup(app *kong.Application, key string) []*kong.Node {
	return slices.DeleteFunc(slices.Clone(app.Children), func(cmd *kong.Node) bool {
		return cmd.Hidden || cmd.Group == nil || cmd.Group.Key != key
	})
}
