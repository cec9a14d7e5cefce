package main

import (
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden holds what both programs do against what they did before: scans,
// rendered files, hooks' answers and verdicts, byte by byte. tools/golden says
// what is asked of them.
func TestGolden(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("NOT RUN: it starts some thousand processes")
	}
	if runtime.GOOS != "linux" {
		t.Skip("NOT RUN: the goldens were written with the tools of Linux")
	}
	bin := t.TempDir()
	tool := func(args ...string) {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
	}
	tool("build", "-o", bin, ".", "../lessons-hook", "../../tools/golden")
	want := filepath.Join("testdata", "golden")
	got := filepath.Join(t.TempDir(), "golden")
	golden := exec.Command(filepath.Join(bin, "golden"), "-repo", "../..", "-most", "32000", "-out", got,
		"-lessons", filepath.Join(bin, "lessons"), "-hook", filepath.Join(bin, "lessons-hook"))
	if out, err := golden.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if *update {
		if err := os.RemoveAll(want); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(want, os.DirFS(got)); err != nil {
			t.Fatal(err)
		}
		return
	}
	before, now := goldenFiles(t, want), goldenFiles(t, got)
	for name, text := range now {
		if old, ok := before[name]; !ok {
			t.Errorf("%s is new", name)
		} else if old != text {
			t.Errorf("%s differs: %s", name, firstDifference([]byte(old), []byte(text)))
		}
	}
	for name := range before {
		if _, ok := now[name]; !ok {
			t.Errorf("%s is gone", name)
		}
	}
}

func goldenFiles(t *testing.T, root string) map[string]string {
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(root, name))
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
