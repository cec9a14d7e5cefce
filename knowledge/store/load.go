package store

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// Load reads the work tree's knowledge. The order is the reverse of that in
// which [Store.Apply] writes, so that all which the manifest names is found by
// then. An error means that the work tree itself cannot be read.
func (s *Store) Load() (*Snapshot, error) { return s.load((*loader).log) }

// LoadFiles reads all but the log, which may be large, for those who need none of it.
func (s *Store) LoadFiles() (*Snapshot, error) {
	return s.load(func(*loader) func() { return func() {} })
}

// load parses the log, which may be large, beside the artifacts: log reads it, and returns
// what waits for it.
func (s *Store) load(log func(*loader) (wait func())) (*Snapshot, error) {
	if _, err := s.FS.Lstat(s.Places.Root); err != nil {
		return nil, err
	}
	snap := &Snapshot{files: map[string][]byte{}, Log: &observe.Log{}}
	l := &loader{Store: s, snap: snap}
	l.config()
	l.manifest()
	wait := log(l)
	l.ledger()
	found := l.found()
	wait()
	l.artifacts(found)
	return snap, nil
}

// loader fills a snapshot.
type loader struct {
	*Store
	snap *Snapshot
}

// problem notes problems, each once: several files may lie behind one link.
func (l *loader) problem(problems ...knowledge.Problem) {
	for _, p := range problems {
		if !slices.Contains(l.snap.Problems, p) {
			l.snap.Problems = append(l.snap.Problems, p)
		}
	}
}

// read returns a file of the work tree; false when it is not there or cannot be
// read, which is a problem then.
func (l *loader) read(path string, limit int64) ([]byte, bool) {
	data, err := fsx.ReadBelow(l.FS, l.Places.Root, path, limit)
	switch {
	case err == nil:
		l.snap.files[path] = data
		return data, true
	case !errors.Is(err, fs.ErrNotExist):
		l.problem(readProblem(l.Places.Root, path, err))
	}
	return nil, false
}

// readProblem names what could not be read, with the rules of [Artifacts]. What
// stands in the way may be a folder above the path.
func readProblem(root, path string, err error) knowledge.Problem {
	p := knowledge.Problem{Path: path, Rule: "unreadable", Text: fsx.WithoutPath(err).Error()}
	if at, ok := errors.AsType[*fsx.RefusedError](err); ok {
		p.Text = at.Why
		if at.Link {
			p.Rule = "link"
		}
		if above, err := filepath.Rel(root, at.Path); err == nil && root != "" {
			p.Path = filepath.ToSlash(above)
		}
	}
	if at, ok := errors.AsType[*fsx.TooLargeError](err); ok {
		p.Rule, p.Text = "too-large", strings.TrimPrefix(at.Error(), at.Path+": ")
	}
	return p
}

// config reads the settings: the defaults, what an earlier tool left, the
// repository's own.
func (l *loader) config() {
	config, problems, data := l.Store.config(l.read)
	l.snap.Config, l.snap.Withheld = l.Store.reviewed(config, data)
	l.snap.ConfigData = data
	l.problem(problems...)
}

// reviewed are settings without what nobody here reviewed.
func (s *Store) reviewed(c config.Config, data []byte) (config.Config, []string) {
	if s.Vouched == nil {
		return c, nil
	}
	trusted, last := s.Vouched(data)
	if trusted {
		return c, nil
	}
	before, _, _ := s.config(func(path string, _ int64) ([]byte, bool) { return last, path == config.File && len(last) > 0 })
	return config.Withhold(before, c)
}

func (s *Store) config(read func(string, int64) ([]byte, bool)) (config.Config, []knowledge.Problem, []byte) {
	c := config.Default()
	if s.Base != nil {
		c = *s.Base
	}
	if LayoutOnDisk(s.FS, s.Places.Root) == entry.LayoutFiles {
		c.Layout = entry.LayoutFiles
	}
	return config.Load(c, read)
}

// LayoutOnDisk is the layout of the entries that are there. It holds where the
// settings do not name one, or cannot be read: a damaged line in them must not
// begin books beside a team's entry files.
func LayoutOnDisk(fsys fsx.FS, root string) entry.Layout {
	is := func(path string, folder bool) bool {
		info, err := fsys.Lstat(filepath.Join(root, filepath.FromSlash(path)))
		return err == nil && info.IsDir() == folder
	}
	switch {
	case is(entry.DecisionsPath, false), is(entry.PitfallsPath, false), is(manifest.Path, false):
		return entry.LayoutBook
	case is(entry.Dir(knowledge.KindADR), true), is(entry.Dir(knowledge.KindPF), true), is(manifest.Folder, true):
		return entry.LayoutFiles
	}
	return entry.LayoutBook
}

func (l *loader) manifest() {
	m := l.Store.readManifest()
	l.snap.Manifest = m.joined
	maps.Copy(l.snap.files, m.files)
	for _, bad := range m.bad {
		l.problem(bad.problem)
		if l.snap.ManifestErr == nil {
			l.snap.ManifestErr = bad.err
		}
	}
}

func (l *loader) log() (wait func()) {
	logs := l.Store.readLogs(l.snap.Config)
	var log *observe.Log
	var problems []knowledge.Problem
	var parsing sync.WaitGroup
	parsing.Go(func() { log, problems = logs.join(l.snap.Config.Thresholds) })
	return func() {
		parsing.Wait()
		l.snap.Log, l.snap.LogDoubted = log, logs.doubted
		l.problem(problems...)
	}
}

func (l *loader) ledger() {
	name := filepath.Join(l.Places.Shared, ledgerName)
	data, err := fsx.ReadBelow(l.FS, l.Places.Shared, ledgerName, maxLedger)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		l.problem(readProblem("", name, err))
	default:
		events, problems := verdict.ReadLedger(name, data)
		l.snap.Ledger = events
		l.problem(problems...)
	}
}

// found is what the artifact folders hold.
func (l *loader) found() artifact.Found {
	all := artifact.ReadWith(recorder{l.FS, l.Places.Root, l.snap.files}, l.Places.Root, l.cache())
	if all.Cache != nil {
		_ = fsx.WriteFile(l.FS, filepath.Join(l.Places.Local, cacheName), all.Cache) // without it the next run takes longer
	}
	for _, a := range all.Artifacts {
		if a.Kind == knowledge.KindLesson {
			l.snap.files[a.Path] = notNil(a.Text) // of the cache they were not read
		}
	}
	return all
}

func (l *loader) artifacts(all artifact.Found) {
	l.problem(all.Problems...)
	l.snap.Artifacts, l.snap.Lessons = all.Artifacts, all.Lessons
	l.snap.Decisions, l.snap.Pitfalls = all.Decisions, all.Pitfalls
	l.snap.Waiting = l.Waiting(slices.Concat(all.Decisions, all.Pitfalls))
}

// cache is what an earlier run parsed.
func (l *loader) cache() artifact.Cache {
	c := l.Store.Cache
	if c.Program != "" {
		c.Data, _ = fsx.ReadBelow(l.FS, l.Places.Local, cacheName, maxCache)
	}
	return c
}

// recorder keeps what is read through it.
type recorder struct {
	fsx.FS
	root  string
	files map[string][]byte
}

func (r recorder) ReadFile(name string) ([]byte, error) {
	data, err := r.FS.ReadFile(name)
	if err != nil {
		return data, err
	}
	if path, err := filepath.Rel(r.root, name); err == nil {
		r.files[filepath.ToSlash(path)] = notNil(data)
	}
	return data, nil
}
