//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestVerdictsOfPeopleHold: a lesson that came of a real session stops the mistake; deleted
// in a commit it is silent and not written again; reverted it stops again. A session that
// was killed is read when the next one starts. Hooks do all of it, change nothing that git
// tracks, and leave no process behind.
func TestVerdictsOfPeopleHold(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.find(t)
			s := newSite(t, "--agent", c.name)
			s.run("git", "config", "user.name", "Dev")
			s.program("stock", stock)
			slip, n := slips[1], 0
			work := func() string {
				n++
				model := s.session(c, "What is in stock?", append(c.runs(slip.mistake, slip.mended), says("Twelve."))...)
				s.learned(n, slip.mended)
				s.newFiles()
				return newAfter(t, model, 0)
			}
			stops := func(said string) bool {
				return strings.Contains(said, "Stopped once") && strings.Contains(said, slip.fix)
			}
			lessons := func() []string {
				names, _ := filepath.Glob(filepath.Join(s.root, ".lessons", "stock*.md"))
				return names
			}

			work()
			work()
			s.waitFor(".lessons/stock*.md")
			s.run("git", "add", "-A")
			s.run("git", "commit", "-qm", "Review what the session taught")
			if said := work(); !stops(said) {
				t.Errorf("the lesson does not stop the mistake:\n%s", said)
			}

			for _, name := range lessons() {
				s.run("git", "rm", "-q", name)
			}
			s.run("git", "commit", "-qm", "We do not need this one")
			if said := work(); strings.Contains(said, "[lessons]") {
				t.Errorf("a deleted lesson speaks:\n%s", said)
			}
			if again := lessons(); len(again) > 0 {
				t.Errorf("a deleted lesson was written again: %q", again)
			}

			s.run("git", "revert", "--no-edit", "HEAD")
			if said := work(); !stops(said) {
				t.Errorf("after the revert the lesson does not stop the mistake:\n%s", said)
			}

			s.killed(c, "git tag --lisst")
			work()
			s.until("the killed session was read", func() bool { return strings.Contains(s.calls(), "git tag --lisst") })
			s.quiet()
		})
	}
}

// killed has a session that dies in the middle of a call, after a call that failed.
func (s *site) killed(c client, mistake string) {
	s.t.Helper()
	begun := filepath.Join(s.home, "begun")
	model := c.model(c.runs(mistake, "touch "+begun+"; sleep 15"))
	defer model.Close()
	own, err := c.env(model.URL, s.home, s.root)
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(c.find(s.t), c.args("Which tags are there?")...)
	cmd.Dir, cmd.Env = s.root, append(s.env(), own...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	s.until("the second call runs", func() bool {
		_, err := os.Stat(begun)
		return err == nil
	})
	time.Sleep(500 * time.Millisecond) // some agents write their sessions a moment later
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	<-ended
}

// calls is the call log.
func (s *site) calls() string {
	names, _ := filepath.Glob(filepath.Join(s.root, ".git", "lessons", "calls", "*.jsonl"))
	var all strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			s.t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}
