package project

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/fsx"
)

func seenMachine(t *testing.T, content string) Machine {
	t.Helper()
	m := Machine{Home: t.TempDir(), Env: func(string) string { return "" }, FS: fsx.OS{}}
	if err := os.MkdirAll(m.StateHome(), 0o700); err != nil {
		t.Fatal(err)
	}
	if content != "" {
		if err := os.WriteFile(filepath.Join(m.StateHome(), "seen"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestSeenCountsProjectsOnce(t *testing.T) {
	table := seenTable{}
	table.add("p1", []string{"t1", "t2"})
	table.add("p2", []string{"t1"})
	table.add("p2", []string{"t1"})
	for _, c := range []struct {
		trigger, project string
		want             int
	}{{"t1", "p1", 2}, {"t1", "p3", 3}, {"t2", "p1", 1}, {"t2", "p2", 2}, {"new", "p1", 1}} {
		if got := table.count(c.trigger, c.project); got != c.want {
			t.Errorf("%s in %s: %d, want %d", c.trigger, c.project, got, c.want)
		}
	}
}

func TestSeenDoesNotDependOnTheOrder(t *testing.T) {
	a, b := seenTable{}, seenTable{}
	for i := range 20 {
		a.add(fmt.Sprint("p", i), []string{"t"})
		b.add(fmt.Sprint("p", 19-i), []string{"t", "t"})
	}
	if !bytes.Equal(a.bytes(), b.bytes()) {
		t.Errorf("%s\nand\n%s", a.bytes(), b.bytes())
	}
	if n := len(a["t"]); n != maxSeenProjects {
		t.Errorf("a row holds %d projects", n)
	}
}

func TestSeenIsReadAsItWasWritten(t *testing.T) {
	table := seenTable{}
	table.add("p1", []string{"t2", "t1"})
	table.add("p0", []string{"t2"})
	m := seenMachine(t, string(table.bytes()))
	if got := m.readSeen().bytes(); !bytes.Equal(got, table.bytes()) {
		t.Errorf("%s became %s", table.bytes(), got)
	}
}

func TestDamagedSeenIsEmptyAndNoError(t *testing.T) {
	for name, content := range map[string]string{
		"none": "", "newer": "lessons-seen 2\nt p\n", "noise": "\x00\xff\n", "torn": "lessons-seen 1\nt1 p1\nt2",
	} {
		got := seenMachine(t, content).readSeen()
		if want := map[string]int{"torn": 1}[name]; len(got) != want {
			t.Errorf("%s: %d rows, want %d", name, len(got), want)
		}
	}
}

func TestSeenIsBounded(t *testing.T) {
	table := seenTable{}
	for i := range maxSeenRows + 10 {
		table.add("p1", []string{fmt.Sprintf("t%06d", i)})
	}
	table.add("p2", []string{"z"})
	table.add("p1", []string{"z"})
	out := string(table.bytes())
	if rows := strings.Count(out, "\n") - 1; rows != maxSeenRows {
		t.Errorf("%d rows", rows)
	}
	if !strings.Contains(out, "\nz p1 p2\n") {
		t.Error("a trigger of two projects was dropped")
	}
}
