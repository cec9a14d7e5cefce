package project_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/outcomes"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/internal/test/gittest"
	"github.com/lessons-cli/lessons/knowledge"
)

// TestRecorder is a process of the test below.
func TestRecorder(t *testing.T) {
	session := os.Getenv("RECORD_SESSION")
	if session == "" {
		t.Skip("started by another test")
	}
	p := openProject(t, ".", time.Now)
	for n := range recordsEach {
		var id string
		err := patiently(func() (err error) {
			id, err = p.RecordOutcome(t.Context(), project.ToolOutcome{Session: session, Tool: "Bash", Outcome: outcomes.Success, Input: fmt.Sprint("run ", n)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("acknowledged %s\n", id)
	}
}

// patiently tries again while other processes are in the way: on a busy machine that can
// take longer than lessons waits.
func patiently(do func() error) error {
	for {
		err := do()
		if e, ok := errors.AsType[*sqlite.Error](err); (!ok || e.Code()&0xff != sqlite3.SQLITE_BUSY) && !errors.Is(err, fsx.ErrLocked) {
			return err
		}
	}
}

const (
	recorders   = 64
	recordsEach = 50
	sessionsAll = 8
)

// record runs a recorder, whose temporary files are in tmp, and kills it after so many
// records. It returns the ids that were acknowledged.
func record(ctx context.Context, dir, tmp, session string, killAfter int) ([]string, error) {
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestRecorder$")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "RECORD_SESSION="+session, "TMPDIR="+tmp)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var ids []string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		id, ok := strings.CutPrefix(lines.Text(), "acknowledged ")
		if ok {
			ids = append(ids, id)
		}
		if len(ids) == killAfter {
			_ = cmd.Process.Kill()
		}
	}
	if err := cmd.Wait(); err != nil && killAfter == 0 {
		return nil, err
	}
	return ids, nil
}

// Processes that record at once, in three work trees, a fifth of which are killed: what was
// acknowledged is there exactly once, and of those who want to analyse a batch one does.
func TestManyRecordAtOnceAndAFifthIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts 64 processes")
	}
	repo := gittest.New(t)
	repo.Write("a", "a")
	repo.Commit("a")
	tmp := t.TempDir() // of processes that do not live to remove it
	dirs := []string{repo.Path("."), repo.Worktree(t, "b").Path("."), repo.Worktree(t, "c").Path(".")}
	r := rand.New(rand.NewPCG(1, 2))
	var mu sync.Mutex
	var wg sync.WaitGroup
	var acknowledged []string
	for i := range recorders {
		kill := 0
		if i%5 == 0 {
			kill = 1 + r.IntN(recordsEach-1)
		}
		wg.Go(func() {
			ids, err := record(t.Context(), dirs[i%3], tmp, fmt.Sprint("s", i%sessionsAll), kill)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			acknowledged = append(acknowledged, ids...)
		})
	}
	wg.Wait()
	claims := map[string]int{}
	for i := range 6 { // readers that take over at once, and want to analyse
		wg.Go(func() {
			p := openProject(t, dirs[i%3], time.Now)
			var s *outcomes.Store
			if err := patiently(func() (err error) { s, err = p.Outcomes(); return err }); err != nil {
				t.Error(err)
				return
			}
			defer s.DB.Close()
			for n := range sessionsAll {
				session := knowledge.SessionHash(fmt.Sprint("s", n))
				claimed := false
				err := patiently(func() error {
					seen, err := s.Snapshot(session)
					if err == nil {
						claimed, err = s.Claim(session, seen)
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
				if claimed {
					mu.Lock()
					claims[session]++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	s, err := openProject(t, dirs[0], time.Now).Outcomes()
	if err != nil {
		t.Fatal(err)
	}
	defer s.DB.Close()
	all, err := s.List(outcomes.Query{})
	if err != nil {
		t.Fatal(err)
	}
	times := map[string]int{}
	for _, o := range all {
		times[o.ID]++
	}
	for _, id := range acknowledged {
		if times[id] != 1 {
			t.Errorf("%s is there %d times", id, times[id])
		}
	}
	if len(acknowledged) < (recorders-13)*recordsEach || len(all) > recorders*recordsEach {
		t.Errorf("%d acknowledged, %d stored", len(acknowledged), len(all))
	}
	counted := 0
	for n := range sessionsAll {
		session := knowledge.SessionHash(fmt.Sprint("s", n))
		c, _ := s.Snapshot(session)
		counted += c.ToolCount
		if claims[session] != 1 {
			t.Errorf("session %d was claimed %d times", n, claims[session])
		}
	}
	if counted != len(all) {
		t.Errorf("counted %d of %d", counted, len(all))
	}
}

// keyBody are lines as those of a private key.
func keyBody() string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(3, 4))
	for range 25 {
		b.WriteString("MIIEp")
		for range 59 {
			b.WriteByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[r.IntN(64)])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// What is never stored, whatever tells it, and wherever the text is cut.
func TestRecordedTextsAreRedactedBeforeTheyAreCut(t *testing.T) {
	repo := gittest.New(t)
	p := openProject(t, repo.Path("."), time.Now)
	key := "sk-" + strings.Repeat("a1B2c3D4", 5)
	for _, secret := range []string{
		key, "AKIA" + "Q7RT2MNB4XKZ6WVU", "Bearer " + strings.Repeat("x9Yz", 8), "password=" + "hunter2tonight9",
		"-----BEGIN RSA PRIVATE " + "KEY-----\n" + keyBody() + "-----END RSA PRIVATE " + "KEY-----", "secret: " + "s3cr3tV4lue8",
	} {
		for _, before := range []int{0, 592} {
			text := strings.Repeat("x ", before/2) + secret
			if _, err := p.RecordOutcome(t.Context(), project.ToolOutcome{Session: "s", Tool: "Bash", Outcome: outcomes.Failure, Input: text, Output: text}); err != nil {
				t.Fatal(err)
			}
		}
	}
	s, err := p.Outcomes()
	if err != nil {
		t.Fatal(err)
	}
	defer s.DB.Close()
	all, err := s.List(outcomes.Query{})
	if err != nil || len(all) != 12 {
		t.Fatalf("%d rows, %v", len(all), err)
	}
	for _, o := range all {
		text := o.InputSummary + o.OutputSummary + o.Message
		for _, part := range []string{"sk-a", "AKIAQ", "x9Yz", "hunter2", "MIIEp", "s3cr3t"} {
			if strings.Contains(text, part) {
				t.Errorf("%q holds %s", text, part)
			}
		}
	}
}

// The database is made of the call log: without it everything is as before.
func TestTheDatabaseComesBackFromTheCallLog(t *testing.T) {
	repo := gittest.New(t)
	p := openProject(t, repo.Path("."), time.Now)
	for n := range 5 {
		if _, err := p.RecordOutcome(t.Context(), project.ToolOutcome{Session: "s", Tool: "Bash", Outcome: outcomes.Success, Input: fmt.Sprint("run ", n)}); err != nil {
			t.Fatal(err)
		}
	}
	rows := func() string {
		s, err := p.Outcomes()
		if err != nil {
			t.Fatal(err)
		}
		defer s.DB.Close()
		all, err := s.List(outcomes.Query{})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%+v", all)
	}
	before := rows()
	for _, end := range []string{"", "-wal", "-shm", ".lock"} {
		_ = os.Remove(p.DatabasePath() + end)
	}
	if after := rows(); after != before || len(before) < 100 {
		t.Errorf("%s\nbecame\n%s", before, after)
	}
}
