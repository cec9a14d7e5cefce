package project

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/knowledge/verdict"
	"github.com/lessons-cli/lessons/migrate"
	"github.com/lessons-cli/lessons/reconcile"
)

// MaxImport is how large a file may be that is imported, in bytes.
const MaxImport = 64 << 20

// ImportOptions of [Project.Import].
type ImportOptions struct {
	Format   string   // name of a format; empty: each file is asked what it is
	Paths    []string // absolute: files, or folders of them; none: the usual places of this repository
	DryRun   bool
	Progress func(done, total int64) // bytes of the files; nil: nobody looks
}

// Import is what was read and what became of it.
type Import struct {
	migrate.Plan
	Files   int               // that were read
	Refused []migrate.Refusal // files and parts of files that are not imported
}

// found is a file to import.
type found struct {
	name   string // absolute
	shown  string // its path in provenance and messages
	size   int64
	format migrate.Format
}

// Import reads other tools' files and writes what they hold as this repository's
// knowledge, in one transaction. The files stay as they are. Of a file that is
// not whole nothing is imported; the others are.
func (p *Project) Import(ctx context.Context, o ImportOptions) (Import, error) {
	files, refused, err := p.importable(ctx, o)
	if err != nil {
		return Import{}, err
	}
	i := Import{Files: len(files), Refused: refused}
	files, exports := splitExports(files)
	things, err := i.read(ctx, files, o.Progress)
	things = migrate.Here(things, p.Root)
	if err != nil {
		return Import{}, err
	}
	if len(exports) == 0 || len(things) > 0 {
		i.Plan, err = attempt(p, func(s *store.Snapshot) (migrate.Plan, error) { return p.importOnce(ctx, s, things, o.DryRun) })
	}
	if err == nil {
		err = p.importExports(ctx, &i, exports, o.DryRun)
	}
	return i, err
}

// read reads one file after the other; only what they hold stays in memory.
func (i *Import) read(ctx context.Context, files []found, progress func(done, total int64)) ([]migrate.Thing, error) {
	var total, done int64
	for _, f := range files {
		total += f.size
	}
	var things []migrate.Thing
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, err := importedBytes(f)
		if err != nil {
			i.Refused = append(i.Refused, migrate.Refusal{Path: f.shown, Reason: err.Error()})
		} else {
			read, refused := f.format.Read(f.shown, data)
			things, i.Refused = append(things, read...), append(i.Refused, refused...)
		}
		if done += f.size; progress != nil {
			progress(done, total)
		}
	}
	return things, nil
}

func (p *Project) importOnce(ctx context.Context, s *store.Snapshot, things []migrate.Thing, dryRun bool) (migrate.Plan, error) {
	s, report, used, err := p.beforeWriting(ctx, s)
	if err != nil {
		return migrate.Plan{}, err
	}
	redactor := p.Redactor()
	o := migrate.Options{
		Project: p.Root, Now: p.Now(), UsedNumbers: used,
		Clean: func(text string) string { return redactor.Text(text).String() },
	}
	plan, err := migrate.NewPlan(s, things, o)
	if err != nil {
		return plan, err
	}
	removed, err := p.removedBefore(ctx, s, plan)
	if err != nil {
		return plan, err
	}
	if len(removed) > 0 {
		s.Ledger = append(s.Ledger, removed...)
		if plan, err = migrate.NewPlan(s, things, o); err != nil {
			return plan, err
		}
		plan.Ledger = removed
	}
	if plan.Manifest == nil && report.Count(reconcile.Healed) > 0 { // a crash came between artifacts and rows
		plan.Manifest = s.Manifest
	}
	if dryRun {
		return plan, nil
	}
	// What was imported is this person's own word and trusted, guards apart: those
	// nobody here has read yet.
	own := slices.DeleteFunc(slices.Clone(plan.Changes), func(c store.Change) bool { return slices.Contains(plan.Untrusted, c.Path) })
	return plan, p.write(ctx, plan.Transaction, own, true)
}

// removedBefore asks history for what was removed together with its row, so that
// nothing here remembers it.
func (p *Project) removedBefore(ctx context.Context, s *store.Snapshot, plan migrate.Plan) ([]verdict.Event, error) {
	if p.Git == nil || len(plan.New) == 0 {
		return nil, nil
	}
	return reconcile.RemovedBefore(ctx, p.Git, plan.New, p.WorkTree(), evidenceOf(s))
}

