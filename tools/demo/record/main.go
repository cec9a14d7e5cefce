// Command record makes the sessions that the demo replays: it runs the real
// Claude Code against a scripted model on loopback and keeps the transcripts.
// Only needed when testdata/demo/script.json changes.
//
//	go run ./tools/demo/record -claude /path/to/claude
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

// step is one message of the person and what the model does then.
type step struct {
	Prompt string           `json:"prompt"`
	Turns  []mockmodel.Turn `json:"turns"`
}

// recordedDir stands in the transcripts for the folder of the recording.
const recordedDir = "/home/dev/shop"

func main() {
	claude := flag.String("claude", "claude", "the Claude Code program")
	dir := flag.String("dir", "testdata/demo", "folder with script.json and project/")
	flag.Parse()
	if err := record(*claude, *dir); err != nil {
		log.Fatal(err)
	}
}

func record(claude, dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, "script.json"))
	if err != nil {
		return err
	}
	var sessions [][]step
	if err := json.Unmarshal(data, &sessions); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "record")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	project, home := filepath.Join(scratch, "shop"), filepath.Join(scratch, "home")
	if err := os.CopyFS(project, os.DirFS(filepath.Join(dir, "project"))); err != nil {
		return err
	}
	for i, s := range sessions {
		out := filepath.Join(dir, "sessions", fmt.Sprintf("%d.jsonl", i+1))
		if err := recordOne(claude, project, filepath.Join(home, fmt.Sprint(i)), s, out); err != nil {
			return fmt.Errorf("session %d: %w", i+1, err)
		}
	}
	return nil
}

func recordOne(claude, project, home string, steps []step, out string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	for i, s := range steps {
		args := []string{"-p", s.Prompt, "--model", "claude-sonnet-4-5", "--allowedTools", "Bash(*)"}
		if i > 0 {
			args = append(args, "--continue")
		}
		if err := say(claude, project, home, s, args); err != nil {
			return err
		}
	}
	files, err := filepath.Glob(filepath.Join(home, ".claude/projects/*/*.jsonl"))
	if err != nil || len(files) != 1 {
		return fmt.Errorf("transcripts: %v %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(out, neutral(data, project, home), 0o644)
}

func say(claude, project, home string, s step, args []string) error {
	model := mockmodel.NewAnthropic(s.Turns)
	defer model.Close()
	cmd := exec.Command(claude, args...)
	cmd.Dir = project
	cmd.Env = append(mockmodel.ClaudeEnv(model.URL, home), "PATH="+os.Getenv("PATH"))
	if answer, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, answer)
	}
	return nil
}

// neutral leaves out the paths of this machine and the agent's long lists of
// its own skills and tools.
func neutral(data []byte, project, home string) []byte {
	var kept bytes.Buffer
	for line := range bytes.Lines(data) {
		if bytes.Contains(line, []byte(`"skill_listing"`)) || bytes.Contains(line, []byte(`"deferred_tools_delta"`)) || bytes.Contains(line, []byte(`"agent_listing_delta"`)) {
			continue
		}
		kept.Write(line)
	}
	text := kept.String()
	for from, to := range map[string]string{
		project: recordedDir, home: "/home/dev",
		strings.ReplaceAll(project, "/", "-"): strings.ReplaceAll(recordedDir, "/", "-"),
	} {
		text = strings.ReplaceAll(text, from, to)
	}
	return []byte(text)
}
