package fsx

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// deadProcess returns the id of a process that ran and ended.
func deadProcess(t *testing.T) int {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

func TestLockByFile(t *testing.T) {
	tests := []struct {
		name   string
		holder string // who holds it; empty: nobody
		taken  bool
	}{
		{"free", "", false},
		{"its holder lives", holder{"N", hostName(), os.Getpid()}.String(), true},
		{"its holder died", holder{"N", hostName(), deadProcess(t)}.String(), false},
		{"held by another machine", holder{"N", "another-" + hostName(), deadProcess(t)}.String(), true},
		{"just created", " ", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "lock")
			if tt.holder != "" {
				if err := os.WriteFile(name+".held", []byte(tt.holder), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			unlock, err := lockByFile(name, time.Now())
			if tt.taken {
				if data, _ := os.ReadFile(name + ".held"); !errors.Is(err, ErrLocked) || string(data) != tt.holder {
					t.Errorf("error %v, the file is %q", err, data)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := lockByFile(name, time.Now()); !errors.Is(err, ErrLocked) {
				t.Errorf("a second lock: %v", err)
			}
			if err := unlock(); err != nil {
				t.Fatal(err)
			}
			left, err := os.ReadDir(filepath.Dir(name))
			if err != nil || len(left) != 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}
