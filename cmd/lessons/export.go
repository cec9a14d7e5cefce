package main

import (
	"errors"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/migrate"
)

type exportCommand struct {
	To     string `arg:"" optional:"" name:"path" help:"A file for json and markdown (default: standard output), a folder for madr and skills."`
	Format string `enum:"json,markdown,madr,skills" default:"json" help:"json, markdown, madr or skills."`
	Force  bool   `help:"Write over files that are there with other content."`
}

// Run writes the export, and says on standard error what is not in it.
func (c *exportCommand) Run(inv *invocation, p *project.Project, s *store.Snapshot) error {
	if c.To == "" && (c.Format == "madr" || c.Format == "skills") {
		return usageError{withHint(errNoFolder, "for instance: lessons export --format %s %s", c.Format, "exported")}
	}
	export, problems := p.Export(s)
	inv.warn(problems)
	root, files, err := c.files(inv.sys.dir, filepath.Base(p.Root), s, export)
	if err != nil {
		return err
	}
	for i, f := range files { // it is read elsewhere: nothing hidden leaves this repository
		if c.Format == "json" {
			files[i].Data = plain.JSON(f.Data)
		} else {
			files[i].Data = []byte(plain.Visible(string(f.Data)))
		}
	}
	if c.To == "" {
		inv.block(string(files[0].Data))
		return nil
	}
	written, err := p.WriteExport(root, files, c.Force)
	if errors.Is(err, project.ErrOtherContent) {
		return withHint(err, "choose another place, or add --force to write over it")
	}
	if err != nil {
		return err
	}
	inv.printf("%s: %s written, %d unchanged\n", c.To, count(written, "file", "files"), len(files)-written)
	return nil
}

var errNoFolder = errors.New("which folder is it to be written to?")

// files are what is to be written below a folder.
func (c *exportCommand) files(dir, name string, s *store.Snapshot, e migrate.Export) (root string, files []entry.File, err error) {
	root = absolute(dir, c.To)
	switch c.Format {
	case "madr":
		return root, migrate.MADR(s), nil
	case "skills":
		return root, migrate.Skills(s, e), nil
	}
	data, err := e.Bytes()
	if c.Format == "markdown" {
		data = migrate.Markdown(s, "What "+name+" knows")
	}
	return filepath.Dir(root), []entry.File{{Path: filepath.Base(root), Data: data}}, err
}
