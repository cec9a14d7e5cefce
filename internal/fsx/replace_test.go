package fsx_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
)

func batch() []fsx.Replacement {
	return []fsx.Replacement{
		{Path: "a/old.md", Data: []byte("new text")},
		{Path: "a/same.md", Data: []byte("same")},
		{Path: "b/c/fresh.md", Data: []byte("fresh")},
		{Path: "d/e/gone.md"},
		{Path: "empty.md", Data: []byte{}},
	}
}

func start() *fsxtest.Memory {
	return fsxtest.NewMemory(map[string]string{
		"/r/a/old.md": "old text", "/r/a/same.md": "same", "/r/d/e/gone.md": "bye", "/r/other": "untouched",
	})
}

func TestReplaceIsAllOrRetriedAtEveryPoint(t *testing.T) {
	points := fsxtest.EveryPoint(t, fsxtest.Scenario{
		Start: start(),
		Run:   func(f fsx.FS) error { return fsx.Replace(f, "/r", batch()) },
	})
	if points < 100 {
		t.Errorf("only %d points were struck", points)
	}
}

func TestReplaceNeverTearsAFile(t *testing.T) {
	whole := map[string]bool{"old text": true, "new text": true, "same": true, "fresh": true, "bye": true, "": true, "untouched": true}
	fsxtest.EveryPoint(t, fsxtest.Scenario{
		Start:   start(),
		Run:     func(f fsx.FS) error { return fsx.Replace(f, "/r", batch()) },
		Recover: func(fsx.FS) error { return nil },
		Check: func(_ fsxtest.Point, _, got map[string]string) error {
			for name, text := range got {
				if !fsxtest.Temporary(name) && !whole[text] {
					return errors.New(name + " holds " + text)
				}
			}
			return nil
		},
	})
}

// A content that is not held in memory is written like any other: old or new at any point.
func TestReplaceStreamsIsAllOrRetriedAtEveryPoint(t *testing.T) {
	streamed := func(to io.Writer) error {
		_, err := io.WriteString(to, "streamed")
		return err
	}
	points := fsxtest.EveryPoint(t, fsxtest.Scenario{
		Start: start(),
		Run: func(f fsx.FS) error {
			return fsx.Replace(f, "/r", []fsx.Replacement{{Path: "a/old.md", Stream: streamed}, {Path: "fresh.md", Stream: streamed}})
		},
	})
	if points < 20 {
		t.Errorf("only %d points were struck", points)
	}
}

