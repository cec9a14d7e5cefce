package replay

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
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
	"github.com/lessons-cli/lessons/internal/hook"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/project"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/scan"
)

// world is the repository of a replay, with a home folder beside it.
type world struct {
	places
	ctx      context.Context
	base     string
	now      time.Time // of the session that is replayed or learned from
	lessons  []*lesson.Lesson
	starting []inject.Lesson // what a session is told at its start
	hooks    *hook.System
	said     []string // the lessons that the hooks' last answer told
}

// newWorld makes an empty repository and sets lessons up in it.
func newWorld(ctx context.Context, start time.Time) (*world, error) {
	base, err := os.MkdirTemp("", "lessons-replay-")
	if err != nil {
		return nil, err
	}
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return nil, err
	}
	w := &world{ctx: ctx, base: base, now: start, places: places{to: filepath.ToSlash(filepath.Join(base, "repository"))}}
	w.hooks = &hook.System{Env: w.env, Dir: w.to, Now: w.clock, Whole: w.whole, Start: w.start, Decided: w.decided}
	if err := w.prepare(); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// everyCandidate are settings by which a scan tells all that it found: replay asks which
// failures observations come from.
const everyCandidate = `{"version":1,"maxCandidatesPerScan":10000}`

func (w *world) close() error { return os.RemoveAll(w.base) }

func (w *world) prepare() error {
	settings := inject.UserRoot(w.env, w.env("HOME"))
	for _, dir := range []string{w.to, settings} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(settings, "config.json"), []byte(everyCandidate), 0o666); err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "-q"}, {"config", "user.name", "Replay"}, {"config", "user.email", "replay@localhost"}, {"config", "commit.gpgsign", "false"}} {
		if err := w.git(args...); err != nil {
			return err
		}
	}
	err := w.within(func(p *project.Project) error {
		install, err := p.PlanInstall(w.ctx, project.SetupOptions{Clients: []*agent.Client{agent.Claude}}, "")
		if err != nil {
			return err
		}
		return p.Apply(w.ctx, install)
	})
	if err != nil {
		return err
	}
	if err := w.git("add", "-A"); err != nil {
		return err
	}
	return w.git("commit", "-q", "-m", "Set up lessons")
}

// git runs the program for the few things that people do in a new repository.
func (w *world) git(args ...string) error {
	cmd := exec.CommandContext(w.ctx, "git", args...)
	at := w.now.UTC().Format(time.RFC3339)
	cmd.Dir = w.to
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.env("HOME"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE=" + at, "GIT_COMMITTER_DATE=" + at}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(out))
	}
	return nil
}

// env is the environment of the replay: nothing of this person's takes part.
func (w *world) env(name string) string {
	switch name {
	case "HOME", "TMPDIR":
		return filepath.Join(w.base, "home")
	case agent.DeadlineVariable:
		return "1m"
	}
	return ""
}

func (w *world) clock() time.Time { return w.now }

// within opens the repository, as every process that works on it does.
func (w *world) within(do func(*project.Project) error) error {
	p, err := project.Open(w.ctx, w.to, project.Machine{Home: w.env("HOME"), Env: w.env, Now: w.clock, FS: fsx.OS{}})
	if err != nil {
		return err
	}
	defer p.Close()
	return do(p)
}

// whole answers what hooks hand on to the big program.
func (w *world) whole(c *agent.Client, e agent.Event, _ []byte) hook.Reply {
	var reply hook.Reply
	_ = w.within(func(p *project.Project) error {
		reply.Answer = p.Answer(w.ctx, c, e, func(...string) {}) // scans come at the ends of sessions
		return nil
	})
	return reply
}

// start does at once what hooks start beside themselves.
func (w *world) start(_ string, args ...string) <-chan struct{} {
	if len(args) == 1 && args[0] == "compile" {
		_ = w.within(func(p *project.Project) error {
			_, err := p.Compile(w.ctx)
			return err
		})
	}
	ended := make(chan struct{})
	close(ended)
	return ended
}

// enter makes a session's work tree one of this repository's.
func (w *world) enter(s *session) error {
	root := rootOf(s.dir, w.roots)
	if root == "" || slices.Contains(w.roots, root) {
		return nil
	}
	w.roots = append(w.roots, root)
	slices.SortFunc(w.roots, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return w.within(func(p *project.Project) error { return p.AddMovedFrom(root) })
}

// learn does what the end of a session starts.
func (w *world) learn(s *session) (result scan.Result, err error) {
	w.now = s.end
	err = w.within(func(p *project.Project) error {
		if result, err = p.Scan(w.ctx, project.ScanOptions{Files: s.files}); err != nil {
			return err
		}
		if err := p.RenderAfterSession(w.ctx); err != nil {
			return err
		}
		snapshot, err := p.Store.Load()
		if err != nil {
			return err
		}
		w.lessons = snapshot.Lessons
		if index, err := p.Index(); err == nil {
			w.starting = compile.Starting(index)
		}
		return nil
	})
	return result, err
}

// answer is what a hook said.
type answer struct {
	mode    string // deny, ask, rewrite or context; empty: nothing
	lessons []string
	bytes   int
	text    string
}

// ask puts an event to the hook that Claude Code would start.
func (w *world) ask(event agent.EventName, payload map[string]any) answer {
	payload["hook_event_name"] = event
	input, err := json.Marshal(payload)
	if err != nil {
		return answer{}
	}
	w.said = nil
	a := answerIn(w.hooks.Answer(agent.Claude.Name, string(event), input))
	if a.text != "" || a.mode != "" {
		a.lessons = w.said
	}
	a.bytes = len(strings.ReplaceAll(a.text, w.to, ".")) // which must not depend on where the replay was
	return a
}

// answerIn reads an answer in Claude Code's form.
func answerIn(encoded []byte) answer {
	var said struct {
		Output struct {
			Verdict string          `json:"permissionDecision"`
			Reason  string          `json:"permissionDecisionReason"`
			Context string          `json:"additionalContext"`
			Input   json.RawMessage `json:"updatedInput"`
		} `json:"hookSpecificOutput"`
	}
	if json.Unmarshal(encoded, &said) != nil {
		return answer{}
	}
	o := said.Output
	a := answer{mode: o.Verdict, text: o.Reason + o.Context}
	switch {
	case a.mode != "":
	case o.Input != nil:
		a.mode = "rewrite"
	case a.text != "":
		a.mode = "context"
	}
	return a
}

func (w *world) decided(d inject.Decision) { w.said = d.Injected }

// namedIn are the lessons whose words stand in a text.
func (w *world) namedIn(text string) []string {
	var ids []string
	for _, l := range w.lessons {
		if shown := l.Shown(); shown != "" && strings.Contains(text, shown) {
			ids = append(ids, l.ID)
		}
	}
	for _, l := range w.starting {
		if strings.Contains(text, l.Text) {
			ids = append(ids, strings.Fields(l.Source)...) // its problems
		}
	}
	return ids
}
