package gitstate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
)

// GitError is a failed run of the git program.
type GitError struct {
	Command string // the sub-command: "log"
	Exit    int    // -1: it did not start, or was killed
	Stderr  string // git's own words, on one line
	Err     error  // ErrNoRepository, ErrOwner, or what went wrong with the process
}

func (e *GitError) Error() string {
	text := e.Stderr
	switch {
	case text == "" && e.Err != nil:
		text = e.Err.Error()
	case text == "":
		text = fmt.Sprintf("exit status %d", e.Exit)
	}
	return "git " + e.Command + ": " + text
}

func (e *GitError) Unwrap() error { return e.Err }

// exited says whether an error is that git ended with this status.
func exited(err error, status int) bool {
	failed, ok := errors.AsType[*GitError](err)
	return ok && failed.Exit == status
}

// program runs one git binary for one repository.
type program struct {
	path    string
	dir     string   // where its processes run
	where   []string // --git-dir and --work-tree
	started atomic.Int64
}

// hardening are the options of every command. Configuration on the command line
// wins over the repository's, so nothing that a repository says can start a
// program, or change the form of an answer.
var hardening = []string{
	"--no-pager",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "protocol.allow=never",
	"-c", "core.quotePath=false",
	"-c", "log.showSignature=false",
	"-c", "log.follow=false",
	"-c", "log.showRoot=true",
	"-c", "log.diffMerges=separate",
	"-c", "diff.relative=false",
	"-c", "diff.orderFile=" + os.DevNull,
	"-c", "color.ui=false",
	"-c", "i18n.logOutputEncoding=UTF-8",
}

// environment is the process's own without git's variables, and with those that
// keep git from locking, fetching, asking and translating. An allow-list of no
// protocol overrules the repository's protocol.<name>.allow.
func environment(own []string) []string {
	env := make([]string, 0, len(own)+7)
	for _, pair := range own {
		name, _, _ := strings.Cut(pair, "=")
		switch name = strings.ToUpper(name); {
		case strings.HasPrefix(name, "GIT_"), name == "LC_ALL", name == "LANGUAGE":
		default:
			env = append(env, pair)
		}
	}
	return append(env,
		"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_ALLOW_PROTOCOL=none", "GIT_CONFIG_COUNT=0", "LC_ALL=C")
}

// place fixes the repository, so that no later command searches for it again.
func (p *program) place(at Location) {
	p.dir, p.where = at.TopLevel, []string{"--git-dir=" + at.GitDir}
	if at.TopLevel == "" {
		p.dir = at.GitDir
		return
	}
	p.where = append(p.where, "--work-tree="+at.TopLevel)
}

// outputPatience is how long after git's end its output is waited for: what git started may
// hold it open. A busy machine needs a while to read what is there.
const outputPatience = 10 * time.Second

// command prepares a run. args start with the sub-command.
func (p *program) command(ctx context.Context, args []string) *exec.Cmd {
	all := append(append([]string{}, hardening...), p.where...)
	if args[0] != "check-ignore" { // which refuses the option
		all = append(all, "--literal-pathspecs")
	}
	cmd := exec.CommandContext(ctx, p.path, append(all, args...)...)
	cmd.Dir = p.dir
	cmd.Env = environment(os.Environ())
	cmd.WaitDelay = outputPatience
	return cmd
}

// run runs one command to its end and returns its output.
func (p *program) run(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	cmd := p.command(ctx, args)
	var out bytes.Buffer
	var errs firstWords
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &errs
	p.started.Add(1)
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return out.Bytes(), failure(args[0], err, errs.line())
	}
	return out.Bytes(), nil
}

// failure makes a typed error of a command's end.
func failure(command string, err error, stderr string) *GitError {
	e := &GitError{Command: command, Exit: -1, Stderr: stderr, Err: err}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		e.Exit = exit.ExitCode()
	}
	switch {
	case strings.Contains(stderr, "dubious ownership"), strings.Contains(stderr, "unsafe repository"):
		e.Err = ErrOwner
	case strings.Contains(stderr, "not a git repository"):
		e.Err = ErrNoRepository
	}
	return e
}

// firstWords keeps the beginning of what a process says on its standard error.
type firstWords struct{ text []byte }

func (w *firstWords) Write(b []byte) (int, error) {
	if room := 4<<10 - len(w.text); room > 0 {
		w.text = append(w.text, b[:min(room, len(b))]...)
	}
	return len(b), nil
}

// line is the words on one line, without control characters.
func (w *firstWords) line() string {
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(w.text), "?"))
	return strings.Join(strings.Fields(clean), " ")
}

// revParse asks git where a directory's repository lies (fact F0). The top
// level is asked last: where there is no work tree git fails there, with the
// rest already said.
func (p *program) revParse(ctx context.Context, dir string) (Location, error) {
	p.dir, p.where = dir, nil
	out, err := p.run(ctx, nil, "rev-parse",
		"--absolute-git-dir", "--git-common-dir", "--is-shallow-repository", "--show-toplevel")
	failed, ok := errors.AsType[*GitError](err)
	noTree := ok && strings.Contains(failed.Stderr, "must be run in a work tree")
	if err != nil && !noTree {
		return Location{}, err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if noTree {
		lines = append(lines, "")
	}
	if len(lines) != 4 {
		return Location{}, &GitError{Command: "rev-parse", Stderr: fmt.Sprintf("%d lines instead of 4: a path with a line break?", len(lines))}
	}
	at := Location{GitDir: absolute(dir, lines[0]), CommonDir: absolute(dir, lines[1]), TopLevel: absolute(dir, lines[3])}
	at.Shallow = lines[2] == "true"
	return at, nil
}

// absolute makes one of git's paths an absolute physical path; empty stays so.
func absolute(dir, path string) string {
	if path == "" {
		return ""
	}
	path = gitdir.Against(dir, path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