// A stream replaces what it was planned from, and nothing else.
func TestReplaceGuardsStreams(t *testing.T) {
	is := func(want string) func(io.ReaderAt, int64) bool {
		return func(text io.ReaderAt, size int64) bool {
			data, err := io.ReadAll(io.NewSectionReader(text, 0, size))
			return err == nil && string(data) == want
		}
	}
	interrupted := errors.New("interrupted")
	for name, c := range map[string]struct {
		disk      map[string]string
		unchanged func(io.ReaderAt, int64) bool
		fails     error
		want      error
	}{
		"as planned":               {map[string]string{"/r/f": "1"}, is("1"), nil, nil},
		"edited meanwhile":         {map[string]string{"/r/f": "1 edited"}, is("1"), nil, fsx.ErrChanged},
		"removed meanwhile":        {map[string]string{"/r/g": ""}, is("1"), nil, fsx.ErrChanged},
		"created meanwhile":        {map[string]string{"/r/f": "1"}, nil, nil, fsx.ErrChanged},
		"new":                      {map[string]string{"/r/g": ""}, nil, nil, nil},
		"interrupted in the write": {map[string]string{"/r/f": "1"}, is("1"), interrupted, interrupted},
	} {
		t.Run(name, func(t *testing.T) {
			m := fsxtest.NewMemory(c.disk)
			want := m.Tree()
			err := fsx.Replace(m, "/r", []fsx.Replacement{{Path: "f", Guarded: true, Unchanged: c.unchanged, Stream: func(to io.Writer) error {
				_, err := io.WriteString(to, "2")
				return errors.Join(err, c.fails)
			}}})
			if !errors.Is(err, c.want) {
				t.Fatalf("error %v, want %v", err, c.want)
			}
			if c.want == nil {
				want["/r/f"] = "2"
			}
			if diff := fsxtest.Diff(want, m.Tree()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReplaceLeavesNoTemporaryFileBehindAnError(t *testing.T) {
	fsxtest.EveryPoint(t, fsxtest.Scenario{
		Start:   start(),
		Run:     func(f fsx.FS) error { return fsx.Replace(f, "/r", batch()) },
		Recover: func(fsx.FS) error { return nil },
		Modes:   []fsxtest.Mode{fsxtest.FailOnce, fsxtest.Short},
		Check: func(_ fsxtest.Point, _, got map[string]string) error {
			for name := range got {
				if fsxtest.Temporary(name) {
					return errors.New("left " + name)
				}
			}
			return nil
		},
	})
}

func TestReplaceSyncsEachFileAndDirectoryOnce(t *testing.T) {
	c := fsxtest.NewCounting(fsxtest.NewMemory(nil))
	var files []fsx.Replacement
	for _, name := range []string{"x/1", "x/2", "x/3", "y/1"} {
		files = append(files, fsx.Replacement{Path: name, Data: []byte(name)})
	}
	if err := c.MkdirAll("/r/x", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := c.MkdirAll("/r/y", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := fsx.Replace(c, "/r", files); err != nil {
		t.Fatal(err)
	}
	if got := c.Counts(); got.FileSyncs != 4 || got.DirSyncs != 2 || got.FilesWritten != 4 {
		t.Errorf("%+v", got)
	}
}

func TestReplaceTouchesNothingThatIsTheSame(t *testing.T) {
	m := start()
	fault := &fsxtest.Fault{FS: m, At: -1}
	if err := fsx.Replace(fault, "/r", []fsx.Replacement{{Path: "a/same.md", Data: []byte("same")}, {Path: "not/there"}}); err != nil {
		t.Fatal(err)
	}
	if fault.Calls() != 0 {
		t.Errorf("%d calls for unchanged content", fault.Calls())
	}
}

func TestReplaceRefuses(t *testing.T) {
	tests := []struct {
		name, path string
		lay        func(*fsxtest.Memory)
		names      string // what the message names
	}{
		{"a link in place of the file", "x.md", func(m *fsxtest.Memory) { m.PutLink("/r/x.md", "/etc/passwd") }, "/r/x.md"},
		{"a link in place of a directory", "a/b/x.md", func(m *fsxtest.Memory) { m.PutLink("/r/a", "/elsewhere") }, "/r/a: "},
		{"a link deeper down", "a/b/x.md", func(m *fsxtest.Memory) { m.PutLink("/r/a/b", "../.git/hooks") }, "/r/a/b: "},
		{"a dangling link", "x.md", func(m *fsxtest.Memory) { m.PutLink("/r/x.md", "nowhere") }, "/r/x.md"},
		{"a directory where a file should be", "x.md", func(m *fsxtest.Memory) { m.Put("/r/x.md/in", "") }, "/r/x.md"},
		{"a file where a directory should be", "a/x.md", func(m *fsxtest.Memory) { m.Put("/r/a", "") }, "/r/a: "},
		{"upwards", "../x", nil, "../x"},
		{"absolute", "/x", nil, "/x"},
		{"git directory", "a/.git/hooks/x", nil, "a/.git/hooks/x"},
		{"git directory in another spelling", ".GiT./x", nil, ".GiT./x"},
		{"short name of the git directory", "GIT~1/x", nil, "GIT~1/x"},
		{"git directory with an invisible character", ".g\u200cit/x", nil, ".g\u200cit/x"},
		{"control character", "a\x1bb", nil, `"a\x1bb"`},
		{"backslash", `a\b`, nil, `a\b`},
		{"the root itself", ".", nil, "."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := fsxtest.NewMemory(map[string]string{"/elsewhere/b/x.md": "foreign", "/etc/passwd": "foreign", "/r/.git/hooks/x": ""})
			if tt.lay != nil {
				tt.lay(m)
			}
			before := m.Tree()
			err := fsx.Replace(m, "/r", []fsx.Replacement{{Path: "fine", Data: []byte("fine")}, {Path: tt.path, Data: []byte("text")}})
			if !errors.Is(err, fsx.ErrRefused) || !strings.Contains(err.Error(), tt.names) {
				t.Errorf("error %v, want a refusal that names %s", err, tt.names)
			}
			if diff := fsxtest.Diff(before, m.Tree()); diff != "" {
				t.Errorf("something was written:\n%s", diff)
			}
		})
	}
}

func TestReplaceGuarded(t *testing.T) {
	tests := []struct {
		name    string
		disk    map[string]string
		before  []byte
		after   []byte
		changed bool
	}{
		{"as planned", map[string]string{"/r/f": "1"}, []byte("1"), []byte("2"), false},
		{"edited meanwhile", map[string]string{"/r/f": "1 edited"}, []byte("1"), []byte("2"), true},
		{"removed meanwhile", nil, []byte("1"), []byte("2"), true},
		{"created meanwhile", map[string]string{"/r/f": ""}, nil, []byte("2"), true},
		{"new", nil, nil, []byte("2"), false},
		{"empty before", map[string]string{"/r/f": ""}, []byte{}, []byte("2"), false},
		{"already done by somebody", map[string]string{"/r/f": "2"}, []byte("1"), []byte("2"), false},
		{"removal, edited meanwhile", map[string]string{"/r/f": "1 edited"}, []byte("1"), nil, true},
		{"removal, already gone", nil, []byte("1"), nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := fsxtest.NewMemory(tt.disk)
			if err := m.MkdirAll("/r", 0o755); err != nil {
				t.Fatal(err)
			}
			before := m.Tree()
			err := fsx.Replace(m, "/r", []fsx.Replacement{
				{Path: "aside", Data: []byte("aside")},
				{Path: "f", Data: tt.after, Guarded: true, Before: tt.before},
			})
			if !tt.changed {
				if got, ok := m.Tree()["/r/f"]; err != nil || ok != (tt.after != nil) || got != string(tt.after) {
					t.Errorf("error %v, content %q", err, got)
				}
				return
			}
			at, ok := errors.AsType[*fsx.ChangedError](err)
			if !ok || at.Path != "f" || !errors.Is(err, fsx.ErrChanged) {
				t.Errorf("error %v", err)
			}
			if diff := fsxtest.Diff(before, m.Tree()); diff != "" {
				t.Errorf("something was written:\n%s", diff)
			}
		})
	}
}

// editing changes a file at the moment another one is synced, as an editor may.
type editing struct {
	fsx.FS
	edit func()
}

func (e editing) OpenFile(name string, flag int, perm fs.FileMode) (fsx.File, error) {
	f, err := e.FS.OpenFile(name, flag, perm)
	return editingFile{f, e.edit}, err
}

type editingFile struct {
	fsx.File
	edit func()
}

func (f editingFile) Sync() error { f.edit(); return f.File.Sync() }

func TestReplaceFindsAnEditBetweenWritingAndRenaming(t *testing.T) {
	for _, guarded := range []bool{true, false} {
		m := fsxtest.NewMemory(map[string]string{"/r/f": "1"})
		fsys := editing{m, func() { m.Put("/r/f", "a person's") }}
		err := fsx.Replace(fsys, "/r", []fsx.Replacement{{Path: "f", Data: []byte("2"), Guarded: guarded, Before: []byte("1")}})
		if !errors.Is(err, fsx.ErrChanged) {
			t.Errorf("guarded %v: error %v", guarded, err)
		}
		if diff := fsxtest.Diff(map[string]string{"/r/f": "a person's"}, m.Tree()); diff != "" {
			t.Error(diff)
		}
	}
}

// exclusive fails when a file is opened that somebody else may have made.
type exclusive struct {
	fsx.FS
	t *testing.T
}

func (e exclusive) OpenFile(name string, flag int, perm fs.FileMode) (fsx.File, error) {
	if flag&os.O_EXCL == 0 || !fsxtest.Temporary(name) {
		e.t.Errorf("%s is opened without O_EXCL", name)
	}
	return e.FS.OpenFile(name, flag, perm)
}

func TestReplaceWritesIntoFilesOfItsOwnOnly(t *testing.T) {
	if err := fsx.Replace(exclusive{start(), t}, "/r", batch()); err != nil {
		t.Fatal(err)
	}
}

func TestSweepRemovesOnlyOurTemporaryFiles(t *testing.T) {
	m := fsxtest.NewMemory(map[string]string{
		"/r/a/.lessons-tmp-x.md-ABC": "", "/r/a/x.md": "", "/r/a/.lessons-tmpfile": "", "/r/b/.lessons-tmp-y-Q": "",
		"/r/a/.lessons-tmp-dir/in": "",
	})
	m.PutLink("/r/a/.lessons-tmp-link", "x.md")
	m.PutLink("/r/l", "b")
	if err := fsx.Sweep(m, "/r", "a", "l", "not-there"); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"/r/a/x.md": "", "/r/a/.lessons-tmpfile": "", "/r/b/.lessons-tmp-y-Q": "", "/r/a/.lessons-tmp-dir/in": "",
		"/r/a/.lessons-tmp-link": "-> x.md", "/r/l": "-> b",
	}
	if diff := fsxtest.Diff(want, m.Tree()); diff != "" {
		t.Error(diff)
	}
}

func TestReplaceOnDisk(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, "a", "script.md")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o777); err != nil {
		t.Fatal(err)
	}
	err := fsx.Replace(fsx.OS{}, root, []fsx.Replacement{
		{Path: "a/script.md", Data: []byte("new")},
		{Path: "b/c/d.md", Data: []byte("d")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(name); string(data) != "new" {
		t.Errorf("content %q", data)
	}
	if info, _ := os.Stat(name); runtime.GOOS != "windows" && info.Mode().Perm() != 0o777 {
		t.Errorf("mode %v, not the one it had", info.Mode())
	}
	info, _ := os.Stat(name)
	if err := fsx.Replace(fsx.OS{}, root, []fsx.Replacement{{Path: "a/script.md", Data: []byte("new")}}); err != nil {
		t.Fatal(err)
	}
	if again, _ := os.Stat(name); !os.SameFile(info, again) || !info.ModTime().Equal(again.ModTime()) {
		t.Error("an unchanged file was written")
	}
	if err := fsx.Replace(fsx.OS{}, root, []fsx.Replacement{{Path: "b/c/d.md"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "b")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("directories that became empty are there: %v", err)
	}
}

func TestReplaceOnDiskFollowsNoLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("making links needs a privilege there")
	}
	root, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, "a")); err != nil {
		t.Fatal(err)
	}
	err := fsx.Replace(fsx.OS{}, root, []fsx.Replacement{{Path: "a/x", Data: []byte("x")}})
	if !errors.Is(err, fsx.ErrRefused) {
		t.Errorf("error %v", err)
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 0 {
		t.Error("written outside of the root")
	}
}

func TestWriteFileCreatesItsDirectory(t *testing.T) {
	m := fsxtest.NewMemory(nil)
	for _, data := range [][]byte{nil, []byte("state")} {
		if err := fsx.WriteFile(m, "/g/lessons/state.json", data); err != nil {
			t.Fatal(err)
		}
	}
	m.Crash()
	if got := m.Tree()["/g/lessons/state.json"]; got != "state" {
		t.Errorf("after a crash %q", got)
	}
}

func TestReadBelow(t *testing.T) {
	m := fsxtest.NewMemory(map[string]string{"/r/f": "12345", "/r/d/x": "", "/r/secret": "s"})
	m.PutLink("/r/l", "f")
	m.SetMode("/r/secret", 0)
	if data, err := fsx.ReadBelow(m, "/r", "f", 5); err != nil || !bytes.Equal(data, []byte("12345")) {
		t.Errorf("%q, %v", data, err)
	}
	if data, err := fsx.ReadBelow(m, "/r", "d/x", 5); err != nil || data == nil {
		t.Errorf("an empty file must not look as if it were not there: %v, %v", data, err)
	}
	if _, err := fsx.ReadBelow(m, "/r", "f", 4); err == nil || !strings.Contains(err.Error(), "/r/f: 5 bytes") {
		t.Errorf("too large: %v", err)
	}
	for path, want := range map[string]error{"l": fsx.ErrRefused, "d": fsx.ErrRefused, "none": fs.ErrNotExist, "f/x": fsx.ErrRefused, "secret": fs.ErrPermission} {
		if _, err := fsx.ReadBelow(m, "/r", path, 9); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
}

func TestWriteFileRemovesWhatCrashesLeftLongAgo(t *testing.T) {
	dir := t.TempDir()
	old, young, foreign := filepath.Join(dir, ".lessons-tmp-state.json-OLD"), filepath.Join(dir, ".lessons-tmp-state.json-NEW"), filepath.Join(dir, ".lessons-tmp-other.json-OLD")
	for _, name := range []string{old, young, foreign} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ago := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{old, foreign} {
		if err := os.Chtimes(name, ago, ago); err != nil {
			t.Fatal(err)
		}
	}
	if err := fsx.WriteFile(fsx.OS{}, filepath.Join(dir, "state.json"), []byte("1")); err != nil {
		t.Fatal(err)
	}
	for name, stays := range map[string]bool{old: false, young: true, foreign: true} {
		if _, err := os.Stat(name); (err == nil) != stays {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
	}
}

// What moves from one file to another is in one of them at any moment, whatever the
// order of the batch.
func TestReplaceCreatesBeforeItRemoves(t *testing.T) {
	fsxtest.EveryPoint(t, fsxtest.Scenario{
		Start: fsxtest.NewMemory(map[string]string{"/r/book.md": "words"}),
		Run: func(f fsx.FS) error {
			return fsx.Replace(f, "/r", []fsx.Replacement{{Path: "book.md"}, {Path: "files/one.md", Data: []byte("words")}})
		},
		Between: func(m *fsxtest.Memory) {
			if tree := m.Tree(); tree["/r/book.md"] != "words" && tree["/r/files/one.md"] != "words" {
				t.Errorf("the words are gone: %q", tree)
			}
		},
	})
}
