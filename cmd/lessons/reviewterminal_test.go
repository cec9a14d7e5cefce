//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/lessons-cli/lessons/internal/agent"
)

// keyboard is a person at a terminal in which lessons runs: a real one, as the system has it.
type keyboard struct {
	t      *testing.T
	master *os.File
	tty    *os.File
	before *unix.Termios
	cmd    *exec.Cmd
	shown  bytes.Buffer
	seen   int // how much of that was looked at
}

// atTerminal starts lessons at a terminal of 80 columns.
func (p *player) atTerminal(env []string, args ...string) *keyboard {
	p.t.Helper()
	master, tty := openTerminal(p.t)
	k := &keyboard{t: p.t, master: master, tty: tty}
	k.resize(80, 24)
	k.before = k.modes()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	k.cmd = &exec.Cmd{Path: self, Args: append([]string{"lessons"}, args...), Dir: p.at.dir, Stdin: tty, Stdout: tty, Stderr: tty}
	k.cmd.Env = append([]string{"HOME=" + p.at.home, "USER=dev", "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", agent.DeadlineVariable + "=1m"}, env...)
	k.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := k.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = k.cmd.Process.Kill()
		_ = k.master.Close()
		_ = k.tty.Close()
	})
	return k
}

// openTerminal is a terminal: what a person has of it, and what a program has.
func openTerminal(t *testing.T) (master, tty *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, tty
}

func (k *keyboard) resize(columns, rows uint16) {
	if err := unix.IoctlSetWinsize(int(k.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: rows}); err != nil {
		k.t.Fatal(err)
	}
}

func (k *keyboard) modes() *unix.Termios {
	modes, err := unix.IoctlGetTermios(int(k.tty.Fd()), unix.TCGETS)
	if err != nil {
		k.t.Fatal(err)
	}
	return modes
}

func (k *keyboard) press(keys string) {
	k.t.Helper()
	if _, err := k.master.WriteString(keys); err != nil {
		k.t.Fatal(err)
	}
}

// until reads the terminal until it shows a text, which nothing looked at yet.
func (k *keyboard) until(text string) {
	k.t.Helper()
	buffer := make([]byte, 1<<16)
	for {
		if at := bytes.Index(k.shown.Bytes()[k.seen:], []byte(text)); at >= 0 {
			k.seen += at + len(text)
			return
		}
		n, err := k.master.Read(buffer)
		k.shown.Write(buffer[:n])
		if err != nil {
			k.t.Fatalf("%v; it never showed %q:\n%q", err, text, k.shown.Bytes()[k.seen:])
		}
	}
}

// at waits until the window's title says so: it tells the whole state.
func (k *keyboard) at(state string) {
	k.t.Helper()
	k.until("lessons review: " + state)
}

// ends waits for the end, after which the terminal must be as it was.
func (k *keyboard) ends() {
	k.t.Helper()
	k.until("still waiting")
	if err := k.cmd.Wait(); err != nil {
		k.t.Errorf("it ended with %v", err)
	}
	if now := k.modes(); *now != *k.before {
		k.t.Errorf("the terminal was left in another mode: %+v, not %+v", now, k.before)
	}
	for _, pair := range [][2]string{{"\x1b[?1049h", "\x1b[?1049l"}, {"\x1b[?25l", "\x1b[?25h"}} {
		if shown := k.shown.String(); strings.LastIndex(shown, pair[0]) > strings.LastIndex(shown, pair[1]) {
			k.t.Errorf("%q is not taken back", pair[0])
		}
	}
}

// editing writes an editor that replaces a text, and returns its name.
func (p *player) editing(old, new string) string {
	name := filepath.Join(p.root, "editor")
	if err := os.WriteFile(name, []byte("#!/bin/sh\nsed -i 's/"+old+"/"+new+"/' \"$1\"\n"), 0o755); err != nil {
		p.t.Fatal(err)
	}
	return name
}

var colour = regexp.MustCompile(`\x1b\[[0-9;:]*(3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;:]*m`)

