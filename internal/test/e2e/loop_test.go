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

// slip is a mistake, what mends it, and what only the program itself says of the mistake.
type slip struct {
	about, mistake, mended, ran string
	fix                         string // as it is told
	stopped                     int    // the session from which on it is stopped
}

// slips are a failure that names what is wrong, and one that does not.
var slips = []slip{
	{"git branch", "git branch --show-curent", "git branch --show-current", "usage: git branch", "git branch --show-current", 2},
	{"stock", "./stock count", "./stock --host=localhost count", "shelf 7 is dark", "./stock --host", 3},
}

// stock fails without a host. What it complains of is not in its command line.
const stock = `#!/bin/sh
case "$*" in
"--host=localhost count") echo 12 ;;
*) echo 'stock: FATAL: Peer authentication failed for user "dev"' >&2; echo 'shelf 7 is dark' >&2; exit 2 ;;
esac
`

// TestMistakesAreStopped: a real agent makes two mistakes and mends them, in session
// after session. The one that its failure names is stopped with the fix in the second
// session, the other one in the third; before that the agent is told what is known.
// Nobody calls lessons in between: hooks do all of it.
func TestMistakesAreStopped(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.find(t)
			s := newSite(t, "--agent", c.name)
			s.program("stock", stock)
			var lines []string
			for _, slip := range slips {
				lines = append(lines, slip.mistake, slip.mended)
			}
			for n := 1; n <= 3; n++ {
				model := s.session(c, "Which branch is this, and what is in stock?", append(c.runs(lines...), says("It is main."))...)
				s.learned(n, lines[len(lines)-1])
				t.Logf("session %d: new are %q", n, s.newFiles())
				for i, slip := range slips {
					said := newAfter(t, model, 2*i)
					fixed := strings.Contains(said, slip.fix)
					stopped := fixed && strings.Contains(said, "Stopped once")
					told := fixed && strings.Contains(said, "Known problems of `"+slip.about+"`")
					ran := strings.Contains(said, slip.ran)
					if stopped != (n >= slip.stopped) || stopped == ran || told != (n > 1 && !stopped) {
						t.Errorf("session %d, %s: stopped is %v, told is %v, ran is %v\n%s\nlog:\n%s", n, slip.mistake, stopped, told, ran, said, s.log())
					}
				}
			}
		})
	}
}

// TestCopilotHearsOnceBesideClaudeCode: Copilot runs Claude Code's hooks of a repository as
// well as its own, and is told and stopped once all the same.
func TestCopilotHearsOnceBesideClaudeCode(t *testing.T) {
	copilotCLI.find(t)
	s := newSite(t, "--agent", claudeCode.name, "--agent", copilotCLI.name)
	s.run("lessons", "add", "go test wants a unit", "--command", "go test -timeout=30", "--mistake", "a bare number is refused", "--fix", "go test -timeout=30s")
	requests := s.session(copilotCLI, "Test it.", append(copilotCLI.runs("go test -timeout=30", "go test -timeout=30"), says("It is fine."))...).Requests()
	if n := strings.Count(requests[0], "Lesson protocol v2"); n != 1 {
		t.Errorf("the session began with the protocol %d times", n)
	}
	if n := strings.Count(requests[1], "Stopped once"); n != 1 {
		t.Errorf("the first call was stopped with the reason %d times", n)
	}
	if n := strings.Count(requests[2], "Stopped once"); n != 1 {
		t.Errorf("after the second call the reason is there %d times: it did not pass", n)
	}
	s.quiet()
}

// program puts a script into the repository, and commits it.
func (s *site) program(name, text string) {
	s.t.Helper()
	s.put(filepath.Join(s.root, name), text)
	if err := os.Chmod(filepath.Join(s.root, name), 0o755); err != nil {
		s.t.Fatal(err)
	}
	s.run("git", "add", name)
	s.run("git", "commit", "-qm", "Add "+name)
}

// learned waits until the call log has n sessions that end with a call, and nothing runs
// any more that hooks started.
func (s *site) learned(n int, call string) {
	s.t.Helper()
	s.until(fmt.Sprintf("the call log has %d sessions with %s", n, call), func() bool {
		files, _ := filepath.Glob(filepath.Join(s.root, ".git", "lessons", "calls", "*.jsonl"))
		have := 0
		for _, file := range files {
			if data, err := os.ReadFile(file); err == nil && strings.Contains(string(data), fmt.Sprintf(`"in":%q`, call)) {
				have++
			}
		}
		return have >= n
	})
	s.until("what hooks started has ended", func() bool { return len(s.processes()) == 0 })
}

// newAfter is what the model reads after its call i, and did not read before it.
func newAfter(t *testing.T, model *mockmodel.Model, i int) string {
	t.Helper()
	requests := model.Requests()
	if len(requests) < i+2 {
		t.Fatalf("%d requests, call %d", len(requests), i)
	}
	before, after := requests[i], requests[i+1]
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	return after
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
