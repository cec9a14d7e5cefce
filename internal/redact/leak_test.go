package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// stage is a repository with sessions that hold secrets, and the real programs.
type stage struct {
	*testing.T
	dir, repo, bin string
	r              *rand.Rand
	hidden         []sample // every secret that any input holds
	inputs         []string // files that we wrote: they may hold secrets
	said           int      // outputs that were kept
	sessions       int
}

func newStage(t *testing.T) *stage {
	dir := t.TempDir()
	s := &stage{T: t, dir: dir, repo: filepath.Join(dir, "home", "src", "shop"), bin: filepath.Join(dir, "bin"), r: dice(t, "leaks")}
	for _, d := range []string{s.repo, filepath.Join(dir, "tmp"), filepath.Join(dir, "run"), filepath.Join(dir, "out")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", s.bin+string(filepath.Separator), "github.com/lessons-cli/lessons/cmd/lessons", "github.com/lessons-cli/lessons/cmd/lessons-hook")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return s
}

// run runs a program in the repository and keeps what it says as a file among
// the others.
func (s *stage) run(input string, name string, args ...string) string {
	s.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = s.repo
	cmd.Stdin = strings.NewReader(input)
	home := filepath.Join(s.dir, "home")
	cmd.Env = []string{
		"HOME=" + home, "USER=dev", "PATH=" + s.bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "TMPDIR=" + filepath.Join(s.dir, "tmp"),
		"XDG_RUNTIME_DIR=" + filepath.Join(s.dir, "run"), "XDG_STATE_HOME=" + filepath.Join(home, ".state"), "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"),
		"XDG_CACHE_HOME=" + filepath.Join(home, ".cache"), "NO_COLOR=1", "GIT_CONFIG_NOSYSTEM=1", "LESSONS_DRY_RUN=", "LESSONS_HOOK_DEADLINE=1m",
		"GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.com", "GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.com",
	}
	out, _ := cmd.CombinedOutput() // what a program refuses it says, and that is looked at too
	s.said++
	file := filepath.Join(s.dir, "out", fmt.Sprintf("%03d-%s-%s", s.said, filepath.Base(name), notAlnum.ReplaceAllString(strings.Join(args[:min(2, len(args))], "-"), "_")))
	if err := os.WriteFile(file, out, 0o600); err != nil {
		s.Fatal(err)
	}
	return string(out)
}

// secret draws a secret in a place, behind some words, so that limits of length
// cut anywhere.
func (s *stage) secret() string { return s.behind(s.pad()) }

func (s *stage) behind(pad string) string {
	var one sample
	if all := samples(s.r, 1); true {
		one = pick(s.r, all)
	}
	one.text = strings.ReplaceAll(one.text, "\n", " ")
	s.hidden = append(s.hidden, one)
	return pad + one.text
}

// pad is words of a length that puts what follows at the limits of titles,
// quotes, texts and items.
func (s *stage) pad() string {
	limit := pick(s.r, []int{0, 0, 0, 40, 90, 160, 200, 300, 500, 600})
	n := max(0, limit-s.r.IntN(60))
	return strings.Repeat("the next step of it ", n/20) + strings.Repeat("x", n%20) + " "
}

// entry is a line of a session of Claude Code.
func entry(role string, n int, session string, content any, more map[string]any) string {
	e := map[string]any{
		"type": role, "uuid": fmt.Sprintf("%s-%d", session, n), "sessionId": session, "cwd": "@DIR@", "version": "2.1.49",
		"timestamp": time.Date(2026, 3, 1, 10, 0, n, 0, time.UTC).Format(time.RFC3339), "message": map[string]any{"role": role, "content": content, "id": fmt.Sprint("m", n)},
	}
	for k, v := range more {
		e[k] = v
	}
	line, _ := json.Marshal(e)
	return string(line)
}

type block = map[string]any

