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

type noCloser struct{ io.ReadSeeker }

func (noCloser) Close() error { return nil }

// callsIn are the calls of all sessions in a tree of files.
func callsIn(tree map[string]string) map[string][]calls.Call {
	all := map[string][]calls.Call{}
	for name, data := range tree {
		if strings.HasPrefix(name, "/repo/.git/lessons/calls/") {
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
			result, err := inMemory(fsys).Scan(context.Background(), project.ScanOptions{Files: []scan.File{madeSession("a", 3), madeSession("b", 2)}})
			if err == nil && len(result.Problems) > 0 {
				err = errors.New(result.Problems[0].Text)
			}
			return errors.Join(err, fsys.SyncDir("/repo/.git/lessons")) // of the marks of open files, which nobody syncs
		},
		Check: func(at fsxtest.Point, want, got map[string]string) error {
			if w, g := callsIn(want), callsIn(got); len(w) != 2 || !reflect.DeepEqual(w, g) {
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
