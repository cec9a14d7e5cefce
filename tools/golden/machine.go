package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
)

// machine is where the programs run: a scratch directory with a home of its own,
// and an environment that has nothing of the real machine but PATH.
type machine struct {
	dir     string // physical path of the scratch directory
	bin     string // holds lessons and lessons-hook
	started time.Time
	whole   string // the outermost scratch directory
}

func newMachine(scratch, lessons, hook string) (*machine, error) {
	dir, err := filepath.EvalSymlinks(scratch)
	if err != nil {
		return nil, err
	}
	m := &machine{dir: dir, bin: filepath.Join(dir, "bin"), started: time.Now(), whole: dir}
	if err := os.Mkdir(m.bin, 0o755); err != nil {
		return nil, err
	}
	for name, program := range map[string]string{"lessons": lessons, "lessons-hook": hook} {
		data, err := os.ReadFile(program)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(m.bin, name), data, 0o755); err != nil {
			return nil, err
		}
	}
	return m, m.prepare()
}

// in is another machine with the same programs, in a folder below.
func (m *machine) in(name string) (*machine, error) {
	other := *m
	other.dir = filepath.Join(m.dir, filepath.FromSlash(name))
	return &other, other.prepare()
}

func (m *machine) prepare() error {
	for _, name := range []string{"home", "tmp"} {
		if err := os.MkdirAll(filepath.Join(m.dir, name), 0o755); err != nil {
			return err
		}
	}
	return nil
}

func (m *machine) path(name string) string { return filepath.Join(m.dir, filepath.FromSlash(name)) }

const commitTime = "2026-03-20T09:00:00+00:00"

func (m *machine) env() []string {
	return []string{
		"PATH=" + m.bin + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + m.path("home"), "TMPDIR=" + m.path("tmp"), "SCRATCH=" + m.dir,
		"XDG_CONFIG_HOME=" + m.path("home/.config"), "XDG_STATE_HOME=" + m.path("home/.state"),
		"USER=dev", "LC_ALL=C", "TZ=UTC", "NO_COLOR=1", "GOTRACEBACK=none", "LESSONS_DRY_RUN=1",
		agent.DeadlineVariable + "=1m", // what a hook says must not depend on the machine's load
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true",
		"GIT_AUTHOR_NAME=Ada Author", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_AUTHOR_DATE=" + commitTime,
		"GIT_COMMITTER_NAME=Carl Committer", "GIT_COMMITTER_EMAIL=carl@example.org", "GIT_COMMITTER_DATE=" + commitTime,
	}
}

// patience is how long one command may take.
const patience = 10 * time.Minute

// run starts a program in a directory of the machine and returns all that it
// said: its output, its errors and its status.
func (m *machine) run(dir, input, program string, args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	name := filepath.Join(m.bin, program)
	if _, err := os.Stat(name); err != nil {
		name = program
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = m.path(dir), m.env(), strings.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	said := out.String()
	if words := errs.String(); words != "" {
		said += line(said) + "[stderr]\n" + ownWords(words)
	}
	if err != nil {
		said += line(said) + fmt.Sprintf("[%v]\n", err)
	}
	return m.mask(said)
}

// line ends the last line of a text.
func line(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return ""
	}
	return "\n"
}

// ownWords leaves out what the runtime says of a crash but for its first line:
// addresses differ from run to run.
func ownWords(words string) string {
	first, _, _ := strings.Cut(words, "\n")
	for _, sign := range []string{"runtime: ", "fatal error: ", "panic: "} {
		if strings.HasPrefix(first, sign) {
			return first + "\n"
		}
	}
	return words
}

// must is run for commands that prepare something: a failure is an error.
func (m *machine) must(dir, program string, args ...string) error {
	if said := m.run(dir, "", program, args...); strings.Contains(said, "[exit status ") {
		return fmt.Errorf("%s %s: %s", program, strings.Join(args, " "), said)
	}
	return nil
}

var (
	timeWords = regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)`)
	workTree  = regexp.MustCompile(`("workTree":")[0-9a-f]{16}"`)
)

// mask puts words in the place of what differs from run to run.
func (m *machine) mask(text string) string {
	text = strings.ReplaceAll(text, m.dir, "SCRATCH")
	text = strings.ReplaceAll(text, m.whole, "SCRATCH")
	text = timeWords.ReplaceAllStringFunc(text, func(word string) string {
		at, err := time.Parse(time.RFC3339Nano, word)
		if err != nil || at.Before(m.started.Add(-2*time.Second)) || at.After(time.Now().Add(2*time.Second)) {
			return word
		}
		return "NOW"
	})
	for _, day := range []time.Time{m.started, time.Now()} {
		text = regexp.MustCompile(`\b`+day.UTC().Format(time.DateOnly)+`\b`).ReplaceAllString(text, "TODAY")
	}
	return workTree.ReplaceAllString(text, `${1}WORKTREE"`)
}
