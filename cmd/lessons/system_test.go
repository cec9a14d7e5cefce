package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheNullDeviceIsNoTerminal(t *testing.T) {
	name := filepath.Join(t.TempDir(), "stderr")
	if err := os.Symlink(os.DevNull, name); err != nil {
		t.Skip(err)
	}
	null, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer null.Close()
	if isTerminal(null) {
		t.Error("the null device counts as a terminal")
	}
}
