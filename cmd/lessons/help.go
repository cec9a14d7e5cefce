package main

import (
	"embed"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// helpTexts are what commands say of themselves: a file a command, as it is printed.
//
//go:embed help
var helpTexts embed.FS

// describe gives the commands their texts. Those of which a part is made from
// tables have a method Help instead.
func describe(app *kong.Application) {
	for _, cmd := range app.Children {
		if text, err := helpTexts.ReadFile("help/" + cmd.Name + ".txt"); err == nil {
			cmd.Detail = strings.TrimSuffix(string(text), "\n")
		}
	}
}

var groups = []kong.Group{
	{Key: "everyday", Title: "Everyday"},
	{Key: "automation", Title: "Automation"},
	{Key: "team", Title: "Team"},
	{Key: "tools", Title: "Tools"},
}

type helpCommand struct {
	All    bool   `help:"Show every command."`
	Format string `enum:"text,markdown,man" default:"text" help:"text, markdown (a page of the reference), or man (a page for man)."`
	Name   string `arg:"" optional:"" help:"A command, a topic, or topics for their list."`
}

// Run prints the overview, or the help of one command or topic.
func (c *helpCommand) Run(inv *invocation) error {
	app := inv.parser.Model
	if c.Format == "man" {
		return c.print(inv, newRoff(), manPage)
	}
	if c.Format == "markdown" {
		return c.print(inv, &markdownManual{}, commandsPage)
	}
	if c.Name == "" {
		overview(inv.sys.stdout.Writer(), app, c.All)
		return nil
	}
	if c.Name == "topics" {
		for _, t := range topics {
			inv.printf("%-14s %s\n", t.name, t.about)
		}
		return nil
	}
	if t, ok := topicNamed(c.Name); ok {
		text, err := t.text()
		inv.block(text)
		return err
	}
	if _, cmd := commandIn(app, []string{c.Name}); cmd != nil {
		_, _ = inv.parser.Parse([]string{c.Name, "--help"}) // prints, and then misses arguments
		return nil
	}
	return errNoHelp(c.Name)
}

func errNoHelp(name string) error {
	return usageError{withHint(fmt.Errorf("no command or topic %q", name), "all commands: lessons help --all; topics: lessons help topics")}
}

// print prints a page in another form than a terminal's: of one command, of the topics, or whole.
func (c *helpCommand) print(inv *invocation, m manual, whole func(manual, *kong.Application) error) error {
	app := inv.parser.Model
	_, cmd := commandIn(app, []string{c.Name})
	t, isTopic := topicNamed(c.Name)
	var err error
	switch {
	case c.Name == "":
		err = whole(m, app)
	case c.Name == "topics":
		err = topicsPage(m)
	case cmd != nil:
		writeCommand(m, cmd)
	case isTopic:
		err = writeTopic(m, 2, t)
	default:
		err = errNoHelp(c.Name)
	}
	if err == nil {
		inv.block(m.text())
	}
	return err
}

// printHelp is kong's help printer: a command's own help is kong's, the
// program's is the overview.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if ctx.Selected() == nil {
		overview(ctx.Stdout, ctx.Model, false)
		return nil
	}
	return kong.DefaultHelpPrinter(options, ctx)
}

func overview(w io.Writer, app *kong.Application, all bool) {
	fmt.Fprint(w, "lessons keeps what coding agents learn in your repository, as Markdown that you review.\n\nusage: lessons [-C DIR] COMMAND [FLAGS]\n")
	for _, group := range groups {
		if !all && group.Key != "everyday" {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", group.Title)
		for _, cmd := range app.Children {
			if cmd.Group != nil && cmd.Group.Key == group.Key {
				fmt.Fprintf(w, "  %-11s %s\n", cmd.Name, cmd.Help)
			}
		}
	}
	if all {
		fmt.Fprint(w, "\nEach command explains itself: lessons help COMMAND    More: lessons help topics\n")
		return
	}
	fmt.Fprint(w, "\nStart with: lessons init    All commands: lessons help --all    Version: lessons --version\n")
}
