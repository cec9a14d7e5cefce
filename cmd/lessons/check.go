package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/lessons-cli/lessons/internal/check"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
)

type checkCommand struct {
	Format string `enum:"text,json,sarif,github" default:"text" help:"text, json (a finding a line), sarif, or github (annotations)."`
	JSON   bool   `help:"The same as --format json."`
	Base   string `placeholder:"REV" help:"Look at what HEAD adds to REV too: citations in added lines and commit messages."`
	Fix    bool   `help:"Mend what is mechanical first: left merges, numbers, missing rows, invisible characters, the manifest's form."`
}

// Run prints the findings.
func (c *checkCommand) Run(ctx context.Context, inv *invocation, p *project.Project) error {
	if c.JSON {
		c.Format = "json"
	}
	if c.Fix {
		done, err := p.Fix(ctx)
		for _, d := range done {
			fmt.Fprintln(inv.sys.stderr, d)
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
	if err := c.print(inv, findings); err != nil {
		return err
	}
	if len(findings) > 0 {
		return found{len(findings)}
	}
	return nil
}

func (c *checkCommand) print(inv *invocation, findings []knowledge.Problem) error {
	switch c.Format {
	case "sarif":
		return check.WriteSARIF(inv.sys.stdout, findings, buildVersion())
	case "json":
		encoder := json.NewEncoder(inv.sys.stdout)
		for _, f := range findings {
			if err := encoder.Encode(f); err != nil {
				return err
			}
		}
		return nil
	case "github":
		for _, f := range findings {
			annotate(inv.sys.stdout, f)
		}
		return nil
	}
	for _, f := range findings {
		inv.printf("%s [%s]\n", problemLine(f), f.Rule)
	}
	if len(findings) == 0 {
		inv.printf("nothing found\n")
	}
	return nil
}

// annotate writes a finding as GitHub's runner reads it.
func annotate(w io.Writer, f knowledge.Problem) {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	message := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	fmt.Fprintf(w, "::error file=%s,line=%d,title=%s::%s\n", property.Replace(f.Path), max(1, f.Line), property.Replace("lessons "+f.Rule), message.Replace(f.Text))
}