// importable lists the files to read. Those of a folder that are of no format
// are passed over; a file that was named is refused.
func (p *Project) importable(ctx context.Context, o ImportOptions) ([]found, []migrate.Refusal, error) {
	format, named := migrate.FormatNamed(o.Format)
	if o.Format != "" && !named {
		return nil, nil, fmt.Errorf("no format %q", o.Format)
	}
	if len(o.Paths) == 0 && format.Remembered {
		o.Paths = p.memories()
	} else if len(o.Paths) == 0 {
		return p.usualPlaces(ctx, format, named)
	}
	var files []found
	var refused []migrate.Refusal
	for _, root := range o.Paths {
		info, err := os.Stat(root)
		if err != nil {
			return nil, nil, err
		}
		if !info.IsDir() {
			f, ok := p.identify(root, root, format, named)
			if !ok {
				refused = append(refused, migrate.Refusal{Path: f.shown, Reason: "it is of no format that is known here"})
				continue
			}
			files = append(files, f)
			continue
		}
		in, err := p.filesBelow(root, format, named)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, in...)
	}
	return files, refused, nil
}

// usualPlaces looks where tools keep their files in this repository.
func (p *Project) usualPlaces(ctx context.Context, format migrate.Format, named bool) ([]found, []migrate.Refusal, error) {
	formats := migrate.Formats
	if named {
		formats = []migrate.Format{format}
	}
	var files []found
	for _, f := range formats {
		for _, place := range f.Places {
			names, err := fs.Glob(os.DirFS(p.Root), place)
			if err != nil {
				return nil, nil, err
			}
			for _, name := range names {
				in, err := p.filesBelow(p.absolute(name), f, true)
				if err != nil {
					return nil, nil, err
				}
				if name == "." {
					in = p.notIgnored(ctx, in)
				}
				for _, one := range in {
					if !slices.ContainsFunc(files, func(x found) bool { return x.name == one.name }) {
						files = append(files, one)
					}
				}
			}
		}
	}
	return files, nil, nil
}

// notIgnored leaves out what git ignores: copies of other projects, and a person's own.
func (p *Project) notIgnored(ctx context.Context, files []found) []found {
	if p.Git == nil {
		return files
	}
	ignored, err := p.Git.Ignored(ctx, lists.Map(files, func(f found) string { return f.shown }))
	if err != nil {
		return files // without an answer all are read, and a person is asked
	}
	return slices.DeleteFunc(files, func(f found) bool { return ignored[f.shown] })
}

// memories are the places where agents keep what they remember of this repository.
func (p *Project) memories() []string {
	var places []string
	for _, c := range agent.All {
		home := c.Home(p.Home, p.Env)
		for _, place := range c.Memories(os.DirFS(home), p.Root) {
			name := filepath.Join(home, filepath.FromSlash(place))
			if _, err := os.Stat(name); err == nil {
				places = append(places, name)
			}
		}
	}
	return places
}

// filesBelow lists the files of a folder, or a file itself, by name. Links are
// not followed, and git's own folder is not entered.
func (p *Project) filesBelow(root string, format migrate.Format, named bool) ([]found, error) {
	var files []found
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (d.Name() == ".git" || d.Name() == "node_modules" || p.isRepository(name)):
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		if f, ok := p.identify(root, name, format, named); ok {
			files = append(files, f)
		}
		return nil
	})
	return files, err
}

// isRepository says whether a folder is one of its own: a submodule, or a work tree.
func (p *Project) isRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// identify says what a file is: of the format that was named, or of the one that
// its path and its first bytes tell.
func (p *Project) identify(root, name string, format migrate.Format, named bool) (found, bool) {
	f := found{name: name, shown: p.provenance(root, name), format: format}
	if info, err := os.Stat(name); err == nil {
		f.size = info.Size()
	}
	if named {
		return f, format.Takes(f.shown) || root == name
	}
	head, err := headOf(name)
	if err != nil {
		return f, false
	}
	var ok bool
	f.format, ok = migrate.Detect(f.shown, head)
	return f, ok
}

// provenance is a path as it is kept: relative to the repository, or of a file
// outside of it relative to the folder above what was named. It tells nothing of
// this machine.
func (p *Project) provenance(root, name string) string {
	for _, base := range []string{p.Root, filepath.Dir(root)} {
		if rel, err := filepath.Rel(base, name); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return path.Clean(filepath.ToSlash(rel))
		}
	}
	return filepath.Base(name)
}

func headOf(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, migrate.HeadBytes))
}

// importedBytes reads a file; of a database the rows of the format's tables.
func importedBytes(f found) ([]byte, error) {
	if f.size > MaxImport {
		return nil, fmt.Errorf("it has %d MB, and %d MB are the most", f.size>>20, MaxImport>>20)
	}
	data, err := os.ReadFile(f.name)
	if err != nil || !bytes.HasPrefix(data, []byte("SQLite format 3\x00")) {
		return data, err
	}
	if len(f.format.Tables) == 0 {
		return nil, fmt.Errorf("it is a database, and the format %s has none", f.format.Name)
	}
	if want := databaseSize(data); f.size < want {
		return nil, fmt.Errorf("it is a database of %d bytes of which only %d are there: nothing of it was imported", want, f.size)
	}
	return databaseRows(f.name, f.format.Tables)
}
