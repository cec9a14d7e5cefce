//go:build e2e

package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/mockmodel"
	"github.com/lessons-cli/lessons/internal/test/screen"
)

var screens = flag.String("screens", "", "draw the agents' screens into this folder (needs tmux); see make screens")

// Size of the terminal that is drawn, in characters.
const screenColumns, screenRows = 110, 44

// view is how a person has a session with an agent in a terminal.
type view struct {
	client
	args  func(prompt string) []string
	ready func(s *site) map[string]string // files of the person who answered the agent's first questions, below home
}

// views are the agents as people start them; those whose first questions have no answer in a file
// are given one task.
var views = []view{
	{claudeCode, func(prompt string) []string {
		return []string{prompt, "--model", "claude-sonnet-4-5", "--allowedTools", "Bash(*)"}
	}, func(s *site) map[string]string {
		known := map[string]any{
			"hasCompletedOnboarding": true, "theme": "dark", "customApiKeyResponses": map[string]any{"approved": []string{"mock"}, "rejected": []string{}},
			"projects": map[string]any{s.root: map[string]any{"hasTrustDialogAccepted": true, "allowedTools": []string{}}},
		}
		return map[string]string{".claude/.claude.json": encoded(known)}
	}},
	{codexCLI, codexCLI.args, nil},
	{geminiCLI, func(prompt string) []string { return []string{"-m", "gemini-2.5-pro", "--yolo", "-i", prompt} }, func(s *site) map[string]string {
		return map[string]string{".gemini/trustedFolders.json": encoded(map[string]string{s.root: "TRUST_FOLDER"})}
	}},
	{openCode, openCode.args, nil},
	{copilotCLI, func(prompt string) []string { return []string{"-i", prompt, "--allow-all-tools"} }, func(s *site) map[string]string {
		return map[string]string{".copilot/config.json": encoded(map[string]any{"trustedFolders": []string{s.root}})}
	}},
}

func encoded(v any) string {
	data, _ := json.Marshal(v) // made of plain values
	return string(data)
}

// TestScreens draws what a person sees in each agent when a session starts, when a call is
// stopped, and when a lesson informs. It is the script that makes the pictures of the
// documentation, and runs where a folder for them is named.
func TestScreens(t *testing.T) {
	if *screens == "" {
		t.Skip("draws pictures: make screens")
	}
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			v.find(t)
			s := newSite(t, "--agent", v.name)
			s.program("deploy", "#!/bin/sh\necho \"deployed $*\"\n")
			s.run("lessons", "add", "deploy wants a region", "--command", "./deploy", "--unless=--region", "--mistake", "without one it goes to a region at random", "--fix", "./deploy --region=eu shop")
			s.run("lessons", "add", "Deploys are announced", "--type", "decision", "--decision", "tell #shop before a deploy", "--because", "support has to know")
			s.program("notify", "#!/bin/sh\ncase $1 in --room=*) echo told ;; *) echo 'notify: no room' >&2; exit 2 ;; esac\n")
			s.run("lessons", "add", "notify wants a room", "--command", "./notify", "--unless=--room", "--action", "inform", "--mistake", "there is no default", "--fix", "./notify --room=support")
			turns := append(v.runs("./notify 'deploy begins'", "./notify --room=support 'deploy begins'", "./deploy shop", "./deploy --region=eu shop"), says("The shop is deployed to eu."))
			captured := s.watch(v, "Deploy the shop.", "The shop is deployed to eu.", turns...)
			const place = "~/shop" // the folder of a test says nothing
			captured = strings.ReplaceAll(captured, s.root, place+strings.Repeat(" ", len(s.root)-len(place)))
			text := screen.SVG(v.name, captured, screenColumns)
			if err := os.WriteFile(filepath.Join(*screens, "screen-"+v.name+".svg"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// watch has one session in a terminal and returns its screen when a text is on it.
func (s *site) watch(v view, prompt, until string, turns ...mockmodel.Turn) string {
	s.t.Helper()
	model := v.model(turns)
	s.t.Cleanup(model.Close)
	own, err := v.env(model.URL, s.home, s.root)
	if err != nil {
		s.t.Fatal(err)
	}
	if v.ready != nil {
		for path, text := range v.ready(s) {
			s.put(filepath.Join(s.home, path), text)
		}
	}
	tmux := s.terminal(own, screenColumns, screenRows, append([]string{v.find(s.t)}, v.args(prompt)...)...)
	return s.shows(tmux, until)
}

// terminal runs a program in a terminal of so many characters, and returns how tmux is asked
// about it.
func (s *site) terminal(env []string, columns, rows int, program ...string) func(args ...string) (string, error) {
	s.t.Helper()
	socket := filepath.Join(s.t.TempDir(), "tmux")
	tmux := func(args ...string) (string, error) {
		cmd := exec.Command("tmux", append([]string{"-S", socket, "-f", os.DevNull}, args...)...)
		cmd.Dir, cmd.Env = s.root, append(s.env(), env...)
		cmd.Env = append(cmd.Env, "LANG=C.UTF-8", "TERM=xterm-256color", "COLORTERM=truecolor", "SHELL=/bin/sh")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	size := []string{"new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows), "sh", "-c", `"$@"; exec sleep 600`, "sh"}
	if out, err := tmux(append(size, program...)...); err != nil {
		s.t.Fatalf("tmux: %v\n%s", err, out)
	}
	s.t.Cleanup(func() { _, _ = tmux("kill-server") })
	return tmux
}

// shows waits until a text is on the screen of a terminal, and returns the screen.
func (s *site) shows(tmux func(args ...string) (string, error), until string) (captured string) {
	s.t.Helper()
	var err error
	defer func() { s.t.Logf("%s", captured) }()
	s.until("the screen shows "+until, func() bool {
		captured, err = tmux("capture-pane", "-e", "-p")
		return err != nil || strings.Contains(captured, until)
	})
	return captured
}

// TestScreensOfReview draws what a person sees of a draft in review, from the real program.
func TestScreensOfReview(t *testing.T) {
	if *screens == "" {
		t.Skip("draws pictures: make screens")
	}
	s := newSite(t, "--agent", "claude")
	s.past("01", "npm install left-pad", "npm error Unsupported URL Type workspace:*", "pnpm add left-pad")
	s.run("lessons", "scan", "--quiet")
	s.run("lessons", "render")
	const columns, rows = 80, 36
	s.run("lessons", "add", "Never force-push", "--command", "git push --force", "--fix", "git push --force-with-lease")
	tmux := s.terminal(nil, columns, rows, filepath.Join(s.bin(), "lessons"), "review")
	const draft = "It would have stopped wrongly"
	frames := []string{s.shows(tmux, draft)}
	for _, step := range []struct {
		keys, until string
		shown       bool
	}{
		{"?", "any key closes the help", true},
		{"Space", draft, false},
		{"m", "Merge it into which?", true},
		{"Escape", draft, false},
		{"a", "nothing waits", true},
		{"u", draft, true},
		{"a", "nothing waits", true},
	} {
		if out, err := tmux("send-keys", step.keys); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if frame := s.shows(tmux, step.until); step.shown {
			frames = append(frames, frame)
		}
	}
	for name, text := range map[string]string{
		"screen-review.svg": screen.SVG("lessons review", frames[0], columns),
		"review.svg":        screen.Film("lessons review: a draft is read, accepted, taken back and accepted", frames, columns),
	} {
		if err := os.WriteFile(filepath.Join(*screens, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
