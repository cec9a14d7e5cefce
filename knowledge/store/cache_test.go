package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge/artifact"
)

// manyLessons is a store with more lessons than are parsed each time.
func manyLessons(t *testing.T) *Store {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".lessons"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		name := filepath.Join(root, ".lessons", fmt.Sprintf("lesson-%d.md", i))
		if err := os.WriteFile(name, []byte(lessonText("obs_lesson1", fmt.Sprintf("Lesson %d", i))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Lstat(filepath.Join(root, ".lessons", "lesson-99.md"))
	if err != nil {
		t.Fatal(err)
	}
	if fsx.Changed(info).IsZero() {
		t.Skip("this system does not tell when a file changed last")
	}
	s := New(fsx.OS{}, Places{Root: root, Local: filepath.Join(root, ".git", "lessons"), Shared: filepath.Join(root, ".git", "lessons")})
	s.Cache = artifact.Cache{Program: "lessons 1", Began: fsx.Changed(info).Add(time.Hour)}
	return s
}

// fails cannot write.
type fails struct{ fsx.FS }

func (fails) OpenFile(string, int, os.FileMode) (fsx.File, error) {
	return nil, errors.New("read-only file system")
}

func TestLoadIsTheSameWhateverBecameOfTheCache(t *testing.T) {
	s := manyLessons(t)
	name := filepath.Join(s.Places.Local, cacheName)
	without := New(fsx.OS{}, s.Places)
	want := load(t, without)
	same := func(when string, s *Store) {
		t.Helper()
		if got := load(t, s); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: found\n%+v\nwant\n%+v", when, got, want)
		}
	}
	readOnly := *s
	readOnly.FS = fails{fsx.OS{}}
	same("where nothing can be written", &readOnly)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() { same("while another one writes it", s) })
	}
	both.Wait()
	kept, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	same("with a cache", s)
	for when, data := range map[string][]byte{"torn": kept[:len(kept)/2], "empty": {}, "of something else": []byte("lessons of another kind\n")} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		same(when, s)
		if now, _ := os.ReadFile(name); string(now) != string(kept) {
			t.Errorf("%s: it is not made anew", when)
		}
	}
	if err := errors.Join(os.Remove(name), os.Symlink(filepath.Join(s.Places.Root, ".lessons", "lesson-1.md"), name)); err != nil {
		t.Fatal(err)
	}
	same("a link", s)
}