// session writes a session in which secrets stand wherever text stands.
func (s *stage) session(folder string) string {
	s.sessions++
	id := fmt.Sprintf("00000000-0000-4000-8000-%012d", s.sessions)
	var lines []string
	add := func(role string, content any) {
		lines = append(lines, entry(role, len(lines), id, content, nil))
	}
	says := func(text string) { add("assistant", []block{{"type": "text", "text": text}}) }
	calls := 0
	call := func(tool string, input block, result string, failed bool) {
		calls++
		use := fmt.Sprintf("toolu_%d_%d", s.sessions, calls)
		add("assistant", []block{{"type": "tool_use", "id": use, "name": tool, "input": input}})
		r := block{"type": "tool_result", "tool_use_id": use, "content": result}
		if failed {
			r["is_error"] = true
		}
		lines = append(lines, entry("user", len(lines), id, []block{r}, map[string]any{"toolUseResult": result}))
	}
	add("user", "Set up the shop. "+s.secret())
	says("#lesson\ntool: Bash\ntrigger: deploy --x " + s.behind("") + "\nmistake: " + s.secret() + "\nfix: " + s.secret() + "\ntags: tool:deploy, note:" + s.behind("") + "\n#/lesson")
	says("[PROCESS_KNOWLEDGE]\ntype: checklist\npriority: HIGH\nlabel: " + s.secret() + "\ndescription: " + s.secret() + "\ntrigger_conditions:\n  tool_names: [Bash]\n  action_keywords: [deploy " + fmt.Sprint(s.sessions) + "]\nchecklist:\n  title: All\n  items:\n    - " + s.secret() + "\n    - " + s.secret() + "\n[/PROCESS_KNOWLEDGE]")
	call("Bash", block{"command": "python " + s.behind("")}, "Exit code 127\n/bin/bash: line 1: python: command not found: "+s.secret(), true)
	call("Bash", block{"command": "python3 " + s.behind("")}, "done "+s.secret(), false)
	call("Bash", block{"command": "deploy --region north " + s.behind("")}, "Exit code 2\nerror: unknown flag: --region\n"+s.secret(), true)
	says("The issue is that deploy has no such flag. " + s.secret())
	call("Bash", block{"command": "deploy --zone north " + s.behind("")}, "deployed "+s.secret(), false)
	call("Edit", block{"file_path": "@DIR@/conf/" + s.key() + ".txt", "old_string": s.secret(), "new_string": s.secret()}, "String to replace not found in file.\nString: "+s.secret(), true)
	call("Edit", block{"file_path": "@DIR@/conf/" + s.key() + ".txt", "old_string": s.secret(), "new_string": s.secret()}, "The file has been updated. "+s.secret(), false)
	call("Bash", block{"command": "sleep 900 # " + s.behind("")}, "Command timed out after 2m 0.0s "+s.secret(), true)
	call("Bash", block{"command": "rm -rf build " + s.behind("")}, "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nNo, never remove the build folder, use make clean instead: "+s.secret(), true)
	call("Bash", block{"command": "make clean"}, "ok", false)
	says("I will use npm for this. " + s.secret())
	add("user", "No, that's wrong. We use pnpm here, not npm: "+s.secret())
	says("You're right, I should have used pnpm. " + s.secret())
	call("Bash", block{"command": "pnpm install " + s.behind("")}, "ok", false)
	says("Should the tokens live in the database or in a file? " + s.secret())
	add("user", "Let's go with the database because files get lost: "+s.secret())
	add("user", "To release: 1. run make check 2. tag it "+s.secret()+" 3. run make publish "+s.secret()+" 4. tell the others")
	says("Done. " + s.secret())
	lines = append(lines, entry("user", len(lines), id, "[Request interrupted by user]", nil))
	add("user", "Stop, you edited the wrong file, always edit conf/shop.yaml instead: "+s.secret())
	call("Edit", block{"file_path": "@DIR@/conf/shop.yaml", "old_string": "a", "new_string": s.secret()}, "The file has been updated.", false)
	queued, _ := json.Marshal(map[string]any{"type": "queue-operation", "operation": "enqueue", "content": "No, don't use port 80, use 8080: " + s.secret(), "sessionId": id, "timestamp": "2026-03-01T10:20:00Z"})
	lines = append(lines, string(queued))
	long := strings.Repeat("line of output that says nothing\n", 1200)
	call("Bash", block{"command": "report --all"}, "Exit code 1\nerror: unknown option --all\n"+long+s.secret()+"\n"+long+s.secret(), true)
	call("Bash", block{"command": "report --every"}, "ok", false)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		s.Fatal(err)
	}
	name := filepath.Join(folder, id+".jsonl")
	text := strings.ReplaceAll(strings.Join(lines, "\n")+"\n", "@DIR@", s.repo)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
	s.inputs = append(s.inputs, name)
	return name
}

