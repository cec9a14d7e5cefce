//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

const (
	mistake = "git branch --show-curent"
	failure = "unknown option `show-curent'"
	mended  = "git branch --show-current"
)

// TestMistakeIsStoppedInTheThirdSession: a real agent makes a mistake and mends
// it, and makes it again in the next session. The third session is stopped with
// the fix before it happens. Nobody calls lessons in between: hooks do all of it.
func TestMistakeIsStoppedInTheThirdSession(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			c.find(t)
			s := newSite(t, "--agent", c.name)
			made := 0
			for n := 1; n <= 3; n++ {
				turns := append(c.runs(mistake, mended), says("It is main."))
				model := s.session(c, "Which branch is this?", turns...)
				stopped := s.stopped(model)
				if !stopped {
					made++
				}
				s.until("the log tells of every session that made the mistake", func() bool {
					return strings.Contains(s.log(), fmt.Sprintf(`"observations":%d,`, made))
				})
				s.until("what hooks started has ended", func() bool { return len(s.processes()) == 0 })
				t.Logf("session %d: stopped is %v; new are %q", n, stopped, s.newFiles())
				if n == 1 && stopped || n == 3 && !stopped {
					t.Errorf("session %d: stopped is %v\n%s", n, stopped, s.log())
				}
			}
		})
	}
}

// stopped says whether the first call was held back, with the fix as the reason.
func (s *site) stopped(model *mockmodel.Model) bool {
	s.t.Helper()
	requests := model.Requests()
	if len(requests) < 3 {
		s.t.Fatalf("%d requests", len(requests))
	}
	told := strings.Count(requests[1], mended) > strings.Count(requests[0], mended)
	return told && !model.Saw(failure)
}

// until waits for work that hooks started beside the session. It counts its
// tries, and a machine under load has enough of them.
func (s *site) until(what string, done func() bool) {
	s.t.Helper()
	for range 600 {
		if done() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.t.Fatalf("not so: %s\nprocesses: %q\nlog:\n%s", what, s.processes(), s.log())
}

// log is the observation log; empty when there is none yet.
func (s *site) log() string {
	data, err := os.ReadFile(filepath.Join(s.root, ".git", "lessons", "learning-log.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	return string(data)
}

// processes are the command lines of lessons' own processes, on systems that
// tell them by files.
func (s *site) processes() []string {
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		s.t.Fatal(err)
	}
	var running []string
	for _, link := range links {
		if exe, err := os.Readlink(link); err == nil && strings.HasPrefix(exe, s.bin()+"/") {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "cmdline")) // may have ended just now
			running = append(running, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return running
}

// newFiles are the files that git does not track. What it tracks must be as it
// was committed.
func (s *site) newFiles() []string {
	s.t.Helper()
	var files []string
	for line := range strings.Lines(s.run("git", "status", "--porcelain", "--untracked-files=all")) {
		name, untracked := strings.CutPrefix(strings.TrimSpace(line), "?? ")
		if !untracked {
			s.t.Errorf("a tracked file changed: %s", line)
		}
		files = append(files, name)
	}
	return files
}
