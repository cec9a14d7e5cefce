package reconcile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

// manifestSource is the manifest that a run is about, and where it was found.
type manifestSource struct {
	manifest *manifest.Manifest
	from     string // "work tree", "index", "HEAD"; empty: there is none
	digest   string // of its files, as they were read
	absent   bool   // the index says that it is meant not to be in the work tree
}

// isManifest says whether a path is (part of) the manifest.
func isManifest(p string) bool {
	return p == manifest.Path || (path.Dir(p) == manifest.Folder && path.Ext(p) == ".json")
}

// readManifest reads the manifest of the work tree; nil: there is none.
func readManifest(files fsx.FS, root string) (map[string][]byte, error) {
	found := map[string][]byte{}
	read := func(p string) error {
		data, err := fsx.ReadBelow(files, root, p, maxFile)
		switch {
		case err == nil:
			found[p] = data
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		return nil
	}
	if err := read(manifest.Path); err != nil {
		return nil, err
	}
	entries, err := files.ReadDir(filepath.Join(root, filepath.FromSlash(manifest.Folder)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if p := manifest.Folder + "/" + e.Name(); isManifest(p) {
			if err := read(p); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// parseManifests joins the files of either layout. A manifest that cannot be
// read, or that a newer version wrote, ends the run: a row that is not known
// would look like a file without one.
func parseManifests(files map[string][]byte) (*manifest.Manifest, error) {
	if one, ok := files[manifest.Path]; ok && len(files) == 1 {
		m, err := manifest.Parse(manifest.Path, one)
		if err != nil {
			return nil, &AbortError{err.Error()}
		}
		return m, nil
	}
	m, problems := manifest.ParseFiles(files)
	for _, p := range problems {
		return nil, &AbortError{(&manifest.Error{Path: p.Path, Line: p.Line, Err: errors.New(p.Text)}).Error()}
	}
	return m, nil
}

// findManifest takes the manifest from the work tree, else from the index, else
// from HEAD. In none of them: the tool was removed, and there are no rows.
func (f *facts) findManifest(files fsx.FS, root string) (manifestSource, error) {
	found, err := readManifest(files, root)
	if err != nil {
		return manifestSource{}, &AbortError{err.Error()}
	}
	source := manifestSource{from: "work tree"}
	if len(found) == 0 && f.repo != nil {
		source.from = "index"
		if found, source.absent, err = f.indexManifests(); err != nil {
			return source, err
		}
	}
	if len(found) == 0 && f.repo != nil {
		source.from = "HEAD"
		if found, err = f.headManifests(); err != nil {
			return source, err
		}
	}
	if len(found) == 0 {
		return manifestSource{manifest: &manifest.Manifest{}}, nil
	}
	source.digest = digestOf(found)
	source.manifest, err = parseManifests(found)
	return source, err
}

func digestOf(files map[string][]byte) string {
	h := sha256.New()
	for _, p := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s %d\n", p, len(files[p]))
		h.Write(files[p])
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (f *facts) indexManifests() (found map[string][]byte, absent bool, err error) {
	if err := f.list(nil); err != nil {
		if errors.Is(err, gitstate.ErrUnsupported) {
			return nil, false, nil
		}
		return nil, false, err
	}
	var paths, ids []string
	for p, e := range f.index {
		if isManifest(p) {
			if e.Stage > 0 {
				return nil, false, &AbortError{p + " is unmerged"}
			}
			absent = absent || e.Skip
			paths, ids = append(paths, p), append(ids, e.OID)
		}
	}
	if err := f.load(f.ctx, ids); err != nil {
		return nil, false, err
	}
	found = map[string][]byte{}
	for i, p := range paths {
		if b := f.blobs[ids[i]]; !b.unread && len(b.data) > 0 {
			found[p] = b.data
		}
	}
	return found, absent, nil
}

func (f *facts) headManifests() (map[string][]byte, error) {
	objects, err := f.repo.Objects(f.ctx, []string{"HEAD:" + manifest.Path, "HEAD:" + manifest.Folder}, true)
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	if o := objects[0]; !o.Missing && o.Type == "blob" {
		found[manifest.Path] = o.Data
	}
	if o := objects[1]; !o.Missing && o.Type == "tree" {
		var paths, ids []string
		for name, id := range treeFiles(o.Data, len(o.OID)/2) {
			if p := manifest.Folder + "/" + name; isManifest(p) {
				paths, ids = append(paths, p), append(ids, id)
			}
		}
		if err := f.load(f.ctx, ids); err != nil {
			return nil, err
		}
		for i, p := range paths {
			if b := f.blobs[ids[i]]; !b.unread {
				found[p] = b.data
			}
		}
	}
	return found, nil
}

// treeFiles reads a tree object: name to object id.
func treeFiles(data []byte, idSize int) map[string]string {
	files := map[string]string{}
	for len(data) > 0 {
		end := bytes.IndexByte(data, 0)
		if end < 0 || end+1+idSize > len(data) {
			break
		}
		_, name, _ := strings.Cut(string(data[:end]), " ")
		files[name] = hex.EncodeToString(data[end+1 : end+1+idSize])
		data = data[end+1+idSize:]
	}
	return files
}

// headManifest is what HEAD's manifest says, as far as it can be read.
func (f *facts) headManifest() (*manifest.Manifest, error) {
	if f.head == nil {
		files, err := f.headManifests()
		if err != nil {
			return nil, err
		}
		f.head, _ = manifest.ParseFiles(files)
	}
	return f.head, nil
}

// checkUnmerged ends the run when the index, once read, has the manifest in
// several stages.
func (f *facts) checkUnmerged() error {
	for p, e := range f.index {
		if isManifest(p) && e.Stage > 0 {
			return &AbortError{p + " is unmerged"}
		}
	}
	return nil
}

// reach asks F10 for several commits; without history every commit is unknown.
func (f *facts) reach(ctx context.Context, commits []string) (map[string]gitstate.Reach, error) {
	if f.repo == nil || len(commits) == 0 {
		return nil, nil
	}
	commits = slices.DeleteFunc(slices.Clone(commits), func(c string) bool { return !isObjectID(c) })
	if len(commits) == 0 {
		return nil, nil
	}
	reach, err := f.repo.Reach(ctx, commits)
	if isNoHistory(err) {
		return nil, nil
	}
	return reach, err
}

// isObjectID refuses what a manifest or a ledger may hold instead of a commit:
// both are files that others write.
func isObjectID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}
