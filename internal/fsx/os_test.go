package fsx_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
)

func TestLockExcludes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	unlock, err := fsx.OS{}.Lock(name, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (fsx.OS{}).Lock(name, time.Millisecond); !errors.Is(err, fsx.ErrLocked) {
		t.Errorf("the second lock: %v", err)
	}
	freed := make(chan error)
	go func() { freed <- unlock() }()
	again, err := fsx.OS{}.Lock(name, time.Hour) // whoever waits gets it
	if err := errors.Join(err, <-freed); err != nil {
		t.Fatal(err)
	}
	if err := again(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name); err != nil {
		t.Errorf("the lock file must stay: %v", err)
	}
}

func TestLockNamesWhatItCannotLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "not", "there")
	if _, err := (fsx.OS{}).Lock(name, 0); err == nil || !bytes.Contains([]byte(err.Error()), []byte(name)) {
		t.Errorf("error %v", err)
	}
}

func TestAppendersUnderTheLockLoseNothing(t *testing.T) {
	dir := t.TempDir()
	const writers, each = 8, 10
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				unlock, err := fsx.OS{}.Lock(filepath.Join(dir, "lock"), time.Hour)
				if err != nil {
					t.Error(err)
					return
				}
				err = fsx.Append(fsx.OS{}, filepath.Join(dir, "log"), fmt.Appendf(nil, "%d-%d\n", w, i))
				if err := errors.Join(err, unlock()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	data, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for line := range bytes.Lines(data) {
		seen[string(line)]++
	}
	if len(seen) != writers*each {
		t.Errorf("%d of %d records", len(seen), writers*each)
	}
}

func TestFileIDTellsARotatedFileFromAGrownOne(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, name := range []string{a, b} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	id := func(name string) string {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return fsx.FileID(info)
	}
	if id(a) == "" {
		t.Skip("not known on this system")
	}
	if id(a) == id(b) {
		t.Error("two files have one id")
	}
	before := id(a)
	if err := os.WriteFile(a, []byte("grown"), 0o644); err != nil {
		t.Fatal(err)
	}
	if id(a) != before {
		t.Error("a file that grew has another id")
	}
}
