package resolve

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
)

// Name is one use of a number by an entry.
type Name struct {
	Kind   knowledge.Kind
	Number int
	Key    string // identity of the entry, see [entry.Keys]
}

// ID is the display name.
func (n Name) ID() string { return entry.ID(n.Kind, n.Number) }

// History is what the commits behind the sides of a merge say of entries.
type History struct {
	repo  gitstate.Repository
	tips  []string
	first map[Name]gitstate.Commit   // earliest commit that holds the entry under the number
	paths map[string]map[string]bool // display name → files that held it
	names map[string][]Name          // blob → entries in it
	lines map[string]map[string]bool // blob → its lines
	walks map[walk][]gitstate.Commit // of cited files, each walked once
}

// walk is one walk over the history of a file.
type walk struct{ tip, path string }

// ReadHistory walks the knowledge files behind the tips: HEAD, and the other side
// while a merge is going on. Other branches do not count, so that everybody who
// repairs a merge has the same facts.
func ReadHistory(ctx context.Context, repo gitstate.Repository, tips []string) (*History, error) {
	h := &History{
		repo: repo, tips: tips, first: map[Name]gitstate.Commit{}, paths: map[string]map[string]bool{},
		names: map[string][]Name{}, lines: map[string]map[string]bool{}, walks: map[walk][]gitstate.Commit{},
	}
	for _, tip := range tips {
		commits, err := repo.Log(ctx, gitstate.Walk{From: tip, Paths: []string{entry.Folder}})
		if err != nil {
			return nil, err
		}
		if err := h.readEntries(ctx, commits); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func (h *History) readEntries(ctx context.Context, commits []gitstate.Commit) error {
	unread := func(path, oid string) bool {
		_, read := h.names[oid]
		return !read && strings.HasSuffix(path, ".md")
	}
	err := gitstate.EachVersion(ctx, h.repo, commits, unread, func(path string, o gitstate.Object) error {
		h.names[o.Name] = namesIn(path, o.Data)
		return nil
	})
	h.noteFirst(commits)
	return err
}

// noteFirst finds where entries got their numbers: the commits that have an entry
// under a number where no parent has it. A merge that only brings sides together
// is none of them.
func (h *History) noteFirst(commits []gitstate.Commit) {
	type gain struct {
		commit string
		name   Name
	}
	gains := map[gain]int{} // parents without the name
	for _, c := range commits {
		for _, change := range c.Changes {
			if change.Status == "D" {
				continue
			}
			for _, n := range h.names[change.NewOID] {
				lists.AddTo(h.paths, n.ID(), change.Path)
				if slices.Contains(h.names[change.OldOID], n) {
					continue
				}
				g := gain{c.OID, n}
				if gains[g]++; gains[g] < max(1, len(c.Parents)) {
					continue
				}
				if before, ok := h.first[n]; !ok || compareCommits(c, before) < 0 {
					h.first[n] = c
				}
			}
		}
	}
}

func compareCommits(a, b gitstate.Commit) int {
	return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.OID, b.OID))
}

func namesIn(path string, text []byte) []Name {
	book, _ := entry.ParseBook(path, text)
	keys := entry.Keys(book.Entries)
	var names []Name
	for i, e := range book.Entries {
		names = append(names, Name{e.Kind, e.Number, keys[i]})
	}
	return names
}

// Used returns the greatest number that history knows for a kind.
func (h *History) Used(kind knowledge.Kind) int {
	greatest := 0
	for n := range h.first {
		if n.Kind == kind {
			greatest = max(greatest, n.Number)
		}
	}
	return greatest
}

