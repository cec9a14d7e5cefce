package project

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
	"github.com/lessons-cli/lessons/scan"
)

// ScanOptions of [Project.Scan].
type ScanOptions struct {
	Clients  []*agent.Client // whose sessions, where Paths is empty
	Paths    []string        // absolute files and folders; empty: this repository's sessions
	Files    []scan.File     // these sessions instead
	All      bool            // from the beginning
	Foreign  bool            // accept sessions of other repositories
	DryRun   bool
	Progress func(done, total int64) // bytes
}

// Scan reads transcripts and stores what was found in the observation log. With
// DryRun nothing is stored, and named files are read whoever's they are.
func (p *Project) Scan(ctx context.Context, o ScanOptions) (scan.Result, error) {
	files, problems, err := p.Sessions(o)
	if err != nil {
		return scan.Result{}, err
	}
	stamp := ""
	if !o.DryRun {
		stamp = filesStamp(files, o)
	}
	if len(problems) == 0 && p.nothingNew(stamp, o) {
		return scan.Result{Unchanged: len(files)}, nil
	}
	s, err := p.Store.Load()
	if err != nil {
		return scan.Result{}, err
	}
	marks, count, known := p.readMarks(o.DryRun), p.projectsOf(), activeLessons(s)
	stored := false
	defer func() { marks.end(stored) }()
	in := scan.Input{
		Files: files, Beside: besideOnDisk, State: p.scanState(o), All: o.All, Log: s.Log, Redactor: p.Redactor(), Now: p.Now(), Root: p.Root,
		Foreign: o.Foreign || o.inspects(), Roots: p.MovedFrom(), Config: s.Config, Projects: count, Around: p.Surroundings(ctx), Progress: o.Progress,
		Version: p.Version, Marker: marks, Said: p.messages(),
	}
	writer := p.newCallWriter()
	if !o.DryRun {
		in.Calls = writer.add
		in.Checkpoint = func(r scan.Result) { _, _ = p.keepScan(ctx, &r, writer, count, known) } // an error comes again at the end
	}
	result, err := scan.Run(ctx, in)
	result.Problems = append(append(problems, s.Problems...), result.Problems...)
	if err != nil || o.DryRun {
		return result, err
	}
	stored, err = p.keepScan(ctx, &result, writer, count, known)
	p.recompile(ctx, result.Files > 0)
	nothingOurs := result.Foreign > 0 && result.Files+result.Unchanged == 0 // which the next scan is to say again
	if stored && len(result.Problems) == 0 && !nothingOurs {
		p.keepScanMemo(stamp)
	}
	return result, err
}

// keepScan stores what a scan found, and then its state.
func (p *Project) keepScan(ctx context.Context, result *scan.Result, writer *callWriter, count func(*lesson.Trigger) int, known map[string]rendered) (stored bool, err error) {
	countProjects(result.Log, count)
	p.markRepeated(ctx, result.Log, result.Learned, known)
	if err := writer.sync(); err != nil {
		return false, err
	}
	if err := p.Store.Apply(store.Transaction{Log: result.Log}); err != nil {
		return false, err
	}
	trouble := func(path, rule, what string, err error) {
		if err != nil {
			result.Problems = append(result.Problems, knowledge.Problem{Path: path, Rule: rule, Text: what + ": " + err.Error() + "."})
		}
	}
	trouble(p.asksPath(), "asks", "Which asks were answered is not counted", p.keepAsks(result.Asks))
	trouble(p.saidPath(), "said", "Who said a decision again is not counted", p.keepSaid(result.Said))
	trouble(p.seenPath(), "seen", "Other projects are not told what this one met", p.markSeen(result.Log))
	err = fsx.WriteFile(p.FS, p.scanStatePath(), p.withoutHome(result.State))
	if errors.Is(err, store.ErrChanged) {
		return false, nil // another scan ended just now: what its state lacks is read once more
	}
	return err == nil, err
}

// inspects says that somebody only wants to see what is in named files.
func (o ScanOptions) inspects() bool { return o.DryRun && len(o.Paths) > 0 }

// Inspect is a dry run over named files where there is no repository.
func Inspect(ctx context.Context, m Machine, o ScanOptions) (scan.Result, error) {
	files, problems, err := NamedFiles(o.Paths)
	if err != nil {
		return scan.Result{}, err
	}
	result, err := scan.Run(ctx, scan.Input{
		Files: files, Beside: besideOnDisk, Log: &observe.Log{}, Redactor: m.Redactor(), Now: m.Now(), Foreign: true, Progress: o.Progress,
	})
	result.Problems = append(problems, result.Problems...)
	return result, err
}

func (p *Project) scanStatePath() string { return p.shared("scan-state.json") }

func (p *Project) scanState(o ScanOptions) []byte {
	if o.inspects() {
		return nil
	}
	data, err := p.FS.ReadFile(p.scanStatePath())
	if err != nil {
		return nil
	}
	return p.withHome(data)
}

// Skipped are the sessions that scans could not read and do not try again as they are.
func (p *Project) Skipped() []knowledge.Problem {
	return slices.DeleteFunc(scan.Skipped(p.scanState(ScanOptions{})), func(s knowledge.Problem) bool {
		file, _, _ := strings.Cut(s.Path, "#") // of a session in a database
		_, err := p.FS.Lstat(file)
		return errors.Is(err, fs.ErrNotExist)
	})
}

