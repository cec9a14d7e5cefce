package fsxtest_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
)

// recorder takes what a loop would report.
type recorder struct {
	testing.TB
	reports []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.reports = append(r.reports, fmt.Sprintf(format, args...))
}
func (r *recorder) Fatal(args ...any) { panic(errStop) }
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	panic(errStop)
}

var errStop = errors.New("stop")

func reportsOf(s fsxtest.Scenario) (reports []string) {
	r := &recorder{}
	defer func() {
		if p := recover(); p != nil && p != any(errStop) {
			panic(p)
		}
		reports = r.reports
	}()
	fsxtest.EveryPoint(r, s)
	return r.reports
}

// write is a writer with parts that can be left out.
type write struct{ temp, sync, syncDir bool }

func (w write) run(f fsx.FS) error {
	name := "/d/f"
	flag := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if w.temp {
		name = "/d/t"
	}
	file, err := f.OpenFile(name, flag, 0o644)
	if err != nil {
		return err
	}
	n, err := file.Write([]byte("new content"))
	if err == nil && n != len("new content") {
		err = errors.New("short")
	}
	if err == nil && w.sync {
		err = file.Sync()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	if w.temp {
		if err := f.Rename(name, "/d/f"); err != nil {
			return err
		}
	}
	if w.syncDir {
		return f.SyncDir("/d")
	}
	return nil
}

// The loop must find what it is there to find.
func TestEveryPointFlags(t *testing.T) {
	oldOrNew := func(_ fsxtest.Point, _, got map[string]string) error {
		if text := got["/d/f"]; text != "old" && text != "new content" {
			return fmt.Errorf("torn: %q", text)
		}
		return nil
	}
	nothing := func(fsx.FS) error { return nil }
	tests := []struct {
		name string
		s    fsxtest.Scenario
		flag bool
	}{
		{"a careful writer", fsxtest.Scenario{Run: write{true, true, true}.run, Recover: nothing, Check: oldOrNew}, false},
		{"a writer in place", fsxtest.Scenario{Run: write{false, true, true}.run, Recover: nothing, Check: oldOrNew}, true},
		{"a missing fsync of the file", fsxtest.Scenario{Run: write{true, false, true}.run, Recover: nothing, Check: oldOrNew}, true},
		{"a missing fsync of the directory", fsxtest.Scenario{Run: write{true, true, false}.run, Recover: nothing, Check: oldOrNew}, true},
		{"a missing heal", fsxtest.Scenario{Run: write{true, true, true}.run, Recover: nothing}, true},
		{"a swallowed error", fsxtest.Scenario{Run: func(f fsx.FS) error { _ = write{true, true, true}.run(f); return nil }}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.s.Start = fsxtest.NewMemory(map[string]string{"/d/f": "old"})
			reports := reportsOf(tt.s)
			if (len(reports) > 0) != tt.flag {
				t.Errorf("reports: %q", reports)
			}
		})
	}
}

func TestCrashLosesWhatWasNotSynced(t *testing.T) {
	m := fsxtest.NewMemory(map[string]string{"/d/f": "old"})
	f, err := m.OpenFile("/d/f", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err = f.Write([]byte("+synced"))
	must(err)
	must(f.Sync())
	_, err = f.Write([]byte("+lost"))
	must(err)
	must(f.Close())
	must(m.Rename("/d/f", "/d/g"))
	if got := m.Tree(); got["/d/g"] != "old+synced+lost" {
		t.Fatalf("before the crash: %v", got)
	}
	m.Crash()
	if diff := fsxtest.Diff(map[string]string{"/d/f": "old+synced"}, m.Tree()); diff != "" {
		t.Error(diff)
	}
}

func TestFaultFreesLocksOfTheDead(t *testing.T) {
	m := fsxtest.NewMemory(map[string]string{"/d/f": ""})
	fault := &fsxtest.Fault{FS: m, Mode: fsxtest.KillBefore}
	unlock, err := fault.Lock("/d/lock", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Lock("/d/lock", 0); !errors.Is(err, fsx.ErrLocked) {
		t.Errorf("while it is held: %v", err)
	}
	if err := fault.Remove("/d/f"); !errors.Is(err, fsxtest.ErrKilled) {
		t.Fatal(err)
	}
	if _, err := m.Lock("/d/lock", 0); err != nil {
		t.Errorf("after its holder died: %v", err)
	}
	if err := unlock(); !errors.Is(err, fsxtest.ErrKilled) {
		t.Errorf("the dead unlock: %v", err)
	}
	if _, err := fault.ReadFile("/d/f"); !errors.Is(err, fsxtest.ErrKilled) {
		t.Errorf("the dead read: %v", err)
	}
}
