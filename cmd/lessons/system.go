package main

import (
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/project"
)

// system is everything the program takes from the machine it runs on, so that
// a test can be another machine.
type system struct {
	stdin          io.Reader
	stdout, stderr *plain.Printer
	answers        io.Writer // where a hook answers an agent: standard output, as its adapter encodes it
	screen         io.Writer // where review draws: standard output as it is
	rows           int       // of the terminal that it is; 0: it is none
	fs             fsx.FS
	env            func(string) string
	dir            string // working directory
	now            func() time.Time
	terminal       bool // standard error is a terminal, and no workflow's: progress may be shown
	interactive    bool // standard input and output are terminals: questions may be asked
	executable     string
	alone          bool // nothing else runs in this process, whose memory may be limited for what runs
	onPath         func(program string) bool
	account        func() user.User
	belowAgent     func() bool                                  // a coding agent started this process
	start          func(cmd *exec.Cmd) (<-chan struct{}, error) // starts a process that may outlive this one; closed when it ended
}

func thisMachine() *system {
	dir, _ := os.Getwd()
	self, _ := os.Executable()
	return &system{
		stdin: os.Stdin, stdout: printerTo(os.Stdout), stderr: printerTo(os.Stderr), answers: os.Stdout, screen: os.Stdout, rows: rowsOf(os.Stdout),
		fs:  fsx.OS{},
		env: os.Getenv, dir: dir, now: time.Now, executable: self, alone: true, onPath: onPath, account: accountHere, belowAgent: project.BelowAgent,
		terminal:    isTerminal(os.Stderr) && os.Getenv("CI") == "",
		interactive: isTerminal(os.Stdin) && isTerminal(os.Stdout),
		start:       startDetached,
	}
}

// usualColumns are those of a terminal that does not say how many it has.
const usualColumns = 80

// printerTo prints to a file, in the width of the terminal where it is one.
func printerTo(f *os.File) *plain.Printer {
	if !isTerminal(f) {
		return plain.NewPrinter(f)
	}
	columns, _, err := term.GetSize(f.Fd())
	if err != nil || columns <= 0 {
		columns = usualColumns
	}
	p := plain.NewTerminal(f, columns, os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb")
	if showsLinks(os.Getenv) {
		p.ShowLinks()
	}
	return p
}

// rowsOf is how many lines a terminal shows; 0: there is none, or it does not say.
func rowsOf(f *os.File) int {
	if !isTerminal(f) {
		return 0
	}
	_, rows, _ := term.GetSize(f.Fd())
	return rows
}

func onPath(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// limitMemory has the process free memory with greater effort from this many bytes on.
func (s *system) limitMemory(bytes int64) {
	if s.alone {
		debug.SetMemoryLimit(bytes)
	}
}

// in is the same system in another directory.
func (s *system) in(dir string) *system {
	other := *s
	other.dir = absolute(s.dir, dir)
	return &other
}

// absolute is where a name of a file leads that was given in a directory.
func absolute(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// earlierPlace is the absolute form of a directory that sessions may name, written on this
// system or on another one: the clone may lie under Linux now and have lain under Windows.
func earlierPlace(dir, name string) string {
	drive := len(name) > 2 && name[1] == ':' && strings.ContainsRune(`\/`, rune(name[2]))
	if drive || strings.HasPrefix(name, `\\`) || strings.HasPrefix(name, "/") {
		return name
	}
	return absolute(dir, name)
}

func absoluteAll(dir string, names []string) []string {
	return lists.Map(names, func(name string) string { return absolute(dir, name) })
}

// machine is what the packages below may know of this system.
func (s *system) machine() project.Machine {
	return project.Machine{Home: s.home(), User: s.user(), Program: s.executable, Version: buildVersion(), Env: s.env, Now: s.now, FS: s.fs, OnPath: s.onPath, BelowAgent: s.belowAgent}
}

// home is the person's home folder, also where the environment does not name it, as in
// cron: what a repository holds must never be taken for it.
func (s *system) home() string {
	if home := s.env("HOME"); home != "" {
		return home
	}
	return s.account().HomeDir
}

func (s *system) user() string {
	if name := s.env("USER"); name != "" {
		return name
	}
	name := s.account().Username
	return name[strings.IndexByte(name, '\\')+1:] // behind the domain
}

// accountHere is who runs this; empty where the system does not know.
func accountHere() user.User {
	if u, err := user.Current(); err == nil {
		return *u
	}
	return user.User{}
}

// startAndWatch starts a process and tells when it ended, if this one is still
// there by then.
func startAndWatch(cmd *exec.Cmd) (<-chan struct{}, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	return ended, nil
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull) // whatever name it was opened by
	return err != nil || !os.SameFile(info, null)
}
