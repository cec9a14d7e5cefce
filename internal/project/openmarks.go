package project

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/jsonlines"
	"github.com/lessons-cli/lessons/internal/lists"
)

// openMarks says which session files a scan has open, in the file scan-open beside
// the scan state, for the scan that comes after one that died. It implements
// [scan.Marker]. The lock tells a scan that died from one that is still running;
// where two run at a time, the second neither reads marks nor makes any.
//
// The file has a line for each change, and the last one of a path holds. Nothing is
// synced: what a process wrote is there after its own death, and a machine that
// stopped says nothing about a session.
type openMarks struct {
	fs      fsx.FS
	name    string
	version string // of lessons: marks of another one count for nothing
	machine Machine
	silent  bool // nothing may be written, or another scan is running

	mu     sync.Mutex
	deaths map[string]int
	closed map[string]bool // of deaths: counted no longer once the scan state is stored
	file   fsx.File        // nil: nothing was written yet
	unlock func() error
}

// openMark is one line.
type openMark struct {
	Path    string `json:"path"`
	Deaths  int    `json:"deaths,omitempty"`
	Open    bool   `json:"open,omitempty"`
	Version string `json:"version,omitempty"`
}

// readMarks reads what earlier scans left.
func (p *Project) readMarks(silent bool) *openMarks {
	m := &openMarks{
		fs: p.FS, machine: p.Machine, name: p.shared("scan-open"), version: p.Version, silent: silent,
		deaths: map[string]int{}, closed: map[string]bool{},
	}
	if _, err := m.fs.Lstat(m.name); err != nil || !m.lock() {
		return m
	}
	data, _ := m.fs.ReadFile(m.name)
	data = m.machine.withHome(data)
	own := jsonlines.Read(data, func(mark openMark) bool { return mark.Version == m.version })
	for path, mark := range lists.By(own, func(mark openMark) string { return mark.Path }) {
		if mark.Open {
			mark.Deaths++
		}
		if mark.Deaths > 0 {
			m.deaths[path] = mark.Deaths
		}
	}
	return m
}

// lock says whether no other scan is running.
func (m *openMarks) lock() bool {
	if m.unlock == nil {
		unlock, err := m.fs.Lock(m.name+".lock", 0)
		if err != nil {
			m.silent = true
			return false
		}
		m.unlock = unlock
	}
	return true
}

// Deaths implements [scan.Marker].
func (m *openMarks) Deaths(path string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.deaths[path]
}

// Opened implements [scan.Marker].
func (m *openMarks) Opened(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.file == nil && !m.silent {
		m.begin()
	}
	m.add(openMark{Path: path, Deaths: m.deaths[path], Open: true})
}

// Closed implements [scan.Marker]. What killed scans is forgotten at the end only,
// when the scan state remembers it.
func (m *openMarks) Closed(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed[path] = true; m.deaths[path] < 2 {
		delete(m.deaths, path)
		m.add(openMark{Path: path})
	}
}

// begin makes the file, with what is known.
func (m *openMarks) begin() {
	if m.silent = fsx.MkdirAll(m.fs, filepath.Dir(m.name)) != nil; m.silent || !m.lock() {
		return
	}
	m.rewrite()
	file, err := m.fs.OpenFile(m.name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		m.silent = true // a scan without marks is better than none
		return
	}
	m.file = file
}

func (m *openMarks) add(mark openMark) {
	if m.file != nil {
		_, _ = m.file.Write(m.line(mark))
	}
}

func (m *openMarks) line(mark openMark) []byte {
	mark.Version = m.version
	return m.machine.withoutHome(jsonlines.Line(mark))
}

// rewrite leaves the counts of deaths alone in the file, or no file.
func (m *openMarks) rewrite() {
	lines := lists.Flat(sortedKeys(m.deaths), func(path string) []byte { return m.line(openMark{Path: path, Deaths: m.deaths[path]}) })
	if len(lines) == 0 {
		_ = m.fs.Remove(m.name)
		return
	}
	_ = fsx.WriteFile(m.fs, m.name, lines)
}

// end takes the marks away. A scan that came to its end, even to an early one, did
// not die; what it closed is forgotten if its state was stored.
func (m *openMarks) end(stored bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for path := range m.closed {
		if stored {
			delete(m.deaths, path)
		}
	}
	if m.file != nil {
		_ = m.file.Close()
		m.file = nil
	}
	if m.unlock == nil {
		return
	}
	if !m.silent {
		m.rewrite()
	}
	_ = m.unlock()
	m.unlock = nil
}
