package inject

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/lists"
)

// Trust is what this person trusts, on this machine: the content of
// $XDG_STATE_HOME/lessons/trust.json. It lies outside of every repository, so that
// no repository can answer for itself.
type Trust struct {
	Version int `json:"version"`
	// Trees has what is trusted by the physical path of a clone: its common git directory.
	Trees map[string]TreeTrust `json:"trees"`
}

// TreeTrust is what is trusted in one clone.
type TreeTrust struct {
	// Accepted is when its lessons that inform or stop once were accepted, as they
	// are on the upstream's default branch; zero: they were not.
	Accepted time.Time `json:"accepted,omitzero"`
	// Hashes are the contents of lesson files, "sha256:…", that are trusted with
	// whatever they do: guards, rewrites, packs, and what this machine wrote.
	Hashes []string `json:"hashes,omitempty"`
	// Settings is the repository's settings file as it was trusted last.
	Settings string `json:"settings,omitempty"`
}

const (
	trustVersion = 1
	// MaxTrust is how large a trust file may be, in bytes.
	MaxTrust = 4 << 20
)

// ParseTrust reads a trust file. A file that cannot be read trusts nothing.
func ParseTrust(data []byte) (Trust, error) {
	none := Trust{Trees: map[string]TreeTrust{}}
	if len(data) == 0 {
		return none, nil
	}
	var t Trust
	if err := json.Unmarshal(data, &t); err != nil {
		return none, fmt.Errorf("what is trusted cannot be read: %w", err)
	}
	if t.Version != trustVersion {
		return none, fmt.Errorf("what is trusted was written by another version of lessons (%d)", t.Version)
	}
	for _, tree := range t.Trees {
		slices.Sort(tree.Hashes)
	}
	return t, nil
}

// ReadTrust reads the trust file of that path. One that is not there trusts
// nothing; one that is a link, or that others can write, is refused.
func ReadTrust(name string) (Trust, error) {
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return ParseTrust(nil)
	}
	if err != nil {
		return Trust{}, err
	}
	if !info.Mode().IsRegular() || !safeToBelieve(info) || info.Size() > MaxTrust {
		return Trust{}, fmt.Errorf("%s: not believed: it must be a file of yours that nobody else can write", name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return Trust{}, err
	}
	return ParseTrust(data)
}

// Bytes is the trust file, sorted, so that equal trust has equal bytes.
func (t Trust) Bytes() ([]byte, error) {
	t.Version = trustVersion
	for root, tree := range t.Trees {
		tree.Hashes = lists.SortedUnique(tree.Hashes) // as whoever edited the file may not have left them
		t.Trees[root] = tree
	}
	data, err := json.MarshalIndent(t, "", "  ")
	return append(data, '\n'), err
}

// Applicant is a lesson that asks for trust.
type Applicant struct {
	Hash     string // of the lesson file: "sha256:…"
	Action   string
	Guard    bool // it has gates
	Upstream bool // the file is as it is on the upstream's default branch
}

// Trusts says whether a lesson of a work tree may act as it wants to. A lesson
// without trust informs, and is marked.
func (t Trust) Trusts(root string, c Applicant) bool {
	tree, ok := t.Trees[root]
	if !ok {
		return false
	}
	if _, ok := slices.BinarySearch(tree.Hashes, c.Hash); ok {
		return validHash(c.Hash)
	}
	mild := c.Action == actionInform || c.Action == actionStopOnce || c.Action == "auto"
	return !tree.Accepted.IsZero() && c.Upstream && mild && !c.Guard
}

// Accept trusts the lessons of a work tree that inform or stop once.
func (t *Trust) Accept(root string, at time.Time) {
	tree := t.tree(root)
	tree.Accepted = at.UTC().Truncate(time.Second)
	t.Trees[root] = tree
}

// Add trusts contents, with whatever they do.
func (t *Trust) Add(root string, hashes ...string) error {
	tree := t.tree(root)
	for _, h := range hashes {
		if !validHash(h) {
			return fmt.Errorf("%q is no hash of a file's content", clip(h))
		}
		tree.Hashes = append(tree.Hashes, h)
	}
	tree.Hashes = lists.SortedUnique(tree.Hashes)
	t.Trees[root] = tree
	return nil
}

// Take takes trust in contents back.
func (t *Trust) Take(root string, hashes ...string) {
	tree := t.tree(root)
	tree.Hashes = slices.DeleteFunc(slices.Clone(tree.Hashes), func(h string) bool { return slices.Contains(hashes, h) })
	t.Trees[root] = tree
}

// KeepSettings remembers the settings that are trusted.
func (t *Trust) KeepSettings(root, text string) {
	tree := t.tree(root)
	tree.Settings = text
	t.Trees[root] = tree
}

// Drop takes the trust in a clone back.
func (t *Trust) Drop(root string) { delete(t.Trees, root) }

// tree returns what is trusted in a work tree, with a list of its own.
func (t *Trust) tree(root string) TreeTrust {
	if t.Trees == nil {
		t.Trees = map[string]TreeTrust{}
	}
	tree := t.Trees[root]
	tree.Hashes = slices.Clone(tree.Hashes)
	return tree
}

func validHash(h string) bool {
	digits, ok := strings.CutPrefix(h, "sha256:")
	return ok && len(digits) == 64 && strings.Trim(digits, "0123456789abcdef") == ""
}
