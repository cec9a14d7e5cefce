package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge"
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
	files, err := c.files(s, export, filepath.Base(p.Root))
	if err != nil {
		return err
	}
	if c.Format == "json" {
		inv.warn(c.tooLarge(len(files[0].Text)))
	}
	if c.To == "" {
		return c.print(inv, files[0])
	}
	root := absolute(inv.sys.dir, c.To)
	if c.Format == "json" || c.Format == "markdown" {
		if err := folderOf(root); err != nil {
			return err
		}
		root, files[0].Path = filepath.Split(root)
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

// folderOf is an error where the folder of a file to write is not there: it may be mistyped.
func folderOf(file string) error {
	_, err := os.Stat(filepath.Dir(file))
	if errors.Is(err, fs.ErrNotExist) {
		return usageError{fmt.Errorf("no folder %s", filepath.Dir(file))}
	}
	return err
}

var errNoFolder = errors.New("which folder is it to be written to?")

// tooLarge warns of an export that lessons itself would refuse to import.
func (c *exportCommand) tooLarge(size int) []knowledge.Problem {
	if size <= project.MaxImport {
		return nil
	}
	return []knowledge.Problem{{Path: cmp.Or(c.To, "the export"), Rule: "export", Text: fmt.Sprintf(
		"it has %d MB, and lessons import takes %d MB at most; to move lessons and entries, commit them and use git; observations stay in this clone",
		size>>20, project.MaxImport>>20)}}
}

func (c *exportCommand) print(inv *invocation, f project.Output) error {
	if c.Format == "json" {
		return inv.sys.stdout.JSON(json.RawMessage(f.Text), "  ")
	}
	inv.block(string(f.Text))
	return nil
}

// files are what is to be written. It is read elsewhere: nothing hidden leaves this
// repository.
func (c *exportCommand) files(s *store.Snapshot, e migrate.Export, name string) ([]project.Output, error) {
	var texts []entry.File
	switch c.Format {
	case "madr":
		texts = migrate.MADR(s)
	case "skills":
		texts = migrate.Skills(s, e)
	case "markdown":
		texts = []entry.File{{Data: migrate.Markdown(s, "What "+name+" knows")}}
	default:
		text, err := e.JSON()
		return []project.Output{{Text: text}}, err
	}
	return lists.Map(texts, func(f entry.File) project.Output {
		return project.Output{Path: f.Path, Text: []byte(plain.Visible(string(f.Data)))}
	}), nil
}
