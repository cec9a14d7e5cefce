package scan

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// How many processors there are, and which file is read first, shows nowhere.
func TestProcessorsLeaveNoTrace(t *testing.T) {
	var files []File
	for i := range 12 {
		s := learner()
		for range 12 * (12 - i) { // the first take longest
			s = append(s, bash("go test ./a", fail, "Exit code 1\nunknown flag: --x"), bash("go test ./b", ok, "ok"))
		}
		events := s.events()
		for j := range events {
			events[j].ID += fmt.Sprint("-", i)
			events[j].Time = events[j].Time.Add(time.Duration(i) * time.Hour)
		}
		f := memory(fmt.Sprintf("/s/%02d.jsonl", i), claudeFile(fmt.Sprint("s", i), events))
		switch i {
		case 3:
			f.Open = func() (io.ReadSeekCloser, FileInfo, error) { return nil, FileInfo{}, fs.ErrPermission }
		case 5:
			f = memory(f.Path, []byte(`{"some":"thing"}`+"\n"))
			f.Named = true
		}
		files = append(files, f)
	}
	type trace struct {
		Log, State string
		Told       []Candidate
		Result     Result
	}
	scanned := func(processors int) trace {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		got := trace{}
		got.Result = scanAll(t, Input{Files: files, Found: func(c Candidate) { got.Told = append(got.Told, c) }})
		got.Log, got.State = string(got.Result.Log.Bytes()), string(got.Result.State)
		got.Result.Log, got.Result.State = nil, nil
		return got
	}
	want := scanned(1)
	if len(want.Told) < 20 || len(want.Result.Problems) != 2 || want.Result.Files != 10 {
		t.Fatalf("%d told, problems %v, %d files", len(want.Told), want.Result.Problems, want.Result.Files)
	}
	for _, processors := range []int{2, 3, 8} {
		if diff := cmp.Diff(want, scanned(processors)); diff != "" {
			t.Errorf("%d processors:\n%s", processors, diff)
		}
	}
}

// A fault in one visit reaches the person, whichever processor met it.
func TestFaultsOfVisitsAreTold(t *testing.T) {
	var files []File
	for i := range 6 {
		f := memory(fmt.Sprintf("/s/%d.jsonl", i), claudeFile(fmt.Sprint("s", i), learner().events()))
		if i%2 == 1 {
			whole := f.Open
			f.Open = func() (io.ReadSeekCloser, FileInfo, error) {
				r, info, err := whole()
				return panicking{r}, info, err
			}
		}
		files = append(files, f)
	}
	r := scanAll(t, Input{Files: files})
	if r.Files != 3 || len(r.Problems) != 3 {
		t.Fatalf("%d files, problems %v", r.Files, r.Problems)
	}
	for i, p := range r.Problems {
		if p.Rule != "session-skipped" || p.Path != fmt.Sprintf("/s/%d.jsonl", 2*i+1) {
			t.Errorf("problem %d: %+v", i, p)
		}
	}
}

type panicking struct{ io.ReadSeekCloser }

func (panicking) Read([]byte) (int, error) { panic(errors.New("inside")) }
