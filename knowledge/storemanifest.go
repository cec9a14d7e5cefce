package knowledge

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/lessons-cli/lessons/internal/fsx"
)

// manifestBase is what a [Manifest] was loaded from: the files of either layout.
// It travels with the manifest and its copies.
type manifestBase struct{ files map[string][]byte }

// manifestFiles is the manifest as it lies in the work tree.
type manifestFiles struct {
	files  map[string][]byte // all that could be read, whatever they hold
	bad    []badManifest
	joined *Manifest
}

// badManifest is a file that cannot be read, or not be written because a newer
// version wrote it.
type badManifest struct {
	path    string
	problem Problem
	err     error
}

// readManifest reads both layouts and joins them.
func (s *Store) readManifest() manifestFiles {
	m := manifestFiles{files: map[string][]byte{}}
	paths := []string{ManifestPath}
	info, err := fsx.LstatBelow(s.FS, s.Places.Root, ManifestFolder)
	switch {
	case err == nil && info.IsDir():
		paths = append(paths, s.manifestFolder(&m)...)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		m.fail(s.Places.Root, ManifestFolder, err)
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
	m.joined.base = &manifestBase{m.files}
	return m
}

func (s *Store) manifestFolder(m *manifestFiles) []string {
	entries, err := s.FS.ReadDir(filepath.Join(s.Places.Root, filepath.FromSlash(ManifestFolder)))
	if err != nil {
		m.fail(s.Places.Root, ManifestFolder, err)
	}
	var paths []string
	for _, e := range entries {
		if path.Ext(e.Name()) == ".json" {
			paths = append(paths, ManifestFolder+"/"+e.Name())
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
	var parts []*Manifest
	for _, p := range slices.Sorted(maps.Keys(m.files)) {
		part, err := ParseManifest(p, m.files[p])
		if err != nil {
			m.bad = append(m.bad, badManifest{p, manifestProblem(p, err), err})
		}
		if part != nil {
			parts = append(parts, part)
		}
	}
	switch len(parts) {
	case 0:
		m.joined = &Manifest{}
	case 1:
		m.joined = parts[0]
	default:
		all := gathering{}
		m.joined = &Manifest{}
		for _, part := range parts {
			m.joined.unknown = joinUnknown(m.joined.unknown, part.unknown)
			for _, c := range part.candidates() {
				all.meet(c)
			}
		}
		unknown := m.joined.unknown
		m.joined = all.manifest()
		m.joined.unknown = unknown
	}
}

// planManifest works out the new files of the manifest, under the lock. When
// somebody changed the one that the plan was made from, by a checkout perhaps,
// nothing is written: rows of another tree would look like deletions here.
func (s *Store) planManifest(planned *Manifest, c Config) ([]fsx.Replacement, error) {
	disk := s.readManifest()
	if planned.base == nil {
		planned = MergeManifests(disk.joined, planned)
	} else if p, changed := differs(planned.base.files, disk.files); changed {
		return nil, &fsx.ChangedError{Path: p}
	}
	if bad := disk.unusable(ManifestPath); bad != nil {
		if bytes.Equal(planned.layout(), disk.joined.layout()) {
			return nil, nil // nothing is lost by leaving it alone
		}
		return nil, bad
	}
	after := disk.layout(planned, c.Layout)
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
	for _, p := range slices.Sorted(maps.Keys(disk.files)) {
		if _, stays := after[p]; !stays && disk.unusable(p) == nil {
			writes = append(writes, fsx.Replacement{Path: p, Guarded: true, Before: disk.files[p]})
		}
	}
	return writes, nil
}

// layout returns the files that hold the manifest in a layout.
func (m manifestFiles) layout(planned *Manifest, l Layout) map[string][]byte {
	if l == LayoutFiles {
		return planned.Files()
	}
	data := planned.Bytes()
	if len(planned.Rows)+len(planned.Tombstones)+len(planned.unknown) == 0 && m.files[ManifestPath] == nil {
		return nil
	}
	return map[string][]byte{ManifestPath: data}
}

func (m manifestFiles) unusable(path string) error {
	for _, bad := range m.bad {
		if bad.path == path {
			return bad.err
		}
	}
	return nil
}

// sameManifest says whether two files say the same, so that somebody's
// formatting of one stays.
func sameManifest(a, b []byte) bool {
	if a == nil || b == nil {
		return false
	}
	x, errX := ParseManifest("", a)
	y, errY := ParseManifest("", b)
	return errX == nil && errY == nil && bytes.Equal(x.layout(), y.layout())
}

// differs names the first file in which two readings differ.
func differs(a, b map[string][]byte) (string, bool) {
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, p := range slices.Sorted(maps.Keys(all)) {
		if !sameFile(a[p], b[p]) {
			return p, true
		}
	}
	return "", false
}
