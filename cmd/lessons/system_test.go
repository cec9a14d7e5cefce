package main

import (
	"os"
	"testing"
)

func TestTheNullDeviceIsNoTerminal(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if isTerminal(null) || isTerminal(os.NewFile(null.Fd(), "/dev/stderr")) {
		t.Error("the null device counts as a terminal")
	}
}
