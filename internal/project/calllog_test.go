package project_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/test/fsxtest"
	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/scan"
)

// madeSession is a session in which n commands fail and work.
func madeSession(name string, n int) scan.File {
	var b bytes.Buffer
	line := func(i int, kind, content string) {
		fmt.Fprintf(&b, `{"type":%q,"cwd":"/repo","sessionId":%q,"uuid":"%s%s%d","timestamp":"2026-03-04T05:06:%02d.000Z","message":{"role":%q,"content":%s}}`+"\n", kind, name, name, kind, i, i, kind, content)
	}
	line(0, "user", `"Go on."`)
	for i := range n {
		line(2*i+1, "assistant", fmt.Sprintf(`[{"type":"tool_use","id":"%st%d","name":"Bash","input":{"command":"gh pr diff %d --stat"}}]`, name, i, i))
		line(2*i+2, "user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"%st%d","content":"Exit code 1\nunknown flag: --stat","is_error":%v}]`, name, i, i%2 == 0))
	}
	data := b.Bytes()
	return scan.File{Path: "/home/dev/" + name + ".jsonl", Open: func() (io.ReadSeekCloser, scan.FileInfo, error) {
		return noCloser{bytes.NewReader(data)}, scan.FileInfo{Size: int64(len(data)), ID: name}, nil
	}}
}

// toldAnew is another file of the same session, in which a text is another one.
func toldAnew(t testing.TB, f scan.File, old, now string) scan.File {
	t.Helper()
	r, info, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.ReplaceAll(data, []byte(old), []byte(now))
	return scan.File{Path: f.Path + ".copy.jsonl", Open: func() (io.ReadSeekCloser, scan.FileInfo, error) {
		return noCloser{bytes.NewReader(data)}, scan.FileInfo{Size: int64(len(data)), ID: info.ID + " anew"}, nil
	}}
}

type noCloser struct{ io.ReadSeeker }

func (noCloser) Close() error { return nil }

// callsIn are the calls of all sessions in a tree of files.
func callsIn(tree map[string]string) map[string][]calls.Call {
	all := map[string][]calls.Call{}
	for name, data := range tree {
		if strings.HasPrefix(name, "/repo/.git/lessons/calls/") && !strings.HasPrefix(path.Base(name), fsx.TempPrefix) {
			s, _ := calls.Parse(path.Base(name), []byte(data))
			all[s.Name] = s.Calls
		}
	}
	return all
}

// What a scan stored of a session, it need not read again: after a fault at any point the
// next scan ends with all calls in the log, whatever the state says was read.
func TestAFaultAtAnyPointOfAScanLosesNoCall(t *testing.T) {
	n := fsxtest.EveryPoint(t, fsxtest.Scenario{
		Start: fsxtest.NewMemory(map[string]string{"/repo/README.md": "x"}),
		Run: func(fsys fsx.FS) error {
			result, err := inMemory(fsys).Scan(context.Background(), project.ScanOptions{Files: []scan.File{
				madeSession("a", 3), madeSession("b", 2), toldAnew(t, madeSession("a", 3), "unknown flag: --stat", "unknown flag: --stat (gh 2.9)"),
			}})
			if err == nil && len(result.Problems) > 0 {
				err = errors.New(result.Problems[0].Text)
			}
			return errors.Join(err, fsys.SyncDir("/repo/.git/lessons")) // of the marks of open files, which nobody syncs
		},
		Check: func(at fsxtest.Point, want, got map[string]string) error {
			ids := func(tree map[string]string) map[string]string { // which of two files holds is a matter of their order
				all := map[string]string{}
				for session, made := range callsIn(tree) {
					for _, c := range made {
						all[session] += c.ID + " "
					}
				}
				return all
			}
			if w, g := ids(want), ids(got); len(w) != 2 || !maps.Equal(w, g) {
				return fmt.Errorf("%v, want %v", g, w)
			}
			return nil
		},
		Modes:   []fsxtest.Mode{fsxtest.KillBefore, fsxtest.KillAfter, fsxtest.KillTorn, fsxtest.PowerLoss, fsxtest.PowerSome},
		Chances: 2,
	})
	if n < 40 {
		t.Errorf("only %d points", n)
	}
}

// Some files tell one session: of a call that they share, the file that is read last
// holds, and a call that one of them has stays.
func TestCallsOfASessionInThreeFiles(t *testing.T) {
	const said, anew = "unknown flag: --stat", "unknown flag: --stat (gh 2.9)"
	first, last := madeSession("a", 3), toldAnew(t, madeSession("a", 3), said, anew)
	middle := toldAnew(t, madeSession("a", 9), said, anew)
	middle.Path, last.Path = first.Path+".1.jsonl", first.Path+".2.jsonl"
	all, alone := fsxtest.NewMemory(map[string]string{"/repo/README.md": "x"}), fsxtest.NewMemory(map[string]string{"/repo/README.md": "x"})
	for fsys, files := range map[fsx.FS][]scan.File{all: {first, middle, last}, alone: {middle}} {
		if result, err := inMemory(fsys).Scan(context.Background(), project.ScanOptions{Files: files}); err != nil || len(result.Problems) > 0 {
			t.Fatal(err, result.Problems)
		}
	}
	if diff := cmp.Diff(callsIn(alone.Tree()), callsIn(all.Tree())); diff != "" {
		t.Error(diff)
	}
}

// A session that is scanned as it grows leaves the same calls as one that is scanned at
// its end, and one that is scanned again leaves its file as it is.
func TestCallsOfASessionInPieces(t *testing.T) {
	whole, pieces := fsxtest.NewMemory(map[string]string{"/repo/README.md": "x"}), fsxtest.NewMemory(map[string]string{"/repo/README.md": "x"})
	learnCalls := func(fsys fsx.FS, o project.ScanOptions) {
		t.Helper()
		if result, err := inMemory(fsys).Scan(context.Background(), o); err != nil || len(result.Problems) > 0 {
			t.Fatal(err, result.Problems)
		}
	}
	learnCalls(whole, project.ScanOptions{Files: []scan.File{madeSession("a", 9)}})
	for n := range 10 {
		learnCalls(pieces, project.ScanOptions{Files: []scan.File{madeSession("a", n)}})
	}
	want, got := callsIn(whole.Tree()), callsIn(pieces.Tree())
	if len(want) != 1 || !reflect.DeepEqual(want, got) {
		t.Fatalf("%v, want %v", got, want)
	}
	before := pieces.Tree()
	learnCalls(pieces, project.ScanOptions{Files: []scan.File{madeSession("a", 9)}, All: true})
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if strings.Contains(name, "/calls/") && pieces.Tree()[name] != before[name] {
			t.Errorf("%s became\n%s", name, pieces.Tree()[name])
		}
	}
}
