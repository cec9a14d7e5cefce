package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/redact"
)

// Limits of what a program may print, in bytes.
const (
	maxPrinted = 4 << 20
	maxSaid    = 4 << 10 // of standard error, its end
)

// endPatience is how long a program that was told to end may take to do so.
const endPatience = 2 * time.Second

// Program asks a model by running a program: in a folder of its own outside of
// the repository, in a process group of its own, with [agent.Learning] set. It
// implements learn.Asker.
type Program struct {
	agent.Headless
	Time     time.Duration // for one answer
	Temp     string        // folder in which its own folder is made; outside of the repository
	Environ  []string      // of the person
	Redactor *redact.Redactor
	FS       fsx.FS
}

// ErrTooMuch says that a program printed more than an answer can be.
var ErrTooMuch = fmt.Errorf("it printed more than %d MB", maxPrinted>>20)

// Line is the program and its arguments as a person would type them.
func (p *Program) Line() string {
	var words []string
	for _, word := range append([]string{p.Program}, p.Args...) {
		if word == "" || strings.ContainsAny(word, " \t\n\"'`$\\{}()*?;&|<>#") {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// Ask runs the program once. When ctx ends or its time is up, everything that it
// started in its process group ends with it.
func (p *Program) Ask(ctx context.Context, prompt string) (string, error) {
	dir, err := os.MkdirTemp(p.Temp, "lessons-learn-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	for name, text := range p.Files {
		if err := fsx.WriteFile(p.FS, filepath.Join(dir, name), []byte(text)); err != nil {
			return "", err
		}
	}
	limited, cancel := context.WithTimeoutCause(ctx, p.Time, errTime)
	defer cancel()
	printed, err := p.run(limited, dir, prompt)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case context.Cause(limited) == errTime:
		return "", fmt.Errorf("%s gave no answer within %s and was stopped", p.Program, p.Time)
	case err != nil:
		return "", err
	case p.Answer == nil:
		return string(printed), nil
	}
	answer, err := p.Answer(printed)
	if err != nil {
		return "", errors.New(lastLines(p.Redactor.Text(plain.Visible(err.Error())).String(), 3))
	}
	return answer, nil
}

var errTime = errors.New("time is up")

func (p *Program) run(ctx context.Context, dir, prompt string) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := &bounded{most: maxPrinted, over: func() { cancel(ErrTooMuch) }}
	said := &tail{most: maxSaid}
	cmd := exec.CommandContext(ctx, p.Program, p.Args...)
	cmd.Dir = dir
	cmd.Env = append(childEnv(p.Environ), append(slices.Clone(p.Env), agent.Learning+"=1", "PWD="+dir)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(prompt), out, said
	cmd.WaitDelay = endPatience
	end := inGroup(cmd)
	err := cmd.Run()
	end()
	switch {
	case out.full:
		return nil, fmt.Errorf("%s: %w", p.Program, ErrTooMuch)
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // it ended well, and left something behind
		return out.data, nil
	}
	return nil, p.failure(err, said.data, out.data)
}

// failure says how a program ended, with the last lines of what it said.
func (p *Program) failure(err error, said, printed []byte) error {
	exit, ended := errors.AsType[*exec.ExitError](err)
	if !ended {
		return err // it did not start; the error names it
	}
	if len(bytes.TrimSpace(said)) == 0 {
		said = printed // some agents complain there
	}
	text := fmt.Sprintf("%s failed (%v)", p.Program, exit)
	if words := lastLines(p.Redactor.Text(plain.Visible(string(said))).String(), 3); words != "" {
		text += ": " + words
	}
	return errors.New(text)
}

func lastLines(text string, n int) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return redact.Stored(strings.Join(lines[max(0, len(lines)-n):], " / ")).Cut(500).String()
}

// childEnv is a person's environment without what would have an agent take
// itself for a part of another session, or git for one repository.
func childEnv(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return name == "CLAUDECODE" || name == "CLAUDE_CODE_ENTRYPOINT" || name == "CLAUDE_CODE_SSE_PORT" || name == "CLAUDE_CODE_SESSION_ID" ||
			name == "CLAUDE_PROJECT_DIR" || name == "GEMINI_CLI" || name == "GEMINI_PROJECT_DIR" || name == "CODEX_SANDBOX" ||
			name == "GIT_DIR" || name == "GIT_WORK_TREE" || name == "GIT_INDEX_FILE" || name == "GIT_PREFIX" || name == "PWD" || name == "OLDPWD"
	})
}

// bounded keeps what is written to it up to a length, and says once that there
// was more. It has no ReadFrom on purpose: io.Copy would go round Write.
type bounded struct {
	data []byte
	most int
	full bool
	over func()
}

func (b *bounded) Write(data []byte) (int, error) {
	if b.full {
		return len(data), nil
	}
	if len(b.data)+len(data) > b.most {
		b.full = true
		b.over()
		return len(data), nil
	}
	b.data = append(b.data, data...)
	return len(data), nil
}

// tail keeps the end of what is written to it.
type tail struct {
	data []byte
	most int
}

func (t *tail) Write(data []byte) (int, error) {
	t.data = append(t.data, data...)
	if len(t.data) > t.most {
		t.data = append(t.data[:0], t.data[len(t.data)-t.most:]...)
	}
	return len(data), nil
}

// TempOutside is a folder for temporary files that does not lie in the
// repository: the system's, else the person's state folder.
func (p *Project) TempOutside() (string, error) {
	for _, dir := range []string{os.TempDir(), p.StateHome()} {
		if fsx.MkdirAll(p.FS, dir) != nil {
			continue
		}
		place, err := filepath.EvalSymlinks(dir)
		if err != nil {
			continue
		}
		rel, err := filepath.Rel(p.Root, place)
		if err == nil && (rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator))) {
			return place, nil
		}
	}
	return "", errors.New("no folder for temporary files lies outside of the repository: set TMPDIR")
}
