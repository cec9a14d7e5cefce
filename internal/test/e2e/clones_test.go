//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// told is what an agent reports in a session: of the first everybody hears.
var told = []struct{ trigger, mistake, fix string }{
	{"go vet -x ./...", "go vet -x prints every command", "go vet ./..."},
	{"kubectl logs web", "the pod has two containers", "kubectl logs web -c app"},
	{"npm install --global yarn", "the image is read-only", "corepack enable"},
}

// TestTwoClonesOfOneRepository: two people work with a real agent on clones of one
// repository. Each has sessions, and meanwhile the other changes the same files upstream.
// After a session the tree is as git left it, a pull --rebase works, the next session
// starts, and everything that was heard is there once.
func TestTwoClonesOfOneRepository(t *testing.T) {
	for _, c := range []client{claudeCode, codexCLI} {
		t.Run(c.name, func(t *testing.T) {
			c.find(t)
			ann := newSite(t, "--agent", c.name)
			bob := ann.clone("bob")
			ann.hears(c, 0)
			ann.share()
			bob.run("git", "pull", "-q", "--rebase", "origin", "main")

			bob.hears(c, 0)
			bob.hears(c, 1)
			if changed := bob.run("git", "status", "--porcelain", "-uno"); changed != "" {
				t.Errorf("sessions changed what git tracks:\n%s", changed)
			}
			ann.hears(c, 1)
			ann.append(".lessons/go-vet*.md", "\nAsk Ann.\n")
			ann.run("lessons", "render")
			ann.share()
			bob.run("git", "pull", "-q", "--rebase", "origin", "main")

			bob.hears(c, 2)
			bob.lists(3)
			bob.run("lessons", "render")
			bob.lists(3)
			bob.run("lessons", "check")
			if text := bob.run("cat", bob.only(".lessons/*containers*.md")); !strings.Contains(text, "sessions: 2") {
				t.Errorf("what both heard has not the evidence of both:\n%s", text)
			}
			if text := bob.run("cat", bob.only(".lessons/go-vet*.md")); !strings.Contains(text, "Ask Ann.") {
				t.Errorf("Ann's words are gone:\n%s", text)
			}
			bob.share()
			ann.run("git", "pull", "-q", "--rebase", "origin", "main")
			ann.lists(3)
			ann.run("lessons", "check")
		})
	}
}

// clone is a colleague's clone of the repository, with a home of its own, by way of a
// remote that both have.
func (s *site) clone(name string) *site {
	s.t.Helper()
	root := filepath.Dir(s.root)
	origin := filepath.Join(root, "origin.git")
	s.run("git", "clone", "-q", "--bare", ".", origin)
	s.run("git", "remote", "add", "origin", origin)
	other := *s
	other.root, other.home = filepath.Join(root, name), filepath.Join(root, "home-"+name)
	s.run("git", "clone", "-q", origin, other.root)
	if err := os.MkdirAll(other.home, 0o755); err != nil {
		s.t.Fatal(err)
	}
	other.run("lessons", "init", "--yes")
	return &other
}

// hears has a session in which the agent reports something.
func (s *site) hears(c client, n int) {
	s.t.Helper()
	about := told[n]
	s.session(c, "Look at the code.", says(fmt.Sprintf("Done.\n\n#lesson\ntool: Bash\ntrigger: %s\nmistake: %s\nfix: %s\n#/lesson", about.trigger, about.mistake, about.fix)))
	s.until("the session is learned", func() bool { return strings.Contains(s.run("lessons", "list"), about.mistake) })
	s.quiet()
}

// share commits everything and pushes it.
func (s *site) share() {
	s.t.Helper()
	s.run("git", "add", "-A")
	s.run("git", "commit", "-qm", "Learn")
	s.run("git", "push", "-q", "origin", "HEAD:main")
}

// lists holds that the first n things are listed once each.
func (s *site) lists(n int) {
	s.t.Helper()
	out := s.run("lessons", "list")
	for _, about := range told[:n] {
		if times := strings.Count(out, about.mistake); times != 1 {
			s.t.Errorf("%q is listed %d times:\n%s", about.mistake, times, out)
		}
	}
}

// only is the one file of a pattern.
func (s *site) only(pattern string) string {
	s.t.Helper()
	found, _ := filepath.Glob(filepath.Join(s.root, pattern))
	if len(found) != 1 {
		s.t.Fatalf("%s: %q", pattern, found)
	}
	return found[0]
}

func (s *site) append(pattern, text string) {
	s.t.Helper()
	name := s.only(pattern)
	before, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, append(before, text...), 0o644)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}