// order puts the entries that share a number into the order of their claims: what
// was committed under it comes first, an ancestor before its descendants, the
// earlier commit before the later one. Identity decides between equals.
func (h *History) order(ctx context.Context, names []Name) ([]Name, error) {
	behind := map[Name]map[string]bool{}
	for _, n := range names {
		first, ok := h.first[n]
		if !ok {
			continue
		}
		commits, err := h.repo.Log(ctx, gitstate.Walk{From: first.OID, Paths: []string{entry.Folder}})
		if err != nil {
			return nil, err
		}
		behind[n] = lists.SetOf(commits, func(c gitstate.Commit) string { return c.OID })
	}
	never := time.Unix(1<<40, 0)
	sorted := slices.Clone(names)
	slices.SortFunc(sorted, func(a, b Name) int {
		first, second := h.first[a], h.first[b]
		switch {
		case first.OID != second.OID && behind[b][first.OID]:
			return -1
		case first.OID != second.OID && behind[a][second.OID]:
			return 1
		}
		for _, c := range []*gitstate.Commit{&first, &second} {
			if c.OID == "" {
				c.Time = never
			}
		}
		return cmp.Or(compareCommits(first, second), cmp.Compare(a.Key, b.Key))
	})
	return sorted, nil
}

// Meant returns the one entry that a display name stood for in the commits which
// brought a line into a file; false when the line is in no commit, or when the
// commits do not agree on exactly one entry.
func (h *History) Meant(ctx context.Context, path, line, id string) (string, bool, error) {
	commits, err := h.introduced(ctx, path, line)
	if err != nil || len(commits) == 0 {
		return "", false, err
	}
	meant := ""
	for _, c := range commits {
		keys, err := h.holders(ctx, c, id)
		if err != nil || len(keys) != 1 || meant != "" && keys[0] != meant {
			return "", false, err
		}
		meant = keys[0]
	}
	return meant, true, nil
}

// introduced lists the commits that have the line where no parent has it.
func (h *History) introduced(ctx context.Context, path, line string) ([]string, error) {
	parents := map[string]int{}
	without := map[string]int{} // parents without the line
	for i, tip := range h.tips {
		commits, err := h.walk(ctx, walk{tip, path})
		if err != nil {
			return nil, err
		}
		seen := map[string]bool{}
		for c := range parents {
			seen[c] = i > 0 // walked from an earlier tip
		}
		for _, c := range commits {
			if seen[c.OID] {
				continue
			}
			parents[c.OID] = len(c.Parents)
			for _, change := range c.Changes {
				if change.Path != path || change.Status == "D" {
					continue
				}
				has, err := h.hasLine(ctx, change.NewOID, line)
				if err != nil {
					return nil, err
				}
				had, err := h.hasLine(ctx, change.OldOID, line)
				if err != nil {
					return nil, err
				}
				if has && !had {
					without[c.OID]++
				}
			}
		}
	}
	var found []string
	for c, n := range without {
		if n >= max(1, parents[c]) {
			found = append(found, c)
		}
	}
	slices.Sort(found)
	return found, nil
}

// walk lists the commits of a file behind a tip; a file has many citations.
func (h *History) walk(ctx context.Context, w walk) ([]gitstate.Commit, error) {
	if commits, ok := h.walks[w]; ok {
		return commits, nil
	}
	commits, err := h.repo.Log(ctx, gitstate.Walk{From: w.tip, Paths: []string{w.path}})
	if err == nil {
		h.walks[w] = commits
	}
	return commits, err
}

func (h *History) hasLine(ctx context.Context, blob, line string) (bool, error) {
	if gitstate.IsZero(blob) {
		return false, nil
	}
	if h.lines[blob] == nil {
		objects, err := h.repo.Objects(ctx, []string{blob}, true)
		if err != nil {
			return false, err
		}
		h.lines[blob] = map[string]bool{}
		for l := range bytes.Lines(objects[0].Data) {
			h.lines[blob][strings.TrimRight(string(l), "\r\n")] = true
		}
	}
	return h.lines[blob][line], nil
}

// holders lists the entries that a commit's tree has under a display name.
func (h *History) holders(ctx context.Context, commit, id string) ([]string, error) {
	var asked, paths []string
	for path := range h.paths[id] {
		paths = append(paths, path)
		asked = append(asked, commit+":"+path)
	}
	if len(asked) == 0 {
		return nil, nil
	}
	objects, err := h.repo.Objects(ctx, asked, true)
	if err != nil {
		return nil, err
	}
	var keys []string
	for i, o := range objects {
		if o.Missing {
			continue
		}
		for _, n := range namesIn(paths[i], o.Data) {
			if n.ID() == id && !slices.Contains(keys, n.Key) {
				keys = append(keys, n.Key)
			}
		}
	}
	return keys, nil
}
