package project

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge/store"
)

func TestUsageCountsSetsAndSkipsWhatItCannotRead(t *testing.T) {
	u := parseUsage([]byte(strings.Join([]string{
		`{"session":"s1","message":"m1","ids":["ADR-001","ADR-1","PF-002"]}`,
		`{"session":"s1","message":"m1","ids":["ADR-001"]}`, // told twice
		`{"session":"s1","message":"m2","ids":["ADR-001"],"later":true}`,
		`{"session":"s2","message":"m1","ids":["ADR-001"]}`,
		`{"session":"","message":"m1","ids":["ADR-001"]}`,
		`{"session":"s3","message":"m1","ids":"ADR-001"}`,
		`<<<<<<< HEAD`,
		`{"session":"s3","mess`,
	}, "\n")))
	for id, want := range map[string]Cited{"ADR-001": {3, 2}, "PF-002": {1, 1}, "PF-009": {}, "ADR-003": {}} {
		if got := u.Of(id); got != want {
			t.Errorf("%s: %+v, want %+v", id, got, want)
		}
	}
}

// Several hooks end at once: each message counts exactly once.
func TestCitationsCountedOnceFromManyHooks(t *testing.T) {
	root := t.TempDir()
	open := func() *Project {
		return &Project{
			Machine: Machine{FS: fsx.OS{}, Env: func(string) string { return "" }, Now: func() time.Time { return time.Unix(0, 0) }}, Root: root,
			Store: &store.Store{Places: store.Places{Root: root, Shared: filepath.Join(root, "shared")}},
		}
	}
	book := "# Decisions\n"
	for n := range 3 {
		book += fmt.Sprintf("\n## ADR-%03d: Use it\n\n- **Status**: Accepted\n- **Decision**: use it\n", 1+n)
	}
	if err := fsx.WriteFile(fsx.OS{}, filepath.Join(root, ".memory", "knowledge", "decisions.md"), []byte(book)); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for n := range 12 {
		all.Go(func() {
			e := agent.Event{Name: agent.Stop, Session: "s", Message: fmt.Sprintf("applies ADR-%03d", 1+n%3)}
			for open().countCitations(e) != nil { // another one holds the lock
				runtime.Gosched()
			}
		})
	}
	all.Wait()
	data, err := fsx.OS{}.ReadFile(open().UsagePath())
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "\n"); n != 3 {
		t.Errorf("%d lines, want 3:\n%s", n, data)
	}
	if strings.Contains(string(data), `"s"`) {
		t.Errorf("the session's own id is stored: %s", data)
	}
	u, err := open().Usage()
	if err != nil || u.Of("ADR-001").Times != 1 || u.Of("ADR-003").Times != 1 {
		t.Errorf("%+v, %v", u, err)
	}
}
