package project

import (
	"os"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/scan"
)

func TestFilesStampTellsEveryChange(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	file := func(path string, size int64, at time.Time, id string) scan.File {
		return scan.File{Path: path, Stat: func() (scan.FileInfo, error) { return scan.FileInfo{Size: size, ModTime: at, ID: id}, nil }}
	}
	base := []scan.File{file("/a", 1, now, "1"), file("/b", 2, now, "2")}
	want := filesStamp(base, ScanOptions{})
	if want == "" || filesStamp(base, ScanOptions{}) != want {
		t.Fatalf("the stamp %q of the same files differs", want)
	}
	for name, files := range map[string][]scan.File{
		"size":     {file("/a", 2, now, "1"), base[1]},
		"time":     {file("/a", 1, now.Add(1), "1"), base[1]},
		"identity": {file("/a", 1, now, "3"), base[1]},
		"name":     {file("/c", 1, now, "1"), base[1]},
		"one more": {base[0], base[1], base[1]},
		"one less": {base[0]},
	} {
		if filesStamp(files, ScanOptions{}) == want {
			t.Errorf("%s: not told", name)
		}
	}
	if filesStamp(base, ScanOptions{Foreign: true}) == want {
		t.Error("sessions of other repositories are no part of the stamp")
	}
	for name, f := range map[string]scan.File{
		"not to be asked": {Path: "/x"},
		"gone":            {Path: "/x", Stat: func() (scan.FileInfo, error) { return scan.FileInfo{}, os.ErrNotExist }},
		"without a time":  file("/x", 1, time.Time{}, "1"),
	} {
		if got := filesStamp(append(base[:2:2], f), ScanOptions{}); got != "" {
			t.Errorf("a file %s has the stamp %q", name, got)
		}
	}
}