// Every action by the keyboard alone, in a terminal that changes its size meanwhile.
func TestReviewAtATerminal(t *testing.T) {
	p := toReview(t)
	head := p.head()
	k := p.atTerminal([]string{"NO_COLOR=1", "EDITOR=" + p.editing("at random", "anywhere")}, "review")
	k.at("1 of 8, 0 decided, Never force-push")
	k.press("n")
	k.at("2 of 8, 0 decided, Deploys")
	k.press("\x1b[D") // left
	k.at("1 of 8, 0 decided, Never")
	k.press("p")
	k.at("8 of 8, 0 decided, Builds are clean")
	k.press("n")
	k.at("1 of 8, 0 decided, Never")
	k.press("a")
	k.at("1 of 7, 1 decided, Deploys")
	k.press("u")
	k.at("1 of 8, 0 decided, Never")
	k.resize(40, 12)
	k.press("n")
	k.at("2 of 8, 0 decided, Deploys")
	k.resize(120, 50)
	k.press("e")
	k.at("2 of 8, 1 decided, Deploys")
	k.press("r")
	k.at("2 of 7, 2 decided, go test")
	k.press("d")
	k.until("Why?")
	k.press("we use bazel\r")
	k.at("2 of 6, 3 decided, Money")
	k.press("m")
	k.until("Merge it into which?")
	k.press("1")
	k.until("Times") // nothing is said twice: what differs is drawn
	k.press("\r")
	k.at("2 of 5, 4 decided, Times are UTC")
	k.press("\x03")
	k.ends()
	if p.head() != head {
		t.Error("somebody committed")
	}
	for pattern, says := range map[string]string{
		".lessons/deploys-*.md": "it goes to a region anywhere", ".lessons/deploys-name*.md": "status: archived",
		".memory/knowledge/decisions.md": "**Status**: Superseded by ADR-002", ".lessons/no-force.md": "Never force-push",
	} {
		if files, _ := filepath.Glob(filepath.Join(p.at.dir, pattern)); len(files) != 1 || !strings.Contains(p.text(files[0]), says) {
			t.Errorf("%s does not say %q", pattern, says)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(p.at.dir, ".lessons/go-test-*.md")); len(files) > 0 {
		t.Errorf("%v is still there", files)
	}
	if found := colour.Find(k.shown.Bytes()); found != nil {
		t.Errorf("NO_COLOR is set, and it wrote %q", found)
	}
}

// Who breaks off while something is written finds it written: no half of a decision stands.
func TestReviewIsBrokenOff(t *testing.T) {
	p := toReview(t)
	k := p.atTerminal(nil, "review", "--only", "draft")
	k.at("1 of 2, 0 decided")
	k.press("a\x03")
	k.ends()
	if files, _ := filepath.Glob(filepath.Join(p.at.dir, ".lessons/deploys-*.md")); len(files) != 1 || !strings.Contains(p.text(files[0]), "status: active") {
		t.Errorf("%v: the decision is lost", files)
	}
	p.mustRun("reconcile")
	if left, _ := filepath.Glob(filepath.Join(p.at.dir, ".lessons", ".*")); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
	if colour.Find(k.shown.Bytes()) == nil {
		t.Error("there is no colour")
	}
}

// Three thousand drafts are one walk, and the last is as near as the first.
func TestReviewOfThreeThousandDrafts(t *testing.T) {
	p := prepare(t, true)
	for i := range 3000 {
		id := fmt.Sprintf("01JBQ2ZK5X%016d", i)
		p.write(fmt.Sprintf(".lessons/draft-%04d.md", i), "---\nid: "+id+"\nkind: warning\npriority: 5\nstatus: draft\ntriggers:\n  commands: [tool"+id+"]\n---\n# Draft "+id[22:]+"\n\n**Fix**: another tool\n")
	}
	k := p.atTerminal(nil, "review")
	k.at("1 of 3000, 0 decided, Draft 0000")
	k.press("p")
	k.at("3000 of 3000, 0 decided, Draft 2999")
	k.press("a")
	k.at("2999 of 2999, 1 decided, Draft 2998")
	k.press("q")
	k.ends()
	if files, _ := filepath.Glob(filepath.Join(p.at.dir, ".lessons/draft-*.md")); len(files) != 3000 || !strings.Contains(p.text(files[2999]), "status: active") {
		t.Errorf("%d files, or the last is not active", len(files))
	}
}
