// Command demo shows the main job of lessons in a throw-away repository, on
// sessions that the real Claude Code recorded (testdata/demo): each step's
// command, what it prints, and the files that it leaves.
//
//	make demo
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
)

func main() {
	lessons := flag.String("lessons", "bin/lessons", "the program")
	data := flag.String("data", "testdata/demo", "recorded sessions and the project they were recorded in")
	keep := flag.Bool("keep", false, "keep the repository, and say where it is")
	flag.Parse()
	log.SetFlags(0)
	d, err := newDemo(*lessons, *data)
	if err == nil {
		err = d.play()
	}
	if d != nil && d.scratch != "" {
		if *keep || err != nil {
			fmt.Println("\nThe repository is in", d.root)
		} else {
			_ = os.RemoveAll(d.scratch)
		}
	}
	if err != nil {
		log.Fatal("demo: ", err)
	}
}

type demo struct {
	data, scratch, root, home, bin string
}

func newDemo(lessons, data string) (*demo, error) {
	bin, err := filepath.Abs(lessons)
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "lessons-demo-")
	if err != nil {
		return nil, err
	}
	if scratch, err = filepath.EvalSymlinks(scratch); err != nil {
		return nil, err
	}
	d := &demo{data: data, scratch: scratch, root: filepath.Join(scratch, "shop"), home: filepath.Join(scratch, "home"), bin: bin}
	if err := os.MkdirAll(d.home, 0o755); err != nil {
		return d, err
	}
	return d, os.CopyFS(d.root, os.DirFS(filepath.Join(data, "project")))
}

// play is the story. Every step fails the demo if it does not do what it says.
func (d *demo) play() error {
	steps := []func() error{
		d.repository, d.setUp, d.sessions, d.scan, d.render, d.commit, d.peopleDecide, d.otherBranch, d.nextSession,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	fmt.Print("\nThat is the loop: what people delete stays away, what they edit is theirs.\n")
	return nil
}

func (d *demo) repository() error {
	d.title("A repository with a small Go project")
	if err := d.quiet("git", "init", "-q", "-b", "main"); err != nil {
		return err
	}
	if err := d.quiet("git", "add", "-A"); err != nil {
		return err
	}
	return d.quiet("git", "commit", "-qm", "Add the shop")
}

func (d *demo) setUp() error {
	d.title("Set lessons up: hooks for Claude Code, a README for reviewers, settings")
	if err := d.run("lessons", "init", "--yes"); err != nil {
		return err
	}
	if err := d.quiet("git", "add", "-A"); err != nil {
		return err
	}
	return d.quiet("git", "commit", "-qm", "Set up lessons")
}

// sessions puts the recorded transcripts where Claude Code keeps them.
func (d *demo) sessions() error {
	d.title("Three sessions of Claude Code happened here (recorded by the real program)")
	folder, _ := agent.ClaudeFolder(d.root)
	to := filepath.Join(d.home, ".claude", "projects", folder)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(d.data, "sessions", "*.jsonl"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no recorded sessions in %s (%v)", d.data, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		here := strings.ReplaceAll(string(text), "/home/dev/shop", d.root)
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), []byte(here), 0o644); err != nil {
			return err
		}
		fmt.Printf("  %s  %6d bytes\n", filepath.Base(file), len(text))
	}
	return nil
}

func (d *demo) scan() error {
	d.title("Scan them: what went wrong, what was decided")
	if err := d.run("lessons", "scan"); err != nil {
		return err
	}
	return d.run("lessons", "list", "--observations")
}

func (d *demo) render() error {
	d.title("Render what gathered enough evidence")
	if err := d.run("lessons", "render"); err != nil {
		return err
	}
	if err := d.run("git", "status", "--short"); err != nil {
		return err
	}
	lessons, err := d.files(".lessons/*-*.md")
	if err != nil {
		return err
	}
	return d.run("cat", lessons[0])
}

func (d *demo) commit() error {
	d.title("Commit it, like code")
	if err := d.quiet("git", "add", "-A"); err != nil {
		return err
	}
	return d.run("git", "commit", "-qm", "Keep what the agent learned")
}

func (d *demo) peopleDecide() error {
	d.title("People decide: one lesson is deleted, another edited")
	lessons, err := d.files(".lessons/*-*.md")
	if err != nil {
		return err
	}
	if len(lessons) < 2 {
		return fmt.Errorf("the demo needs two lessons, there are %d", len(lessons))
	}
	if err := d.run("git", "rm", "-q", lessons[0]); err != nil {
		return err
	}
	if err := d.quiet("git", "commit", "-qm", "We do not want this lesson"); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(d.root, lessons[1]))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(d.root, lessons[1]), append(text, "\nAsk in the team channel when in doubt.\n"...), 0o644); err != nil {
		return err
	}
	if err := d.run("git", "diff", "--stat"); err != nil {
		return err
	}
	if err := d.run("lessons", "reconcile"); err != nil {
		return err
	}
	if err := d.run("lessons", "scan", "--all"); err != nil {
		return err
	}
	fmt.Println("\n  The sessions are still there, but the deleted lesson does not come back:")
	return d.run("lessons", "render")
}

func (d *demo) otherBranch() error {
	d.title("A branch from before the deletion: it is no verdict there")
	if err := d.quiet("git", "commit", "-qam", "Say whom to ask"); err != nil {
		return err
	}
	if err := d.run("git", "switch", "-q", "-c", "older", "HEAD~2"); err != nil {
		return err
	}
	if err := d.run("lessons", "reconcile"); err != nil {
		return err
	}
	return d.run("git", "switch", "-q", "main")
}

func (d *demo) nextSession() error {
	d.title("The next session starts with what is known")
	if err := d.run("lessons", "index"); err != nil {
		return err
	}
	cmd := d.command("lessons", "hook", "claude", "SessionStart")
	cmd.Stdin = strings.NewReader(`{"hook_event_name":"SessionStart","source":"startup"}`)
	fmt.Println("\n$ lessons hook claude SessionStart")
	out, err := cmd.CombinedOutput()
	d.print(string(out))
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("the hook said nothing")
	}
	if err != nil {
		return err
	}
	return d.run("lessons", "status")
}

// files lists files of the repository by pattern, without the folder's README.
func (d *demo) files(pattern string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(d.root, pattern))
	if err != nil {
		return nil, err
	}
	for i := range found {
		found[i], _ = filepath.Rel(d.root, found[i])
	}
	slices.Sort(found)
	if len(found) == 0 {
		return nil, fmt.Errorf("no file %s was written", pattern)
	}
	return found, nil
}

func (d *demo) title(text string) { fmt.Printf("\n== %s\n", text) }

// run shows a command and what it prints.
func (d *demo) run(name string, args ...string) error {
	fmt.Printf("\n$ %s\n", strings.Join(append([]string{name}, args...), " "))
	out, err := d.command(name, args...).CombinedOutput()
	d.print(string(out))
	if err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

func (d *demo) quiet(name string, args ...string) error {
	if out, err := d.command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

func (d *demo) command(name string, args ...string) *exec.Cmd {
	if name == "lessons" {
		name = d.bin
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = d.root
	cmd.Env = []string{
		"HOME=" + d.home, "USER=dev", "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(), "NO_COLOR=1",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.com", "GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.com",
	}
	return cmd
}

var scratchName = regexp.MustCompile(`lessons-demo-\d+`)

func (d *demo) print(text string) {
	text = scratchName.ReplaceAllString(text, "lessons-demo")
	for line := range strings.Lines(text) {
		fmt.Print("  ", line)
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		fmt.Println()
	}
}
