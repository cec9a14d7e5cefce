package reconcile

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

// workTree is what stands in the work tree (fact F3): the artifacts by marker
// and by path, and single files that lie outside of the artifact folders.
type workTree struct {
	fs     fsx.FS
	root   string
	byKey  map[knowledge.Key][]artifact.Artifact
	byPath map[string][]artifact.Artifact
}

func readWorkTree(files fsx.FS, root string, artifacts []artifact.Artifact) *workTree {
	w := &workTree{
		fs: files, root: root,
		byKey:  map[knowledge.Key][]artifact.Artifact{},
		byPath: map[string][]artifact.Artifact{},
	}
	for _, a := range artifacts {
		w.byPath[a.Path] = append(w.byPath[a.Path], a)
		if a.Source != "" {
			key := knowledge.Key{Observation: a.Source, Kind: a.Kind}
			w.byKey[key] = append(w.byKey[key], a)
		}
	}
	return w
}

// at returns what stands at a path for a row: the artifact with its marker, or
// one without any marker that a person made their own. It returns nil when
// nothing does, or what does is another's.
func (w *workTree) at(row manifest.Row, p string) *artifact.Artifact {
	if a := pick(row, w.byPath[p]); a != nil {
		return a
	}
	if w.outside(p) != "" {
		return nil
	}
	data, err := fsx.ReadBelow(w.fs, w.root, p, maxFile)
	if err != nil {
		return nil
	}
	return pick(row, artifact.In(row.Key().Kind, p, data))
}

// maxFile bounds what is read of a file, in bytes.
const maxFile = 16 << 20

// pick chooses the row's artifact among those of one file.
func pick(row manifest.Row, found []artifact.Artifact) *artifact.Artifact {
	var marked, unmarked []artifact.Artifact
	for _, a := range found {
		switch {
		case a.Kind != row.Key().Kind:
		case a.Source == row.ObservationID:
			marked = append(marked, a)
		case a.Source == "" && (!isSection(row) || (row.Anchor != "" && a.Anchor == row.Anchor)):
			unmarked = append(unmarked, a)
		}
	}
	if len(marked) > 1 { // copied within the book: the one that kept the number
		marked = slices.DeleteFunc(marked, func(a artifact.Artifact) bool { return a.Anchor != row.Anchor })
	}
	switch {
	case len(marked) == 1:
		return &marked[0]
	case len(marked) == 0 && len(unmarked) == 1:
		return &unmarked[0]
	}
	return nil
}

// elsewhere lists the artifacts with the row's marker, except published copies
// and what stands at another row's path.
func (w *workTree) elsewhere(row manifest.Row, rows []manifest.Row) []artifact.Artifact {
	return lists.Filter(w.byKey[row.Key()], func(a artifact.Artifact) bool {
		return !isCopy(row, a.Path) && (isSection(row) || !pathOfOther(row, rows, a.Path))
	})
}

// isCopy says whether a path is, or lies in, one of the row's published copies.
func isCopy(row manifest.Row, p string) bool {
	return slices.ContainsFunc(row.Copies, func(c string) bool {
		return p == c || strings.HasPrefix(p, strings.TrimSuffix(c, "/")+"/") || path.Dir(c) == path.Dir(p)
	})
}

func pathOfOther(row manifest.Row, rows []manifest.Row, p string) bool {
	return slices.ContainsFunc(rows, func(other manifest.Row) bool { return other.Path == p && other.Key() != row.Key() })
}

// outside names the reason why nothing can be said of a path: it leads out of
// the work tree, through a link or into another repository, whose business it
// is (step 4.2), or what stands there cannot be read, and so is not gone.
func (w *workTree) outside(p string) string {
	if err := fsx.ValidPath(p); err != nil {
		return "the path leads out of the repository"
	}
	dirs := strings.Split(p, "/")
	for i := range dirs {
		at := strings.Join(dirs[:i+1], "/")
		info, err := w.fs.Lstat(w.file(at))
		if err != nil {
			return ""
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return at + " is a link"
		}
		switch {
		case i < len(dirs)-1 && !info.IsDir():
			return ""
		case i < len(dirs)-1 && w.exists(at+"/.git"):
			return at + " is another repository"
		case i == len(dirs)-1 && info.IsDir():
			return at + " is a folder"
		}
	}
	if _, err := fsx.ReadBelow(w.fs, w.root, p, maxFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("it cannot be read: %v", err)
	}
	return ""
}

// folderGone says whether the folder that held the row's artifact is missing
// too. A skill's own folder goes with the skill.
func (w *workTree) folderGone(row manifest.Row) bool {
	dir := path.Dir(row.Path)
	if row.Key().Kind == knowledge.KindSkill {
		dir = path.Dir(dir)
	}
	return !w.exists(dir)
}

func (w *workTree) exists(p string) bool {
	_, err := w.fs.Lstat(w.file(p))
	return err == nil
}

func (w *workTree) file(p string) string { return filepath.Join(w.root, filepath.FromSlash(p)) }

// isSection says whether the row's artifact is a section of a book or an entry
// file, which are told apart by their text and not by their path.
func isSection(row manifest.Row) bool {
	return row.Key().Kind == knowledge.KindADR || row.Key().Kind == knowledge.KindPF
}

// inBook says whether the row's artifact is one section among others there, so
// that the path alone says nothing of it.
func inBook(row manifest.Row, path string) bool {
	return isSection(row) && path == entry.BookPath(row.Key().Kind)
}

// holdOf says what one version of a file, read as artifacts, has of a row's.
func holdOf(row manifest.Row, found []artifact.Artifact) hold {
	a := pick(row, found)
	switch {
	case a == nil:
		return absent
	case a.Source == "":
		return bare
	}
	return mine
}

func isNoHistory(err error) bool {
	return errors.Is(err, gitstate.ErrNoHistory) || errors.Is(err, gitstate.ErrUnsupported)
}
