package main

import (
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/lessons-cli/lessons/internal/agent"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"lessons": func() {
			sys := thisMachine()
			sys.belowAgent = func() bool { return false }                                                    // whoever runs the tests
			sys.onPath = func(program string) bool { return strings.Contains(os.Getenv("AGENTS"), program) } // and whatever they have
			sys.account = func() user.User { return user.User{HomeDir: os.Getenv("ACCOUNT_HOME")} }
			sys.fs = mortal(os.Getenv(dieAt))
			os.Exit(run(os.Args[1:], sys))
		},
		"fakemodel": fakeModel,
	})
}

// TestScripts runs the scenarios of testdata/script: each is a story that a
// reader can follow, on the program and the real git.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			for key, value := range map[string]string{
				"HOME": home, "USER": "dev", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull,
				"GIT_AUTHOR_NAME": "Dev", "GIT_AUTHOR_EMAIL": "dev@example.com", "GIT_COMMITTER_NAME": "Dev",
				"GIT_COMMITTER_EMAIL": "dev@example.com", "NO_COLOR": "1", "NL": "\n", "KEY": "ghp_" + strings.Repeat("a1B2", 9),
				agent.DeadlineVariable: "1m", // what a hook says must not depend on the machine's load
			} {
				env.Setenv(key, value)
			}
			return os.MkdirAll(home, 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"session": placeSession,
			"place":   placeFile,
			"same":    sameTree,
			"replace": replaceText,
			"hidden":  withLine("text that runs \u202e backwards"),
			"secret":  withLine("the key is ghp_" + strings.Repeat("a1B2", 9)),
		},
	})
}

// placeSession puts a transcript where Claude Code would have kept it for the
// current directory: session FILE [NAME]. @DIR@ in it becomes that directory.
func placeSession(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: session FILE [NAME]")
	}
	dir, err := filepath.EvalSymlinks(ts.MkAbs("."))
	ts.Check(err)
	folder, _ := agent.ClaudeFolder(dir)
	to := filepath.Join(ts.Getenv("HOME"), ".claude", "projects", folder)
	ts.Check(os.MkdirAll(to, 0o755))
	name := filepath.Base(args[len(args)-1])
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "@DIR@", dir)
	ts.Check(os.WriteFile(filepath.Join(to, name), []byte(text), 0o644))
}

// placeFile puts a file where an agent would have kept it: place FILE PATH, the
// path below the home folder. @DIR@ in it becomes the current directory.
func placeFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: place FILE PATH")
	}
	dir, err := filepath.EvalSymlinks(ts.MkAbs("."))
	ts.Check(err)
	to := filepath.Join(ts.Getenv("HOME"), filepath.FromSlash(args[1]))
	ts.Check(os.MkdirAll(filepath.Dir(to), 0o755))
	ts.Check(os.WriteFile(to, []byte(strings.ReplaceAll(ts.ReadFile(args[0]), "@DIR@", dir)), 0o644))
}

// withLine copies a file and puts a line in place of its last one: TO FROM.
func withLine(line string) func(ts *testscript.TestScript, neg bool, args []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		text := strings.TrimSuffix(ts.ReadFile(args[1]), "\n")
		text = text[:strings.LastIndexByte(text, '\n')+1] + line + "\n"
		ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
	}
}

// sameTree compares two folders byte by byte, .git left out: same A B.
func sameTree(ts *testscript.TestScript, neg bool, args []string) {
	a, b := readTree(ts, args[0]), readTree(ts, args[1])
	var differ []string
	for name, text := range a {
		if other, ok := b[name]; !ok || other != text {
			differ = append(differ, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			differ = append(differ, name)
		}
	}
	if (len(differ) > 0) != neg {
		ts.Fatalf("differ: %v", differ)
	}
}

func readTree(ts *testscript.TestScript, dir string) map[string]string {
	files := map[string]string{}
	root := ts.MkAbs(dir)
	ts.Check(filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			files[name+"/"] = ""
			return nil
		}
		data, err := os.ReadFile(path)
		files[name] = string(data)
		return err
	}))
	return files
}

// replaceText changes a file: replace FILE OLD NEW.
func replaceText(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}
