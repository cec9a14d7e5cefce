package main

import (
	"bytes"
	"context"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	pages "github.com/lessons-cli/lessons/internal/report"
	"github.com/lessons-cli/lessons/knowledge/store"
)

type reportCommand struct {
	Format string `enum:"html,markdown" default:"html" help:"html, one page that needs nothing else, or markdown, for the summary of a workflow."`
	To     string `arg:"" optional:"" name:"file" help:"The file to write (default: standard output)."`
}

// Run writes the report.
func (c *reportCommand) Run(ctx context.Context, inv *invocation, p *project.Project, s *store.Snapshot) error {
	r, trouble, err := p.Report(ctx, s)
	if err != nil {
		return err
	}
	inv.warn(trouble)
	text := pages.Markdown(r)
	if c.Format == "html" {
		var page bytes.Buffer
		if err := pages.HTML(&page, r); err != nil {
			return err
		}
		text = plain.Block(page.Bytes())
	}
	if c.To == "" {
		inv.block(string(text))
		return nil
	}
	name := absolute(inv.sys.dir, c.To)
	if err := folderOf(name); err != nil {
		return err
	}
	if _, err := p.WriteExport(filepath.Dir(name), []project.Output{{Path: filepath.Base(name), Text: []byte(text)}}, true); err != nil {
		return err
	}
	inv.printf("wrote %s\n", c.To)
	return nil
}
