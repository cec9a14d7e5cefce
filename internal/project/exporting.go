package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/migrate"
)

// Limits of what an export reads.
const (
	maxExported = 32 << 20 // bytes of one file
	maxNesting  = 8        // folders
	maxFiles    = 100_000  // files
)

// Export gathers everything that this repository knows, and says what it leaves
// out.
func (p *Project) Export(s *store.Snapshot) (migrate.Export, []knowledge.Problem) {
	c := collector{p: p}
	for _, folder := range []string{".lessons", entry.Folder, manifest.Folder} {
		c.folder(folder, 0)
	}
	c.file(manifest.Path)
	for _, name := range ownAgentFiles(s) {
		c.file(name)
	}
	export := migrate.NewExport(s, c.files, c.log(s.Log))
	return export, c.problems
}

// log is the text of the observations, where an import takes that much.
func (c *collector) log(l *observe.Log) []byte {
	text := bounded{most: MaxImport, over: func() {
		c.leaveOut("the log of observations", fmt.Sprintf("it has more than the %d MB that lessons import takes", MaxImport>>20))
	}}
	if err := l.Write(&text); err != nil {
		c.leaveOut("the log of observations", err.Error())
	}
	if text.full {
		return nil
	}
	return text.data
}

// ownAgentFiles lists the commands and published skills that lessons made: they
// carry a marker, or a row names them.
func ownAgentFiles(s *store.Snapshot) []string {
	rows := map[string]bool{}
	for _, r := range s.Manifest.Rows {
		rows[r.Path] = true
		for _, name := range r.Copies {
			rows[name] = true
		}
	}
	var names []string
	for _, a := range s.Artifacts {
		mine := strings.HasPrefix(a.Path, ".claude/") || strings.HasPrefix(a.Path, ".agents/")
		if mine && (a.Source != "" || rows[a.Path]) {
			names = append(names, a.Path)
		}
	}
	return lists.SortedUnique(names)
}

// collector reads the files of an export.
type collector struct {
	p        *Project
	files    []entry.File
	problems []knowledge.Problem
}

func (c *collector) leaveOut(name, why string) {
	c.problems = append(c.problems, knowledge.Problem{Path: name, Rule: "export", Text: why + "; it is not exported"})
}

// folder reads a folder that is none but ours: no link, not too deep.
func (c *collector) folder(name string, depth int) {
	info, err := fsx.LstatBelow(c.p.FS, c.p.Root, name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return
	}
	if err != nil {
		c.leaveOut(name, err.Error())
		return
	}
	all, err := c.p.FS.ReadDir(filepath.Join(c.p.Root, filepath.FromSlash(name)))
	if err != nil {
		c.leaveOut(name, err.Error())
	}
	for _, f := range all {
		below := path.Join(name, f.Name())
		switch {
		case !f.IsDir():
			c.file(below)
		case depth == maxNesting:
			c.leaveOut(below, "nested too deep")
		case f.Name() != ".git":
			c.folder(below, depth+1)
		}
	}
}

// file reads a file. What an import would refuse is left out with the reason.
func (c *collector) file(name string) {
	if temporary(name) {
		return
	}
	if err := migrate.ExportPath(name); err != nil {
		c.leaveOut(name, err.Error())
		return
	}
	if len(c.files) == maxFiles {
		c.leaveOut(name, fmt.Sprintf("more than %d files", maxFiles))
		return
	}
	data, err := fsx.ReadBelow(c.p.FS, c.p.Root, name, maxExported)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		c.leaveOut(name, err.Error())
	default:
		c.files = append(c.files, entry.File{Path: name, Data: data})
	}
}

// temporary are hidden files: editors and file systems leave them.
func temporary(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, ".") && name != manifest.Path
}

// splitExports separates exports of lessons from other tools' files.
func splitExports(files []found) (others, exports []found) {
	for _, f := range files {
		if f.format.Name == migrate.FormatLessons {
			exports = append(exports, f)
		} else {
			others = append(others, f)
		}
	}
	return others, exports
}

// importExports takes over what exports of lessons hold, each as a whole.
func (p *Project) importExports(ctx context.Context, i *Import, exports []found, dryRun bool) error {
	for _, f := range exports {
		data, err := importedBytes(f)
		var export migrate.Export
		if err == nil {
			export, err = migrate.ReadExport(f.shown, data)
		}
		if err != nil {
			i.Refused = append(i.Refused, refusalOf(f.shown, err))
			continue
		}
		plan, err := attempt(p, func(s *store.Snapshot) (migrate.Plan, error) { return p.importExport(ctx, s, export, f.shown, dryRun) })
		if err != nil {
			return err
		}
		i.Items, i.Notices = append(i.Items, plan.Items...), append(i.Notices, plan.Notices...)
	}
	return nil
}

func refusalOf(name string, err error) migrate.Refusal {
	if parse, ok := errors.AsType[*knowledge.ParseError](err); ok {
		return migrate.Refusal{Path: name, Line: parse.Line, Reason: parse.Text}
	}
	return migrate.Refusal{Path: name, Reason: err.Error()}
}

// importExport takes over one export, in one transaction.
func (p *Project) importExport(ctx context.Context, s *store.Snapshot, export migrate.Export, shown string, dryRun bool) (migrate.Plan, error) {
	if err := p.busy(); err != nil {
		return migrate.Plan{}, err
	}
	plan, err := migrate.PlanExport(s, export, shown, p.Read)
	if err != nil || dryRun {
		return plan, err
	}
	if err := p.Store.Apply(plan.Transaction); err != nil {
		return plan, err
	}
	p.Freshen(ctx)
	return plan, nil
}

// ErrOtherContent: a file is there already and says something else.
var ErrOtherContent = errors.New("there already, with other content")

// Output is a file that a command writes where a person says.
type Output struct {
	Path string // relative to a folder, slashes
	Text []byte
}

// WriteExport writes files below a folder of this machine, and returns how many
// it had to write. Without force nothing is written when a file is there with
// other content.
func (p *Project) WriteExport(root string, files []Output, force bool) (written int, err error) {
	var todo []fsx.Replacement
	for _, f := range files {
		before, err := fsx.ReadBelow(p.FS, root, f.Path, math.MaxInt64)
		switch {
		case err == nil && bytes.Equal(before, f.Text):
			continue
		case err == nil && !force:
			return 0, fmt.Errorf("%s: %w", filepath.Join(root, filepath.FromSlash(f.Path)), ErrOtherContent)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return 0, err
		}
		todo = append(todo, fsx.Replacement{Path: f.Path, Data: f.Text})
	}
	if len(todo) == 0 {
		return 0, nil
	}
	if err := fsx.MkdirAll(p.FS, root); err != nil {
		return 0, err
	}
	return len(todo), fsx.Replace(p.FS, root, todo)
}
