package project

import (
	"os"
	"testing"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// die is what the kernel does for a process that dies.
func (m *openMarks) die() {
	if m.unlock != nil {
		_ = m.unlock()
	}
}

func TestOpenMarksTellDeaths(t *testing.T) {
	p := &Project{Machine: Machine{FS: fsx.OS{}, Version: "1"}, Store: store.New(fsx.OS{}, store.Places{Shared: t.TempDir()})}
	deaths := func(m *openMarks, want map[string]int) {
		t.Helper()
		for _, path := range []string{"/a", "/b", "/c\n"} {
			if got := m.Deaths(path); got != want[path] {
				t.Errorf("%q: %d deaths, want %d", path, got, want[path])
			}
		}
	}
	there := func(want bool) {
		t.Helper()
		if _, err := os.Lstat(p.readMarks(true).name); (err == nil) != want {
			t.Errorf("the file: %v", err)
		}
	}

	idle := p.readMarks(false)
	idle.end(true)
	there(false)

	first := p.readMarks(false)
	first.Opened("/a")
	first.Opened("/b")
	first.Opened("/c\n")
	first.Closed("/a")
	beside := p.readMarks(false) // the first one is at work: nobody died
	deaths(beside, nil)
	beside.Opened("/a")
	beside.end(true)
	there(true)
	first.die()

	second := p.readMarks(false)
	deaths(second, map[string]int{"/b": 1, "/c\n": 1})
	second.Opened("/b")
	second.Closed("/b")
	second.Opened("/c\n")
	second.die()
	f, err := os.OpenFile(second.name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString(`{"path":"/a","op`) // torn
	f.Close()

	third := p.readMarks(false)
	deaths(third, map[string]int{"/c\n": 2})
	third.Opened("/a")
	third.Closed("/c\n")
	third.Opened("/b")
	third.end(false) // ended early, without storing that the file is skipped
	fourth := p.readMarks(false)
	deaths(fourth, map[string]int{"/c\n": 2})
	fourth.end(false)

	other := *p
	other.Version = "2"
	newer := other.readMarks(true)
	deaths(newer, nil)
	newer.end(true)

	last := p.readMarks(false)
	last.Closed("/c\n")
	last.end(true)
	there(false)
}
