package store

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

// manifestFiles is the manifest as it lies in the work tree.
type manifestFiles struct {
	files  map[string][]byte // all that could be read, whatever they hold
	homes  map[string]string // observation → the file with the smallest name that has rows of it
	bad    []badManifest
	joined *manifest.Manifest
}

// badManifest is a file that cannot be read, or not be written because a newer
// version wrote it.
type badManifest struct {
	path    string
	problem knowledge.Problem
	err     error
}

// readManifest reads both layouts and joins them.
func (s *Store) readManifest() manifestFiles {
	m := manifestFiles{files: map[string][]byte{}, homes: map[string]string{}}
	paths := []string{manifest.Path}
	info, err := fsx.LstatBelow(s.FS, s.Places.Root, manifest.Folder)
	switch {
	case err == nil && info.IsDir():
		paths = append(paths, s.manifestFolder(&m)...)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		m.fail(s.Places.Root, manifest.Folder, err)
	}
	for _, p := range paths {
		data, err := fsx.ReadBelow(s.FS, s.Places.Root, p, maxManifest)
		switch {
		case err == nil:
			m.files[p] = data
		case !errors.Is(err, fs.ErrNotExist):
			m.fail(s.Places.Root, p, err)
		}
	}
	m.parse()
	m.joined.Base = m.files
	return m
}

func (s *Store) manifestFolder(m *manifestFiles) []string {
	entries, err := s.FS.ReadDir(filepath.Join(s.Places.Root, filepath.FromSlash(manifest.Folder)))
	if err != nil {
		m.fail(s.Places.Root, manifest.Folder, err)
	}
	var paths []string
	for _, e := range entries {
		if path.Ext(e.Name()) == ".json" {
			paths = append(paths, manifest.Folder+"/"+e.Name())
		}
	}
	return paths
}

func (m *manifestFiles) fail(root, path string, err error) {
	m.bad = append(m.bad, badManifest{path, readProblem(root, path, err), err})
}

// parse joins the files. A single one stays as it is, so that an unchanged
// manifest keeps its bytes.
func (m *manifestFiles) parse() {
	var parts []*manifest.Manifest
	for _, p := range slices.Sorted(maps.Keys(m.files)) {
		part, err := manifest.Parse(p, m.files[p])
		if err != nil {
			m.bad = append(m.bad, badManifest{p, manifest.Problem(p, err), err})
		}
		if part != nil {
			parts = append(parts, part)
			m.settle(part, p)
		}
	}
	if len(parts) == 1 {
		m.joined = parts[0]
		return
	}
	m.joined = manifest.Merge(parts...)
}

// settle notes that a file has rows of its observations.
func (m *manifestFiles) settle(part *manifest.Manifest, path string) {
	note := func(r manifest.Row) {
		if m.homes[r.ObservationID] == "" {
			m.homes[r.ObservationID] = path
		}
	}
	for _, r := range part.Rows {
		note(r)
	}
	for _, t := range part.Tombstones {
		note(t.Row)
	}
}

// planManifest works out the new files of the manifest, under the lock. When
// somebody changed the one that the plan was made from, by a checkout perhaps,
// nothing is written: rows of another tree would look like deletions here.
func (s *Store) planManifest(planned *manifest.Manifest, c config.Config) ([]fsx.Replacement, error) {
	disk := s.readManifest()
	if planned.Base == nil {
		planned = manifest.Merge(disk.joined, planned)
	} else if p, changed := differs(planned.Base, disk.files); changed {
		return nil, &fsx.ChangedError{Path: p}
	}
	if bad := disk.unusable(manifest.Path); bad != nil {
		if planned.Same(disk.joined) {
			return nil, nil // nothing is lost by leaving it alone
		}
		return nil, bad
	}
	after, err := s.layoutManifest(disk, planned, c.Layout)
	if err != nil {
		return nil, err
	}
	var writes []fsx.Replacement
	for _, p := range slices.Sorted(maps.Keys(after)) {
		before := disk.files[p]
		if sameFile(before, after[p]) || sameManifest(before, after[p]) {
			continue
		}
		if bad := disk.unusable(p); bad != nil {
			return nil, bad
		}
		writes = append(writes, fsx.Replacement{Path: p, Data: after[p], Guarded: true, Before: before})
	}
	if s.Hook {
		return s.untracked(writes), nil
	}
	for _, p := range slices.Sorted(maps.Keys(disk.files)) {
		if _, stays := after[p]; !stays && disk.unusable(p) == nil {
			writes = append(writes, fsx.Replacement{Path: p, Guarded: true, Before: disk.files[p]})
		}
	}
	return writes, nil
}

// layoutManifest returns the files that hold the manifest in a layout. Rows of one
// observation in several files are joined in the one with the smallest name. A hook
// makes a file a row in either layout, and the book takes them in later.
func (s *Store) layoutManifest(disk manifestFiles, planned *manifest.Manifest, l entry.Layout) (map[string][]byte, error) {
	if l != entry.LayoutFiles && !s.Hook {
		if planned.Empty() && disk.files[manifest.Path] == nil {
			return nil, nil
		}
		return map[string][]byte{manifest.Path: planned.Bytes()}, nil
	}
	key, err := s.cloneKey()
	if err != nil {
		return nil, err
	}
	return planned.Files(func(id string) string {
		if home := disk.homes[id]; home != "" && (home != manifest.Path || s.Hook) {
			return home
		}
		return manifest.File(id, knowledge.CloneSuffix(id, key))
	}), nil
}

func (s *Store) cloneKey() (string, error) {
	if s.CloneKey == nil {
		return "", nil
	}
	return s.CloneKey()
}

// untracked are the writes that a hook may do: of files that git does not track, and
// that no other clone makes.
func (s *Store) untracked(writes []fsx.Replacement) []fsx.Replacement {
	return lists.Filter(writes, func(w fsx.Replacement) bool {
		return w.Path != manifest.Path && !s.tracks(w.Path)
	})
}

func (m manifestFiles) unusable(path string) error {
	bad, _ := lists.Find(m.bad, func(bad badManifest) bool { return bad.path == path })
	return bad.err
}

// sameManifest says whether two files say the same, so that somebody's
// formatting of one stays.
func sameManifest(a, b []byte) bool {
	if a == nil || b == nil {
		return false
	}
	x, errX := manifest.Parse("", a)
	y, errY := manifest.Parse("", b)
	return errX == nil && errY == nil && x.Same(y)
}

// differs names the first file in which two readings differ.
func differs(a, b map[string][]byte) (string, bool) {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return lists.Find(slices.Sorted(maps.Keys(all)), func(p string) bool { return !sameFile(a[p], b[p]) })
}
