package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// person is a work tree as somebody works in it.
type person struct {
	*workTree
	who, dir string
}

// git runs git as the person; what it says is for who reads a failure.
func (p person) git(args ...string) string {
	p.t.Helper()
	return p.tried(true, args...)
}

func (p person) tried(must bool, args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = p.dir
	cmd.Env = append(p.env[:len(p.env):len(p.env)], "GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true", "GIT_MERGE_AUTOEDIT=no",
		"GIT_AUTHOR_NAME=Dev", "GIT_COMMITTER_NAME=Dev", "GIT_AUTHOR_EMAIL="+p.who+"@example.com", "GIT_COMMITTER_EMAIL="+p.who+"@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil && must {
		p.t.Fatalf("%s: git %v: %v\n%s", p.who, args, err, out)
	}
	return string(out)
}

// run runs lessons where the person works.
func (p person) run(args ...string) {
	p.t.Helper()
	w := *p.workTree
	repo := *w.Repo
	repo.Dir = p.dir
	w.Repo, w.env = &repo, append(w.env[:len(w.env):len(w.env)], "VISUAL=", "EDITOR=sed -i s/Mine/Ours/")
	w.lessons(args...)
}

// write writes a lesson, and commits it where there is a message.
func (p person) write(title, message string) {
	p.t.Helper()
	text := lessonText("X", title, "commands: [x]", "priority: 7", "")
	if err := os.WriteFile(filepath.Join(p.dir, ".lessons", "x.md"), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	if message != "" {
		p.git("add", "-A")
		p.git("commit", "-q", "-m", message)
	}
}

// other commits something that no lesson is.
func (p person) other() { p.file(p.who) }

// file commits a file in which the person's name stands.
func (p person) file(name string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(p.who), 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "Something else")
}

// trusts says whether lessons trusts all lessons of the person's work tree.
func (p person) trusts() bool {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(p.bin, "lessons"), "trust", "--json")
	cmd.Dir, cmd.Env = p.dir, p.env
	out, err := cmd.Output()
	var state struct{ Lessons []struct{ Trusted bool } }
	if err != nil || json.Unmarshal(out, &state) != nil || len(state.Lessons) == 0 {
		p.t.Fatalf("%v: %s", err, out)
	}
	for _, l := range state.Lessons {
		if !l.Trusted {
			return false
		}
	}
	return true
}

