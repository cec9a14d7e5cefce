package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// hidden are forty texts that a terminal obeys, that nobody sees, or that a line cannot
// hold.
var hidden = []string{
	"a\x1b[31mred", "a\x1b]0;title\x07b", "a\x1b]8;;http://x\x1b\\b", "a\x1bPq\x1b\\", "a\x9b31mred", "a\x00b", "a\x07b", "a\x08\x08b", "a\x0bb", "a\x0cb",
	"a\rb", "a\x7fb", "a\u0080b", "a\u0085b", "a\u0090b", "a\u009b2Jb", "a\u009d0;t\u009c", "a\u200bb", "a\u200cb", "a\u200db",
	"a\u200eb", "a\u200fb", "a\u202ab", "a\u202eb", "a\u202cb", "a\u2066b", "a\u2067b", "a\u2069b", "a\u2028b", "a\u2029b",
	"a\ufeffb", "a\u00adb", "a\u2060b", "a\U000e0041\U000e0042b", "a\U000e007fb", "a🏴\U000e0061\U000e0062\U000e007fb", "a\ufe01b", "a\U000f0000b", "a\nb", "a\n::error::b",
}

// shown says of every command in which ways it is asked to show them; %s is a title's
// item. A command that is not here fails the test.
var shown = map[string][][]string{
	"statusline": {{"statusline"}}, "status": {{"status"}, {"status", "--json"}}, "list": {{"list", "--observations"}, {"list", "--observations", "--json"}, {"list", "--waiting"}},
	"problems": {{"problems"}, {"problems", "--json"}}, "show": {{"show", "ADR-001"}, {"show", "obs_aa0010"}, {"show", "obs_aa0010", "--json"}, {"show", "lesson-3"}, {"show", "$TEXT"}},
	"search": {{"search", "red"}, {"search", "b", "--json"}, {"search", "$TEXT"}}, "index": {{"index"}, {"index", "--json"}},
	"add":     {{"add", "$TEXT", "--command", "make x", "--mistake", "$TEXT", "--fix", "$TEXT"}, {"add", "$TEXT", "--type", "$TEXT"}},
	"promote": {{"promote", "$TEXT"}, {"promote", "obs_aa0011", "--dry-run"}}, "archive": {{"archive", "lesson-1", "--dry-run"}, {"archive", "lesson-2"}, {"archive", "--unused", "--dry-run"}},
	"edit": {{"edit", "lesson-3"}, {"edit", "$TEXT"}}, "deprecate": {{"deprecate", "ADR-002", "--dry-run"}, {"deprecate", "ADR-002"}},
	"init": {{"init", "--yes"}}, "scan": {{"scan"}, {"scan", "$TEXT"}}, "render": {{"render", "--dry-run"}, {"render"}, {"render", "--json"}},
	"reconcile": {{"reconcile"}, {"reconcile", "--json"}, {"reconcile", "--write"}}, "compile": {{"compile"}}, "learn": {{"learn", "status"}, {"learn", "--dry-run"}},
	"replay": {{"replay", "$TEXT"}}, "hook": {{"hook", "claude", "SessionStart"}, {"hook", "claude", "PreToolUse"}},
	"check": {{"check"}, {"check", "--json"}, {"check", "--format", "sarif"}, {"check", "--format", "github"}, {"check", "--base", "$TEXT"}},
	"blame": {{"blame", "ADR-001"}, {"blame", "lesson-3", "--json"}, {"blame", "$TEXT"}}, "log": {{"log"}, {"log", "--json"}}, "diff": {{"diff", "--committed", "ADR-003"}, {"diff", "$TEXT"}},
	"layout": {{"layout"}, {"layout", "book", "--dry-run"}}, "resolve": {{"resolve", "--dry-run"}, {"resolve"}}, "merge-driver": {{"merge-driver", "$TEXT", "x", "x", "x", "x"}},
	"explain": {{"explain", "Bash", "make x3"}, {"explain", "Bash", "$TEXT", "--json"}},
	"try":     {{"try", "Bash", "make x3"}, {"try", "Bash", "$TEXT", "--json"}}, "import": {{"import", "adr", "docs", "--dry-run"}, {"import", "$TEXT"}},
	"export":  {{"export"}, {"export", "--format", "markdown"}, {"export", "--format", "madr", "out"}, {"export", "--format", "skills", "$TEXT"}},
	"migrate": {{"migrate"}, {"migrate", "--json"}, {"migrate", "--apply", "$TEXT"}}, "allow": {{"allow", "$TEXT"}}, "trust": {{"trust"}, {"trust", "--json"}},
	"clear": {{"clear"}, {"clear", "--invalid"}}, "config": {{"config"}, {"config", "--json"}, {"config", "$TEXT", "$TEXT"}}, "doctor": {{"doctor"}, {"doctor", "--json"}},
	"uninstall": {{"uninstall"}}, "completion": {{"completion", "bash"}}, "version": {{"version"}}, "help": {{"help", "--all"}, {"help", "$TEXT"}}, "mcp": {{"mcp"}},
	"audit": {{"audit"}, {"audit", "--json"}, {"audit", "$TEXT"}}, "publish": {{"publish", "--to", "agents-md", "--dry-run"}, {"publish", "--to", "$TEXT"}},
	"review": {{"review"}, {"review", "--json"}}, "report": {{"report"}, {"report", "--format", "markdown"}, {"report", "$TEXT"}}, "serve": {{"serve", "$TEXT"}},
	"flow": {{"flow"}, {"flow", "check", "$TEXT"}}, "guard": {{"guard"}, {"guard", "list", "--json"}, {"guard", "test", "$TEXT"}, {"guard", "propose"}},
	"trace":   {{"trace", "red"}, {"trace", "query", "$TEXT"}, {"trace", "patterns"}},
	"outcome": {{"outcome", "list"}, {"outcome", "stats", "--json"}, {"outcome", "analyze"}}, "stats": {{"stats"}, {"stats", "--json"}}, "feedback": {{"feedback", "$TEXT", "helpful"}},
}

