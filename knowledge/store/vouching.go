package store

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// A log that git tracks comes from everybody who commits. It counts as it was written in
// this clone, or as this person trusted it. The git directory keeps the hashes of the last ones.
const (
	vouchedName = "vouched-logs"
	maxVouched  = 8
)

// vouchedLogs are the hashes, the oldest first.
func (s *Store) vouchedLogs() []string {
	data, _ := s.FS.ReadFile(filepath.Join(s.Places.Shared, vouchedName)) // without it none is
	return strings.Fields(string(data))
}

// vouched says whether a log in the work tree may be read. One that cannot be read is a
// problem of its own.
func (s *Store) vouched(f logFile) bool {
	hash, err := f.hash()
	return err != nil || s.stands(hash) || s.LookAtOwn != nil && s.LookAtOwn() && s.stands(hash)
}

func (s *Store) stands(hash string) bool { return slices.Contains(s.vouchedLogs(), hash) }

// hash is the content's.
func (f logFile) hash() (string, error) {
	if f.text == nil {
		return knowledge.ContentHash(nil), f.err
	}
	return hashOf(func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(f.text, 0, f.size))
		return err
	})
}

// hashOf is the hash of what is written.
func hashOf(write func(io.Writer) error) (string, error) {
	h := knowledge.NewHasher()
	err := write(h)
	return h.Sum(), err
}

// vouching is the file that vouches for the text with a hash beside the last ones.
func (s *Store) vouching(hash string) fsx.Replacement {
	kept := lists.Filter(s.vouchedLogs(), func(other string) bool { return other != hash })
	kept = append(kept[max(0, len(kept)+1-maxVouched):], hash)
	return fsx.Replacement{Path: vouchedName, Data: []byte(strings.Join(kept, "\n") + "\n")}
}

// VouchLog trusts the log in the work tree as it is now.
func (s *Store) VouchLog() error {
	tree := s.treeLog()
	hash, err := tree.hash()
	if tree.text == nil || err != nil {
		return err
	}
	return s.vouch(hash)
}

func (s *Store) vouch(hash string) error {
	return fsx.Replace(s.FS, s.Places.Shared, []fsx.Replacement{s.vouching(hash)})
}

// VouchMade trusts a log that this person committed, where they stood for what was there
// before.
func (s *Store) VouchMade(c Change) error {
	if c.Path != observe.LogPath || c.Before != nil && !s.stands(knowledge.ContentHash(c.Before)) {
		return nil
	}
	return s.vouch(knowledge.ContentHash(c.After))
}

// DoubtLog takes back what VouchLog did, and what was written here.
func (s *Store) DoubtLog() error {
	err := s.FS.Remove(filepath.Join(s.Places.Shared, vouchedName))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return err
}

func (s *Store) treeLog() logFile {
	return s.readLog(s.Places.Root, observe.LogPath, observe.LogPath)
}