// ways are how a lesson comes to stand in Dev's work tree. Dev and Eve have clones of one
// repository; eve is what Eve does in hers, and is pushed.
var ways = []struct {
	name    string
	eve     func(eve person)
	dev     func(dev, linked person)
	trusted bool
}{
	{name: "written, and not committed", dev: func(dev, _ person) { dev.write("Mine", "") }},
	{name: "committed", dev: func(dev, _ person) { dev.write("Mine", "Mine") }, trusted: true},
	{name: "amended", dev: func(dev, _ person) {
		dev.write("Mine", "Mine")
		dev.write("Mine, in better words", "")
		dev.git("commit", "-q", "-a", "--amend", "--no-edit")
	}, trusted: true},
	{name: "committed as another person", dev: func(dev, _ person) {
		dev.write("Theirs", "")
		dev.git("add", "-A")
		dev.git("commit", "-q", "-m", "Theirs", "--author", "Dev <eve@example.com>")
	}},
	{name: "committed, and rebased", eve: person.other, dev: func(dev, _ person) {
		dev.write("Mine", "Mine")
		dev.git("pull", "-q", "--rebase")
	}, trusted: true},
	{name: "committed, and merged", eve: person.other, dev: func(dev, _ person) {
		dev.write("Mine", "Mine")
		dev.git("pull", "-q", "--no-rebase")
	}, trusted: true},
	{name: "committed in a linked work tree", dev: func(dev, linked person) {
		linked.write("Mine", "Mine")
		dev.git("merge", "-q", "linked")
	}, trusted: true},
	{name: "added in a linked work tree", dev: func(dev, linked person) {
		linked.run("add", "Mine", "--command", "x", "--mistake", "m", "--fix", "f")
		linked.git("add", "-A")
		linked.git("commit", "-q", "-m", "Mine")
		dev.git("merge", "-q", "linked")
	}, trusted: true},
	{name: "edited, promoted and rendered in a linked work tree", dev: func(dev, linked person) {
		linked.run("add", "Mine", "--command", "x", "--mistake", "m", "--fix", "f")
		linked.run("edit", "mine")
		linked.run("promote", "mine")
		linked.run("render")
		linked.git("add", "-A")
		linked.git("commit", "-q", "-m", "Mine")
		dev.git("cherry-pick", "linked")
	}, trusted: true},
	{name: "trusted in a linked work tree", eve: func(eve person) { eve.write("Theirs", "Theirs") }, dev: func(dev, linked person) {
		linked.git("merge", "-q", "origin/main")
		linked.run("trust", "--yes")
		dev.git("pull", "-q")
	}, trusted: true},

	{name: "pulled", eve: func(eve person) { eve.write("Theirs", "Theirs") }, dev: func(dev, _ person) { dev.git("pull", "-q") }},
	{name: "pulled by a rebase", eve: func(eve person) { eve.write("Theirs", "Theirs") }, dev: func(dev, _ person) {
		dev.other()
		dev.git("pull", "-q", "--rebase")
	}},
	{name: "merged", eve: func(eve person) { eve.write("Theirs", "Theirs") }, dev: func(dev, _ person) {
		dev.other()
		dev.git("merge", "-q", "--no-ff", "origin/main")
	}},
	{name: "merged with a conflict", eve: func(eve person) {
		eve.write("Theirs", "")
		eve.file("both")
	}, dev: func(dev, _ person) {
		dev.file("both")
		dev.tried(false, "merge", "-q", "origin/main")
		dev.git("commit", "-q", "-a", "-m", "Merge")
	}},
	{name: "checked out", eve: func(eve person) { eve.write("Theirs", "Theirs") }, dev: func(dev, _ person) { dev.git("checkout", "-q", "origin/main") }},
	{name: "reset to", eve: func(eve person) { eve.write("Theirs", "Theirs") }, dev: func(dev, _ person) { dev.git("reset", "-q", "--hard", "origin/main") }},
	{name: "cherry-picked", eve: func(eve person) { eve.write("Theirs", "Theirs") }, dev: func(dev, _ person) { dev.git("cherry-pick", "origin/main") }},
	{name: "cherry-picked and amended", eve: func(eve person) { eve.write("Theirs", "Theirs") }, dev: func(dev, _ person) {
		dev.git("cherry-pick", "origin/main")
		dev.git("commit", "-q", "--amend", "-m", "Better words")
	}},
	{name: "cherry-picked with a conflict", eve: func(eve person) {
		eve.write("Theirs", "")
		eve.file("both")
	}, dev: func(dev, _ person) {
		dev.file("both")
		dev.tried(false, "cherry-pick", "origin/main")
		dev.git("commit", "-q", "-a", "--no-edit")
	}},
	{name: "reverted to", eve: func(eve person) { eve.write("Theirs", "Theirs") }, dev: func(dev, _ person) {
		dev.git("pull", "-q")
		dev.git("rm", "-q", ".lessons/x.md")
		dev.git("commit", "-q", "-m", "Remove it")
		dev.git("revert", "--no-edit", "HEAD")
	}},
	{name: "with a forged author", eve: func(eve person) {
		eve.who = "dev"
		eve.write("Theirs", "commit: Mine")
	}, dev: func(dev, _ person) { dev.git("pull", "-q") }},
	{name: "with a forged author, picked", eve: func(eve person) {
		eve.who = "dev"
		eve.write("Theirs", "commit: Mine")
	}, dev: func(dev, _ person) { dev.git("cherry-pick", "origin/main") }},
	{name: "with a forged author, rebased", eve: func(eve person) {
		eve.who = "dev"
		eve.write("Theirs", "commit: Mine")
	}, dev: func(dev, linked person) {
		dev.other()
		dev.git("rebase", "-q", "--onto", "HEAD", "origin/main~1", "origin/main")
	}},
	{name: "with a forged author, by mail", eve: func(eve person) {
		eve.who = "dev"
		eve.write("Theirs", "commit: Mine")
		eve.git("format-patch", "-q", "-1", "-o", filepath.Join(filepath.Dir(eve.dir), "mail"))
	}, dev: func(dev, _ person) {
		dev.git("am", "-q", filepath.Join(filepath.Dir(dev.dir), "mail", "0001-commit-Mine.patch"))
	}},
}

// TestTrustFollowsThePersonThroughGit: what this person committed or made with lessons is
// trusted in every work tree of the clone, and nothing else that git brings.
func TestTrustFollowsThePersonThroughGit(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			w := newWorkTree(t)
			w.commit("dev", "Set up")
			base := filepath.Dir(w.Dir)
			dev, eve := person{w, "dev", w.Dir}, person{w, "eve", filepath.Join(base, "eve")}
			linked := person{w, "dev", filepath.Join(base, "linked")}
			for _, args := range [][]string{
				{"config", "user.name", "Dev"},
				{"config", "user.email", "dev@example.com"},
				{"clone", "-q", "--bare", ".", filepath.Join(base, "remote")},
				{"clone", "-q", filepath.Join(base, "remote"), eve.dir},
				{"remote", "add", "origin", filepath.Join(base, "remote")},
				{"fetch", "-q"},
				{"branch", "-q", "-u", "origin/main"},
				{"worktree", "add", "-q", "-b", "linked", linked.dir},
			} {
				dev.git(args...)
			}
			if way.eve != nil {
				way.eve(eve)
				eve.git("push", "-q")
				dev.git("fetch", "-q")
			}
			way.dev(dev, linked)
			if got := dev.trusts(); got != way.trusted {
				t.Errorf("trusted: %v\n%s", got, strings.TrimSpace(dev.git("reflog")))
			}
		})
	}
}