// key draws a secret that can be a file's name.
func (s *stage) key() string {
	for {
		f := pick(s.r, fixed())
		if key := draw(s.r, f.form); len(key) < 80 && nameChars.only(key) {
			s.hidden = append(s.hidden, sample{f, "file name", key, key})
			return key
		}
	}
}

// hooks sends the agent's events to the hook program.
func (s *stage) hooks(transcript string) {
	event := func(name string, more block) {
		in := block{"session_id": "00000000-0000-4000-8000-00000000000a", "transcript_path": transcript, "cwd": s.repo, "permission_mode": "default", "hook_event_name": name}
		for k, v := range more {
			in[k] = v
		}
		data, _ := json.Marshal(in)
		s.run(string(data), filepath.Join(s.bin, "lessons-hook"), "claude", name)
	}
	event("SessionStart", block{"source": "startup"})
	for range 4 {
		event("UserPromptSubmit", block{"prompt": "deploy it " + s.secret()})
		command := "deploy " + s.behind("")
		event("PreToolUse", block{"tool_name": "Bash", "tool_input": block{"command": command}, "tool_use_id": "t1"})
		event("PostToolUse", block{"tool_name": "Bash", "tool_input": block{"command": command}, "tool_response": block{"stdout": s.secret(), "stderr": s.secret()}, "tool_use_id": "t1"})
		event("PostToolUse", block{"tool_name": "Bash", "tool_input": block{"command": s.key() + " " + s.key() + " && git " + s.key()}, "tool_response": block{"stdout": "ok"}, "tool_use_id": "t1"})
		event("PostToolUseFailure", block{"tool_name": "Bash", "tool_input": block{"command": s.behind("")}, "error": "Exit code 1\n" + s.secret(), "tool_use_id": "t2"})
		path := filepath.Join(s.repo, "conf", s.key()+".txt")
		event("PreToolUse", block{"tool_name": "Edit", "tool_input": block{"file_path": path, "old_string": s.secret(), "new_string": s.secret()}, "tool_use_id": "t3"})
		event("PostToolUse", block{"tool_name": "Write", "tool_input": block{"file_path": path, "content": s.secret()}, "tool_response": block{"content": s.secret()}, "tool_use_id": "t3"})
		event("PostToolUseFailure", block{"tool_name": "Read", "tool_input": block{"file_path": path}, "error": "File does not exist. " + s.secret(), "tool_use_id": "t4"})
		event("Stop", block{"last_assistant_message": "#lesson\ntool: Bash\ntrigger: x\nmistake: " + s.secret() + "\nfix: y\n#/lesson", "stop_hook_active": false})
		event("SubagentStop", block{"agent_id": "a1", "agent_type": "Explore " + s.key(), "last_assistant_message": s.secret()})
	}
	event("SessionEnd", block{"reason": "other"})
}