// LastScan is when the last scan stored its state; zero: never.
func (p *Project) LastScan() time.Time {
	info, err := p.FS.Lstat(p.scanStatePath())
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Sessions lists the files to read. A path that does not exist is an error;
// a file below a folder that cannot be read is a problem.
func (p *Project) Sessions(o ScanOptions) ([]scan.File, []knowledge.Problem, error) {
	switch {
	case len(o.Files) > 0:
		return o.Files, nil, nil
	case len(o.Paths) > 0:
		return NamedFiles(o.Paths)
	}
	var files []scan.File
	var problems []knowledge.Problem
	for _, c := range o.Clients {
		found, err := p.sessionsOf(c, time.Time{})
		files = append(files, found...)
		switch {
		case err == nil, errors.Is(err, fs.ErrNotExist): // the agent never ran here
		case len(o.Clients) == 1:
			return nil, nil, err
		default:
			problems = append(problems, knowledge.Problem{Path: c.Home(p.Home, p.Env), Rule: "unreadable", Text: err.Error()})
		}
	}
	return files, problems, nil
}

// sessionsOf lists one agent's sessions of this repository, also from where it lay
// before, and may leave out those that were last written to before a time.
func (p *Project) sessionsOf(c *agent.Client, since time.Time) ([]scan.File, error) {
	home := c.Home(p.Home, p.Env)
	var files []scan.File
	var problems error
	for _, root := range append(p.MovedFrom(), p.Root) {
		names, err := c.Sessions(writtenSince{os.DirFS(home), since}, root)
		problems = errors.Join(problems, err)
		for _, name := range names {
			found, trouble := sessionsIn(filepath.Join(home, filepath.FromSlash(name)), filepath.ToSlash(root))
			files = append(files, found...)
			problems = errors.Join(problems, trouble)
		}
	}
	return files, problems
}

// writtenSince is an agent's folder in which older session files do not show, so
// that a hook need not open thousands.
type writtenSince struct {
	fs.FS
	since time.Time
}

// ReadDir implements [fs.ReadDirFS].
func (w writtenSince) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(w.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		if w.since.IsZero() || filepath.Ext(e.Name()) != ".jsonl" {
			return false
		}
		info, err := e.Info()
		return err == nil && !info.ModTime().After(w.since)
	}), err
}

// sessionsIn lists the sessions that a file stands for: one, or those of a
// repository in a database.
func sessionsIn(name, root string) ([]scan.File, error) {
	if isDatabase(name) {
		return databaseSessions(name, root)
	}
	if storage, ok := storageOf(name); ok {
		return []scan.File{storedSession(name, storage)}, nil
	}
	return []scan.File{diskFile(name)}, nil
}

func isDatabase(name string) bool { return filepath.Ext(name) == ".db" }

// NamedFiles lists the sessions in files and folders.
func NamedFiles(paths []string) ([]scan.File, []knowledge.Problem, error) {
	var files []scan.File
	var problems []knowledge.Problem
	trouble := func(name string, err error) {
		problems = append(problems, knowledge.Problem{Path: name, Rule: "unreadable", Text: err.Error()})
	}
	for _, path := range paths {
		err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				if name == path {
					return err
				}
				trouble(name, err)
				return nil
			}
			if d.IsDir() && isPieces(name) {
				return fs.SkipDir // read with the sessions that they belong to
			}
			if !d.Type().IsRegular() || name != path && !isTranscript(name) {
				return nil
			}
			found, err := sessionsIn(name, "")
			if err != nil {
				trouble(name, err)
			}
			for _, f := range found {
				f.Named = name == path
				files = append(files, f)
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return files, problems, nil
}

// isPieces says whether a folder holds the pieces of stored sessions.
func isPieces(dir string) bool {
	base := filepath.Base(dir)
	return (base == "message" || base == "part") && isStorage(filepath.Dir(dir))
}

func isTranscript(name string) bool {
	if isDatabase(name) {
		return strings.HasPrefix(filepath.Base(name), "opencode")
	}
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".json") && !strings.HasSuffix(name, ".meta.json")
}

// besideOnDisk is a transcript that was not asked for, if there is one.
func besideOnDisk(path string) (scan.File, bool) {
	name := filepath.FromSlash(path)
	info, err := os.Stat(name)
	return diskFile(name), err == nil && info.Mode().IsRegular()
}

// diskFile is a transcript on disk.
func diskFile(name string) scan.File {
	return scan.File{
		Path: name,
		Open: func() (io.ReadSeekCloser, scan.FileInfo, error) {
			f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe would wait for its writer
			if err != nil {
				return nil, scan.FileInfo{}, err
			}
			info, err := f.Stat()
			if err == nil && !info.Mode().IsRegular() {
				err = &fs.PathError{Op: "read", Path: name, Err: errors.New("not a regular file")}
			}
			if err != nil {
				f.Close()
				return nil, scan.FileInfo{}, err
			}
			return f, fileInfo(info), nil
		},
		Stat: func() (scan.FileInfo, error) {
			info, err := os.Stat(name)
			if err != nil {
				return scan.FileInfo{}, err
			}
			return fileInfo(info), nil
		},
	}
}

func fileInfo(info fs.FileInfo) scan.FileInfo {
	return scan.FileInfo{Size: info.Size(), ModTime: info.ModTime(), ID: fsx.FileID(info)}
}