// Whatever titles, authors, file names and settings hold: no command shows a character
// that a terminal obeys or nobody sees, and none starts a line as a workflow's runner
// takes its commands.
func TestNoCommandShowsWhatIsHidden(t *testing.T) {
	t.Parallel()
	parser, err := newParser(&grammar{}, &system{stdout: plain.NewPrinter(io.Discard), stderr: plain.NewPrinter(io.Discard)}, new(bool))
	if err != nil {
		t.Fatal(err)
	}
	dir, home := hostile(t), t.TempDir()
	hook := `{"session_id":"s","cwd":` + string(must(json.Marshal(dir))) + `,"source":"startup","tool_name":"Bash","tool_input":{"command":"make x3"}}`
	for _, cmd := range parser.Model.Children {
		ways, known := shown[cmd.Name]
		if !known {
			t.Errorf("%s: say how it shows what is hidden", cmd.Name)
		}
		for _, args := range ways {
			for _, text := range hidden {
				if !slices.Contains(args, "$TEXT") {
					text = ""
				}
				args := slices.Clone(args)
				for i := range args {
					args[i] = strings.ReplaceAll(args[i], "$TEXT", text)
				}
				_, out := do(dir, home, hook, false, args...)
				if at := plain.Invisible(out); at >= 0 {
					t.Errorf("%q shows what is hidden: %q", args, out[max(0, at-60):min(len(out), at+20)])
				}
				for line := range strings.Lines(out) {
					if strings.HasPrefix(strings.TrimSpace(line), "::") && !slices.Contains(args, "github") || strings.HasPrefix(line, "::error::") {
						t.Errorf("%q shows a workflow's command: %q", args, line)
					}
				}
				if text == "" {
					break
				}
			}
		}
	}
	for _, dir := range []string{filepath.Join(dir, "out"), filepath.Join(dir, ".lessons")} { // exports, and what was added
		for name, text := range written(t, dir) {
			if at := plain.Invisible(text); at >= 0 {
				t.Errorf("%q holds what is hidden: %q", name, text[max(0, at-60):min(len(text), at+20)])
			}
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// written are the files below a folder that no hostile hand made.
func written(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(name, "lesson-") || strings.HasSuffix(name, "config.json") {
			return err
		}
		data, err := os.ReadFile(name)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// hostile makes a repository whose lessons, entries, observations, settings, file names
// and authors hold the hidden texts.
func hostile(t *testing.T) string {
	t.Helper()
	dir := gittest.New(t).Dir
	put := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	settings, log := map[string]string{"layout": "files"}, ""
	for i, text := range hidden {
		line := strings.ReplaceAll(text, "\n", " ")
		quoted := string(must(json.Marshal(text)))
		put(fmt.Sprintf(".lessons/lesson-%d.md", i), fmt.Sprintf("---\nid: 01JQXYZ00000000000000000%02d\nkind: warning\npriority: critical\nstatus: active\nreviewed_by: %s\ntags: [%s]\ntriggers:\n  commands: [\"make x%d\"]\n---\n# %s\n\n%s\n\n**Fix**: %s\n", i, quoted, quoted, i, line, text, text))
		put(fmt.Sprintf(".memory/knowledge/decisions/ADR-%03d-x.md", i+1), fmt.Sprintf("## ADR-%03d: %s\n\n- **Date**: 2026-01-02\n- **Status**: Accepted\n- **Decision**: %s\n- **Source**: self-learning:obs_%06d\n", i+1, line, line, i))
		put(fmt.Sprintf("docs/%04d-x.md", i+1), fmt.Sprintf("# %d. %s\n\nDate: 2026-01-02\n\n## Status\n\nAccepted\n\n## Context\n\n%s\n\n## Decision\n\n%s\n\n## Consequences\n\n%s\n", i+1, line, line, line, line))
		if !strings.Contains(text, "\x00") {
			put(".lessons/lesson-name-"+strings.ReplaceAll(text, "/", "-")+".md", "---\nid: [\n---\nADR-999\n")
			put("src/"+strings.ReplaceAll(text, "/", "-")+".go", "// ADR-998: "+line+"\n")
		}
		settings[text] = text
		log += fmt.Sprintf(`{"id":"obs_aa%04d","type":"pitfall","pattern":%s,"details":%s,"mistake":%s,"fix":%s,"evidence":[%s],"observations":5,"confidence":0.95,"first_seen":"2026-01-01T00:00:00Z","last_seen":"2026-01-20T00:00:00Z","status":"ready","quality_ok":true}`+"\n", i, quoted, quoted, quoted, quoted, quoted)
	}
	put(".lessons/config.json", string(must(json.Marshal(settings))))
	put(".git/lessons/learning-log.jsonl", log)
	for i, text := range hidden {
		if i%8 != 7 || strings.ContainsAny(text, "\x00\n") {
			continue
		}
		put(".memory/knowledge/decisions/ADR-003-x.md", fmt.Sprintf("## ADR-003: %s\n\n- **Status**: Accepted\n- **Decision**: %d\n", text, i))
		for _, args := range [][]string{{"add", "-A"}, {"-c", "user.name=A" + text, "-c", "user.email=a@example.com", "commit", "-qm", text + "\n\nADR-997 " + text}} {
			cmd := exec.Command("git", args...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %q: %v\n%s", args, err, out)
			}
		}
	}
	return dir
}