// written returns every file below the stage that we did not write ourselves.
func (s *stage) written() map[string][]byte {
	files := map[string][]byte{}
	err := filepath.WalkDir(s.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name == s.bin {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || slices.Contains(s.inputs, name) {
			return nil
		}
		data, err := os.ReadFile(name)
		files[name] = append(data, name...) // a name is written too
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return files
}

// leaks returns the secrets of which a piece stands in a file.
func (s *stage) leaks() map[int]string {
	const piece = 12
	pieces := map[string]int{}
	var short []int
	for i, h := range s.hidden {
		if len(h.secret) < piece {
			short = append(short, i)
		}
		secret := strings.ToLower(h.secret) // a secret in lower case is easy to guess
		for at := 0; at+piece <= len(secret); at++ {
			if p := secret[at : at+piece]; !strings.Contains(strings.ToLower(h.family.form), p) { // not what all of the family have
				pieces[p] = i
			}
		}
	}
	found := map[int]string{}
	for name, data := range s.written() {
		data = bytes.ToLower(data)
		for at := 0; at+piece <= len(data); at++ {
			if i, ok := pieces[string(data[at:at+piece])]; ok {
				found[i] = fmt.Sprintf("%s: …%q…", name, data[max(0, at-60):min(len(data), at+40)])
			}
		}
		for _, i := range short {
			if at := bytes.Index(data, []byte(strings.ToLower(s.hidden[i].secret))); at >= 0 {
				found[i] = fmt.Sprintf("%s: …%q…", name, data[max(0, at-60):min(len(data), at+40)])
			}
		}
	}
	return found
}

var notAlnum = regexp.MustCompile(`[^a-zA-Z0-9]`)

// What sessions and hooks bring reaches no file and no output, whatever it is cut
// to: all secrets that a fixed beginning gives away, and nine in ten of all.
func TestNoSecretReachesAFile(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the programs")
	}
	s := newStage(t)
	s.run("", "git", "init", "-q")
	lessons := filepath.Join(s.bin, "lessons")
	s.run("", lessons, "init", "--yes")
	sessions := filepath.Join(s.dir, "home", ".claude", "projects", notAlnum.ReplaceAllString(s.repo, "-"))
	var last string
	for range 20 {
		last = s.session(sessions)
	}
	stored := s.run("", lessons, "scan")
	if !regexp.MustCompile(`findings in [1-9]`).MatchString(stored) {
		t.Fatalf("the scan stored nothing: %s", stored)
	}
	s.run("", lessons, "scan", "--json", "--dry-run", last)
	if asked := s.run("", lessons, "learn", "--dry-run"); !strings.Contains(asked, mark) {
		t.Errorf("the prompt for a model holds no mark, so it proves nothing: %.300s", asked)
	}
	s.run("", lessons, "render")
	s.hooks(last)
	for _, args := range [][]string{
		{"scan", "--json", "--all"},
		{"render"},
		{"compile"},
		{"status"},
		{"doctor"},
		{"index"},
		{"check"},
		{"check", "--json"},
		{"list", "--observations"},
		{"list", "--observations", "--json"},
		{"search", "deploy"},
		{"reconcile", "--json"},
		{"explain", "Bash", "deploy " + s.behind("")},
	} {
		s.run("", lessons, args...)
	}
	marks := 0
	for _, data := range s.written() {
		marks += bytes.Count(data, []byte(mark))
	}
	if marks < 500 {
		t.Fatalf("%d marks in what was written: too little was stored to prove anything", marks)
	}
	leaks := s.leaks()
	for i, where := range leaks {
		if h := s.hidden[i]; h.family.fixed {
			t.Errorf("%v\nin %s", h, where)
		} else {
			t.Logf("%v\nin %s", h, where)
		}
	}
	t.Logf("%d secrets went in, pieces of %d came out, %d marks", len(s.hidden), len(leaks), marks)
	if float64(len(leaks)) > (1-leastRecall)*float64(len(s.hidden)) {
		t.Errorf("%d of %d secrets leak", len(leaks), len(s.hidden))
	}
}
