package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/plain"
)

// player plays one case: it keeps the clones, the time, and what went wrong.
type player struct {
	t        *testing.T
	root     string
	clones   map[string]*clone
	at       *clone
	setUp    bool // hooks hear of a session's end
	fs       fsx.FS
	editor   string
	now      time.Time
	sessions int
	calls    int
	wrong    []string
}

// clone is one person's repository and home.
type clone struct {
	name, dir, home string
}

// playCase plays a case in a repository of its own, and says what was not as the case
// expects.
func playCase(t *testing.T, text string) []string {
	p := prepare(t, !strings.Contains("\n"+text, "\nnot set up\n"))
	for _, l := range readCase(text) {
		p.step(l)
	}
	return p.wrong
}

// prepare makes the repository in which a case is played.
func prepare(t *testing.T, setUp bool) *player {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &player{t: t, root: root, clones: map[string]*clone{}, fs: fsx.OS{}, now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
	p.at = p.place("shop", "Ada")
	p.git("init", "-q", "-b", "main", ".")
	p.configure("Ada")
	p.setUp = setUp
	if p.setUp {
		p.mustRun("init", "--yes")
	} else {
		p.write("README.md", "# Shop\n")
	}
	p.git("add", "-A")
	p.git("commit", "-qm", "Begin")
	return p
}

func (p *player) place(name, person string) *clone {
	c := &clone{name: name, dir: filepath.Join(p.root, name), home: filepath.Join(p.root, "home-"+person+"-"+name)}
	for _, dir := range []string{c.dir, c.home} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			p.t.Fatal(err)
		}
	}
	p.clones[name] = c
	return c
}

func (p *player) configure(person string) {
	p.git("config", "user.name", person)
	p.git("config", "user.email", strings.ToLower(person)+"@example.org")
}

// fail notes that something is not as the case expects.
func (p *player) fail(l *caseLine, format string, args ...any) {
	why := shorten(oneLine(fmt.Sprintf(format, args...)), 500)
	p.wrong = append(p.wrong, fmt.Sprintf("%d: %s: %s", l.number, l.text, why))
}

// step does what a line of the case at the left margin says.
func (p *player) step(l *caseLine) {
	l = l.with(strings.NewReplacer("/srv/shop", p.at.dir))
	word, rest, _ := strings.Cut(l.text, " ")
	switch word {
	case "session", "sessions", "live":
		p.session(l)
	case "not": // not set up: known since the beginning
	case "file":
		p.write(rest, block(l.below))
	case "remove":
		if err := os.RemoveAll(filepath.Join(p.at.dir, rest)); err != nil {
			p.t.Fatal(err)
		}
	case "days":
		n, err := strconv.Atoi(rest)
		if err != nil {
			p.t.Fatalf("line %d: %v", l.number, err)
		}
		p.now = p.now.AddDate(0, 0, n)
	case "clone": // clone NAME as PERSON
		name, person, ok := strings.Cut(rest, " as ")
		if !ok {
			p.t.Fatalf("line %d: clone NAME as PERSON", l.number)
		}
		from := p.at.dir
		p.at = p.place(name, person)
		p.git("clone", "-q", from, ".")
		p.configure(person)
		p.mustRun("init", "--yes")
	case "in":
		if p.at = p.clones[rest]; p.at == nil {
			p.t.Fatalf("line %d: no such clone", l.number)
		}
	case "git":
		if err := p.tryGit(fields(rest)...); err != nil {
			p.fail(l, "%v", err)
		}
	case "prune": // the agent throws old sessions away
		if err := os.RemoveAll(filepath.Join(p.at.home, ".claude", "projects")); err != nil {
			p.t.Fatal(err)
		}
	case "append":
		if name, ok := p.lesson(l); ok {
			name = filepath.Join(".lessons", name+".md")
			text, err := os.ReadFile(filepath.Join(p.at.dir, name))
			if err != nil {
				p.t.Fatal(err)
			}
			p.write(name, string(text)+"\n"+block(l.below))
		}
	case "lessons":
		p.command(l, fields(rest))
	case "expect":
		p.expect(l, rest)
	default:
		p.t.Fatalf("line %d: what is %q?", l.number, l.text)
	}
}

