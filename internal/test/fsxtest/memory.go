// Package fsxtest holds file systems for tests: one in memory that knows what a
// loss of power would leave of it, one that fails or dies at a chosen call, and
// a loop over every call of a scenario.
package fsxtest

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
)

// Memory is a file system in memory. It keeps two states: what programs see,
// and what is durable because it was synced. [Memory.Crash] makes the durable
// state the visible one. It is safe for concurrent use.
type Memory struct {
	mu    sync.Mutex
	root  *node
	now   time.Time
	locks map[string]bool
}

var _ fsx.FS = (*Memory)(nil)

// node is a file, directory or symbolic link.
type node struct {
	mode    fs.FileMode
	mtime   time.Time
	data    []byte // of a file; the target of a link
	durable []byte // of a file: as of its last sync
	lock    bool   // a file that exists to be locked

	entries map[string]*node // of a directory
	kept    map[string]*node // of a directory: as of its last sync
	pending [][]entryChange  // what happened since, each element all or nothing
}

type entryChange struct {
	name string
	node *node // nil: removed
}

// NewMemory returns a file system that holds the files, by absolute name.
// They are durable.
func NewMemory(files map[string]string) *Memory {
	m := &Memory{
		root: newDir(0o755), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		locks: map[string]bool{},
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		m.Put(name, files[name])
	}
	return m
}

func newDir(perm fs.FileMode) *node {
	return &node{mode: fs.ModeDir | perm, entries: map[string]*node{}, kept: map[string]*node{}}
}

func (n *node) isDir() bool  { return n.mode.IsDir() }
func (n *node) isLink() bool { return n.mode&fs.ModeSymlink != 0 }

// set changes entries of a directory as one step.
func (n *node) set(changes ...entryChange) {
	for _, c := range changes {
		if c.node == nil {
			delete(n.entries, c.name)
		} else {
			n.entries[c.name] = c.node
		}
	}
	n.pending = append(n.pending, changes)
}

func (n *node) syncEntries() { n.kept, n.pending = maps.Clone(n.entries), nil }

// Put stores a file, as a person does who saves it: with its directories, and
// durable. A mode other than 0644 is set with [Memory.SetMode].
func (m *Memory) Put(name, content string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.place(name, &node{mode: 0o644, data: []byte(content), durable: []byte(content), mtime: m.tick()})
}

// PutLink stores a symbolic link.
func (m *Memory) PutLink(name, target string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.place(name, &node{mode: fs.ModeSymlink | 0o777, data: []byte(target), mtime: m.tick()})
}

func (m *Memory) place(name string, n *node) {
	dir, err := m.makeDirs(filepath.Dir(name), 0o755)
	if err != nil {
		panic(err)
	}
	dir.set(entryChange{filepath.Base(name), n})
	for at, parts := m.root, split(filepath.Dir(name)); ; parts = parts[1:] {
		at.syncEntries()
		if len(parts) == 0 {
			return
		}
		at = at.entries[parts[0]]
	}
}

// Delete removes a file or a whole directory, durably; what is not there is
// not an error.
func (m *Memory) Delete(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if dir, err := m.find(filepath.Dir(name), true); err == nil && dir.isDir() {
		dir.set(entryChange{filepath.Base(name), nil})
		dir.syncEntries()
	}
}

// SetMode sets the permission bits of a file; 0 makes it unreadable.
func (m *Memory) SetMode(name string, perm fs.FileMode) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name, true)
	if err != nil {
		panic(err)
	}
	n.mode = n.mode.Type() | perm
}

// Tree returns the content of all files by absolute name, but for those that
// only exist to be locked. A symbolic link is "-> target".
func (m *Memory) Tree() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	tree := map[string]string{}
	m.root.walk("", func(name string, n *node) {
		switch {
		case n.isLink():
			tree[name] = "-> " + string(n.data)
		case !n.isDir() && !n.lock:
			tree[name] = string(n.data)
		}
	})
	return tree
}

func (n *node) walk(name string, visit func(string, *node)) {
	visit(name, n)
	for _, base := range slices.Sorted(maps.Keys(n.entries)) {
		n.entries[base].walk(name+string(filepath.Separator)+base, visit)
	}
}

// Clone returns an independent copy without locks.
func (m *Memory) Clone() *Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &Memory{root: m.root.clone(map[*node]*node{}), now: m.now, locks: map[string]bool{}}
}

func (n *node) clone(done map[*node]*node) *node {
	if n == nil || done[n] != nil {
		return done[n]
	}
	c := *n
	done[n] = &c
	c.data, c.durable = slices.Clone(n.data), slices.Clone(n.durable)
	c.entries, c.kept, c.pending = cloneEntries(n.entries, done), cloneEntries(n.kept, done), nil
	for _, step := range n.pending {
		var changes []entryChange
		for _, e := range step {
			changes = append(changes, entryChange{e.name, e.node.clone(done)})
		}
		c.pending = append(c.pending, changes)
	}
	return &c
}

func cloneEntries(entries map[string]*node, done map[*node]*node) map[string]*node {
	if entries == nil {
		return nil
	}
	c := make(map[string]*node, len(entries))
	for name, n := range entries {
		c[name] = n.clone(done)
	}
	return c
}

// tick gives every change a time of its own.
func (m *Memory) tick() time.Time {
	m.now = m.now.Add(time.Second)
	return m.now
}

func split(name string) []string {
	return strings.FieldsFunc(filepath.Clean(name), func(r rune) bool { return r == filepath.Separator })
}

const maxLinks = 40

// find walks to a node. Links are followed, the last one only when follow says so.
func (m *Memory) find(name string, follow bool) (*node, error) {
	n, _, err := m.walkTo(name, follow, maxLinks)
	return n, err
}

func (m *Memory) walkTo(name string, follow bool, links int) (*node, string, error) {
	at, path := m.root, string(filepath.Separator)
	parts := split(name)
	for i, part := range parts {
		if !at.isDir() {
			return nil, "", syscall.ENOTDIR
		}
		if at.mode.Perm()&0o100 == 0 {
			return nil, "", fs.ErrPermission
		}
		next := at.entries[part]
		if next == nil {
			return nil, "", fs.ErrNotExist
		}
		if next.isLink() && (follow || i < len(parts)-1) {
			if links == 0 {
				return nil, "", syscall.ELOOP
			}
			target := string(next.data)
			if !filepath.IsAbs(target) {
				target = filepath.Join(path, target)
			}
			return m.walkTo(filepath.Join(append([]string{target}, parts[i+1:]...)...), follow, links-1)
		}
		at, path = next, filepath.Join(path, part)
	}
	return at, path, nil
}

func (m *Memory) makeDirs(name string, perm fs.FileMode) (*node, error) {
	at := m.root
	for _, part := range split(name) {
		next := at.entries[part]
		if next != nil && next.isLink() {
			var err error
			if next, err = m.find(string(next.data), true); err != nil {
				return nil, err
			}
		}
		switch {
		case next == nil:
			if at.mode.Perm()&0o200 == 0 {
				return nil, fs.ErrPermission
			}
			next = newDir(perm)
			next.mtime = m.tick()
			at.set(entryChange{part, next})
		case !next.isDir():
			return nil, syscall.ENOTDIR
		}
		at = next
	}
	return at, nil
}

// pathError gives an error the form that package os gives it.
func pathError(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &os.PathError{Op: op, Path: name, Err: err}
}
