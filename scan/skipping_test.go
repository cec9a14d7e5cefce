package scan

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/knowledge/observe"
)

// sessions are some files, each of a session of its own.
func sessions(n int) []File {
	var files []File
	for i := range n {
		events := learner().events()
		for j := range events {
			events[j].ID += fmt.Sprint("-", i)
			events[j].Time = events[j].Time.Add(time.Duration(i) * time.Hour)
		}
		files = append(files, memory(fmt.Sprintf("/s/%d.jsonl", i), claudeFile(fmt.Sprint("s", i), events)))
	}
	return files
}

// poisoned is a file whose reading panics, with a counter of its openings.
func poisoned(f File, opened *int) File {
	whole := f.Open
	f.Open = func() (io.ReadSeekCloser, FileInfo, error) {
		*opened++
		r, info, err := whole()
		return panicking{r}, info, err
	}
	return f
}

func TestPanicsAreNotTriedAgain(t *testing.T) {
	opened := 0
	good := sessions(3)
	want := logOf(t, good...)
	bad := poisoned(memory("/s/bad.jsonl", []byte("{}\n")), &opened)
	in := Input{Files: append(good, bad), Version: "1"}
	r := scanAll(t, in)
	if len(r.Problems) != 1 || r.Problems[0].Path != bad.Path || !strings.Contains(r.Problems[0].Text, "(3 bytes) was skipped") {
		t.Fatalf("problems %v", r.Problems)
	}
	if !bytes.Equal(r.Log.Bytes(), want) {
		t.Error("the other sessions were not learned from")
	}
	if told := Skipped(r.State); len(told) != 1 || told[0] != r.Problems[0] {
		t.Errorf("the state says %v", told)
	}
	for _, c := range []struct {
		name    string
		in      Input
		opened  int
		skipped int // named
		left    int // in the state
	}{
		{"as it was", in, 0, 0, 1},
		{"from the beginning", Input{Files: in.Files, Version: "1", All: true}, 0, 0, 1},
		{"another version", Input{Files: in.Files, Version: "2"}, 1, 1, 1},
		{"the file grew", Input{Files: []File{poisoned(memory("/s/bad.jsonl", []byte("{}\n{}\n")), &opened)}, Version: "1"}, 1, 1, 1},
		{"the file is sound now", Input{Files: []File{memory("/s/bad.jsonl", claudeFile("s", learner().events()))}, Version: "1"}, 0, 0, 0},
	} {
		opened = 0
		c.in.State = r.State
		again := scanAll(t, c.in)
		if opened != c.opened || len(again.Problems) != c.skipped {
			t.Errorf("%s: opened %d times, problems %v", c.name, opened, again.Problems)
		}
		if left := len(Skipped(again.State)); left != c.left {
			t.Errorf("%s: the state skips %d", c.name, left)
		}
	}
}

// What was read before the panic was learned, and a later scan goes on from what was
// read before that.
func TestAPanicLosesNothingThatWasRead(t *testing.T) {
	content := claudeFile("s1", long().events())
	want := logOf(t, memory("/s/a.jsonl", content))
	half := len(content) / 2
	first := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", content[:half])}})
	opened := 0
	second := scanAll(t, Input{Files: []File{poisoned(memory("/s/a.jsonl", content[:half+100]), &opened)}, State: first.State, Log: first.Log})
	third := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", content)}, State: second.State, Log: second.Log})
	if opened != 1 || len(Skipped(second.State)) != 1 || len(Skipped(third.State)) != 0 || !bytes.Equal(third.Log.Bytes(), want) {
		t.Errorf("opened %d times, skipped %v, then %v, or another log", opened, Skipped(second.State), Skipped(third.State))
	}
}

func TestSessionsBeyondALimitAreSkipped(t *testing.T) {
	files := sessions(2)
	files = append(files, memory("/s/long.jsonl", claudeFile("long", long().events())))
	want := logOf(t, files[:2]...)
	for name, limits := range map[string]Limits{
		"larger":      {Bytes: 20_000, Events: 1 << 20},
		"more events": {Bytes: 1 << 30, Events: windowSize},
	} {
		r := scanAll(t, Input{Files: files, Limits: limits})
		if len(r.Problems) != 1 || r.Problems[0].Path != "/s/long.jsonl" || !strings.Contains(r.Problems[0].Text, name) {
			t.Errorf("%s: problems %v", name, r.Problems)
		}
		if again := scanAll(t, Input{Files: files, Limits: limits, State: r.State}); len(again.Problems) != 0 || again.Unchanged != 3 {
			t.Errorf("%s: again %v, %d unchanged", name, again.Problems, again.Unchanged)
		}
		if limits.Bytes == 20_000 && !bytes.Equal(r.Log.Bytes(), want) {
			t.Errorf("%s: the others were not learned from", name)
		}
	}
}

func TestLongLinesAreLeftOutAndNamed(t *testing.T) {
	content := claudeFile("s1", learner().events())
	first := bytes.IndexByte(content, '\n') + 1
	line := fmt.Sprintf(`{"type":"user","uuid":"x","sessionId":"s1","message":{"role":"user","content":%q}}`+"\n", strings.Repeat("x ", 25<<20))
	r := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", slices.Concat(content[:first], []byte(line), content[first:]))}})
	if len(r.Problems) != 1 || r.Problems[0].Rule != "session-line" {
		t.Errorf("problems %v", r.Problems)
	}
	if !bytes.Equal(r.Log.Bytes(), logOf(t, memory("/s/a.jsonl", content))) {
		t.Error("the rest of the session was not learned from")
	}
}

func TestSuspectsAreReadAloneAndThenSkipped(t *testing.T) {
	files := sessions(5)
	m := &marks{t: t, deaths: map[string]int{"/s/1.jsonl": 1, "/s/3.jsonl": 2}, open: map[string]bool{}}
	kept := -1
	r := scanAll(t, Input{Files: files, Marker: m, Checkpoint: func(r Result) {
		kept = len(Skipped(r.State))
		st, _ := parseState("", r.State)
		if len(st.files) != 4 || !bytes.Equal(r.Log.Bytes(), logOf(t, files[0], files[2], files[4])) {
			t.Errorf("before the suspect is read %d files are known, or another log", len(st.files))
		}
	}})
	if kept != 1 || m.alone != 1 || len(r.Problems) != 1 || r.Problems[0].Path != "/s/3.jsonl" {
		t.Errorf("%d kept, %d alone, problems %v", kept, m.alone, r.Problems)
	}
	if !bytes.Equal(r.Log.Bytes(), logOf(t, files[0], files[1], files[2], files[4])) {
		t.Error("another log than of the sound files")
	}
	m = &marks{t: t, open: map[string]bool{}}
	again := scanAll(t, Input{Files: files, Marker: m, State: r.State, Log: &observe.Log{}})
	if again.Unchanged != 5 || len(again.Problems) != 0 || m.opened != 0 {
		t.Errorf("again: %d unchanged, problems %v, %d opened", again.Unchanged, again.Problems, m.opened)
	}
}

// marks sees to it that a suspect is open alone, and after all others.
type marks struct {
	t      *testing.T
	deaths map[string]int

	mu            sync.Mutex
	open          map[string]bool
	opened, alone int
}

func (m *marks) Deaths(path string) int { return m.deaths[path] }

func (m *marks) Opened(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.opened++
	if m.deaths[path] > 0 {
		if m.alone++; len(m.open) > 0 || m.opened != 4 {
			m.t.Errorf("%s is opened as number %d beside %v", path, m.opened, m.open)
		}
	}
	m.open[path] = true
}

func (m *marks) Closed(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.open, path)
}