// fields are the words of a line; double quotes keep several together.
func fields(line string) []string {
	var all []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

// command runs lessons; the checks below look at what it prints.
func (p *player) command(l *caseLine, args []string) {
	for i, arg := range args {
		if arg == "{lesson}" {
			var ok bool
			if args[i], ok = p.lesson(l); !ok {
				return
			}
		}
	}
	out, status := p.run("", args...)
	if status != 0 {
		p.fail(l, "exit status %d: %s", status, out)
		return
	}
	p.check(l, reply{context: out})
}

// lesson is the name of the one lesson that there is, or of the one observation
// that waits.
func (p *player) lesson(l *caseLine) (string, bool) {
	files, err := filepath.Glob(filepath.Join(p.at.dir, ".lessons", "*-*.md"))
	if err == nil && len(files) == 1 {
		return strings.TrimSuffix(filepath.Base(files[0]), ".md"), true
	}
	out, _ := p.run("", "list", "--json", "--kind", "observation")
	var row struct{ ID string }
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(files) == 0 && len(lines) == 1 &&
		json.Unmarshal([]byte(lines[0]), &row) == nil && row.ID != "" {
		return row.ID, true
	}
	p.fail(l, "not one lesson but %d, and observations: %q", len(files), out)
	return "", false
}

func (p *player) write(name, text string) {
	name = filepath.Join(p.at.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// git runs git where the case cannot go on without it.
func (p *player) git(args ...string) {
	p.t.Helper()
	if err := p.tryGit(args...); err != nil {
		p.t.Fatal(err)
	}
}

func (p *player) tryGit(args ...string) error {
	if out, err := p.gitCommand(args...).CombinedOutput(); err != nil {
		return fmt.Errorf("git %v: %w\n%s", args, err, out)
	}
	return nil
}

func (p *player) gitCommand(args ...string) *exec.Cmd {
	date := p.now.Format(time.RFC3339)
	cmd := exec.CommandContext(context.Background(), "git", args...)
	cmd.Dir = p.at.dir
	cmd.Env = append(os.Environ(), "HOME="+p.at.home, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	return cmd
}

// mustRun runs lessons where the case cannot go on without it.
func (p *player) mustRun(args ...string) {
	p.t.Helper()
	if out, status := p.run("", args...); status != 0 {
		p.t.Fatalf("lessons %v: exit status %d\n%s", args, status, out)
	}
}

// run runs lessons as it is, at the time of the case, and afterwards what it
// started beside itself. It returns what was printed, errors last.
func (p *player) run(input string, args ...string) (string, int) {
	var out, errs bytes.Buffer
	var started [][]string
	sys := p.system(strings.NewReader(input), &out, &errs)
	sys.start = func(cmd *exec.Cmd) (<-chan struct{}, error) {
		started = append(started, cmd.Args[1:])
		return nil, nil
	}
	status := run(args, sys)
	for _, args := range started {
		if more, failed := p.run("", args...); failed != 0 {
			p.wrong = append(p.wrong, fmt.Sprintf("lessons %v: exit status %d: %s", args, failed, more))
		}
	}
	return out.String() + errs.String(), status
}

// system is the machine of the person at hand, at the time of the case.
func (p *player) system(in io.Reader, out, errs io.Writer) *system {
	return &system{
		stdin: in, stdout: plain.NewPrinter(out), stderr: plain.NewPrinter(errs), answers: out, screen: out, dir: p.at.dir, fs: p.fs,
		now: func() time.Time { return p.now }, executable: "lessons", account: accountHere, belowAgent: func() bool { return false },
		env: func(name string) string {
			return map[string]string{"HOME": p.at.home, "USER": "dev", "NO_COLOR": "1", "EDITOR": p.editor, agent.DeadlineVariable: "1m"}[name]
		},
		start: func(*exec.Cmd) (<-chan struct{}, error) { return nil, nil },
	}
}

// reply is what a hook answers: a call is stopped or not, and something is told.
type reply struct {
	stopped         bool
	reason, context string
}

func (r reply) text() string { return r.reason + "\n" + r.context }

// hook sends a payload to the hook and reads its answer.
func (p *player) hook(event string, payload map[string]any) reply {
	payload["hook_event_name"] = event
	input, err := json.Marshal(payload)
	if err != nil {
		p.t.Fatal(err)
	}
	out, status := p.run(string(input), "hook", "claude", event)
	if status != 0 {
		p.wrong = append(p.wrong, fmt.Sprintf("hook %s: exit status %d: %s", event, status, out))
	}
	var answer struct {
		Specific struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
			Context  string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if strings.TrimSpace(out) != "" {
		if err := json.NewDecoder(strings.NewReader(out)).Decode(&answer); err != nil {
			p.wrong = append(p.wrong, fmt.Sprintf("hook %s: %v in %s", event, err, out))
		}
	}
	s := answer.Specific
	return reply{stopped: s.Decision == "deny" || s.Decision == "ask", reason: s.Reason, context: s.Context}
}
