package main

import (
	"context"
	"errors"

	"github.com/lessons-cli/lessons/internal/check"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
)

type checkCommand struct {
	Format string `enum:"text,json,sarif,github,comment" default:"text" help:"text, json (a finding a line), sarif, github (annotations), or comment (Markdown for a pull request)."`
	JSON   bool   `help:"The same as --format json."`
	Base   string `placeholder:"REV" help:"Look at what HEAD adds to REV too: citations in added lines and commit messages."`
	Fix    bool   `help:"First repair what needs no decision: unfinished merges, numbers, missing rows, invisible characters, the manifest's form."`
}

// Run prints the findings.
func (c *checkCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	switch {
	case c.JSON:
		c.Format = "json"
	case c.Format == "comment" && c.Base == "":
		return usageError{errors.New("--format comment is about a change: --base says of what, as --base origin/main")}
	}
	if c.Fix {
		done, err := p.Fix(ctx)
		for _, d := range done {
			inv.sys.stderr.Printf("%s\n", d)
		}
		if err != nil {
			return err
		}
	}
	in, err := p.CheckInput(ctx, c.Base)
	if err != nil {
		return err
	}
	findings := check.Run(in)
	if c.Format == "comment" {
		changed, trouble, err := p.Review(in)
		inv.warn(trouble)
		if err != nil {
			return err
		}
		inv.sys.stdout.Block(check.Comment(changed, findings))
	} else if err := printAs(inv, c.Format, findings); err != nil {
		return err
	}
	// What a person is to look at does not fail the gate.
	return foundAny(len(lists.Filter(findings, func(f knowledge.Problem) bool { return !f.Notice })))
}

// printAs prints findings in a format.
func printAs(inv *invocation, format string, findings []knowledge.Problem) error {
	switch format {
	case "sarif":
		return inv.sys.stdout.JSON(check.SARIF(findings, buildVersion()), "  ")
	case "json":
		return printLines(inv, findings)
	case "github":
		for _, f := range findings {
			inv.sys.stdout.Annotate(map[bool]string{false: "error", true: "notice"}[f.Notice], f.Path, max(1, f.Line), "lessons "+f.Rule, f.Text)
		}
		return nil
	}
	printFindings(inv, findings)
	return nil
}

// printFindings prints a finding a line.
func printFindings(inv *invocation, findings []knowledge.Problem) {
	for _, f := range findings {
		look := ""
		if f.Notice {
			look = "look at this: "
		}
		inv.printf("%s%s [%s]\n", look, f.Said(), f.Rule)
	}
	if len(findings) == 0 {
		inv.printf("nothing found\n")
	}
}
