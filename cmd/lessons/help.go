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
	All     bool   `help:"Show every command."`
	Command string `arg:"" optional:"" help:"The command to explain."`
}

// Run prints the overview, or the help of one command.
func (c *helpCommand) Run(inv *invocation) error {
	if c.Command == "" {
		overview(inv.sys.stdout.Writer(), inv.parser.Model, c.All)
		return nil
	}
	for _, cmd := range inv.parser.Model.Children {
		if cmd.Name == c.Command {
			_, _ = inv.parser.Parse([]string{c.Command, "--help"}) // prints, and then misses arguments
			return nil
		}
	}
	return usageError{withHint(fmt.Errorf("no command %q", c.Command), "all commands: lessons help --all")}
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
		fmt.Fprint(w, "\nEach command explains itself: lessons help COMMAND\n")
		return
	}
	fmt.Fprint(w, "\nStart with: lessons init    All commands: lessons help --all\n")
}
