package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/agent"
)

// tree makes files, and directories where a name ends in a slash.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		path := filepath.Join(root, filepath.FromSlash(name))
		dir := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			dir = path
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if dir != path {
			if err := os.WriteFile(path, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

// still is a clock that stands.
func still() time.Time { return time.Unix(0, 0) }

func TestNearest(t *testing.T) {
	root := tree(
		t, "hook/run.go", "hook/place.go", "knowledge/config.yaml", "knowledge/store.go", "web/store.ts", "internal/fsx/replace.go",
		"a.go", "twice/x/same.go", "twice/y/same.go", "pair/alpha1.go", "pair/alpha2.go", "README.md", "naïve/größe.txt", "with space/my file.txt",
		".git/hidden.go", "node_modules/p/module.js", "sub/clone/.git/HEAD", "sub/clone/cloned.go", "docs/guide/",
	)
	if err := os.Symlink("hook", filepath.Join(root, "linked")); err != nil {
		t.Skip("no links here:", err)
	}
	if err := os.Symlink("a.go", filepath.Join(root, "hook", "onlylink.go")); err != nil {
		t.Fatal(err)
	}
	abs := func(p string) string { return filepath.Join(root, filepath.FromSlash(p)) }
	read := func(paths ...string) *agent.Call { return &agent.Call{Tool: "Read", Failed: true, Paths: paths} }
	bash := func(output string) *agent.Call {
		return &agent.Call{Tool: "Bash", Failed: true, Response: output}
	}
	sys := &System{Now: still, Env: func(string) string { return "" }}
	for name, c := range map[string]struct {
		call *agent.Call
		cwd  string
		want string // path written > nearest; empty: nothing is said
	}{
		"moved":                        {call: read("cmd/run.go"), want: "cmd/run.go > hook/run.go"},
		"moved, absolute":              {call: read(abs("cmd/run.go")), want: abs("cmd/run.go") + " > " + abs("hook/run.go")},
		"from a folder":                {call: read("run.go"), cwd: "knowledge", want: "run.go > ../hook/run.go"},
		"through a link":               {call: read("plce.go"), cwd: "linked", want: "plce.go > place.go"},
		"one edit":                     {call: read("hook/plce.go"), want: "hook/plce.go > hook/place.go"},
		"changed places":               {call: read("knowledge/cofnig.yaml"), want: "knowledge/cofnig.yaml > knowledge/config.yaml"},
		"ending":                       {call: read("knowledge/config.yml"), want: "knowledge/config.yml > knowledge/config.yaml"},
		"fewest edits win":             {call: read("web/stor.ts"), want: "web/stor.ts > web/store.ts"},
		"sibling":                      {call: read("hook/stores.go"), want: "hook/stores.go > knowledge/store.go"},
		"folder that is not there":     {call: read("internal/fs/replaces.go"), want: "internal/fs/replaces.go > internal/fsx/replace.go"},
		"case":                         {call: read("docs/Readme.md")},
		"case in the same folder":      {call: read("ReadMe.md"), want: "ReadMe.md > README.md"},
		"characters, not bytes":        {call: read("naïve/grösse.txt"), want: "naïve/grösse.txt > naïve/größe.txt"},
		"three edits":                  {call: read("hook/plaaaace.go")},
		"too far away for edits":       {call: read("hook/replacee.go")},
		"short names are all near":     {call: read("b.go")},
		"two of the name":              {call: read("same.go")},
		"two equally near":             {call: read("pair/alpha3.go")},
		"in .git":                      {call: read("hidden.go")},
		"in node_modules":              {call: read("module.js")},
		"in another repository":        {call: read("cloned.go")},
		"a link":                       {call: read("onlylink.go")},
		"outside":                      {call: read("../run.go")},
		"a folder for Read":            {call: read("x/guide")},
		"it exists":                    {call: read("hook/run.go")},
		"a pattern":                    {call: read("cmd/*.go")},
		"more than a line":             {call: read("cmd\nrun.go")},
		"no path":                      {call: read()},
		"two, none named":              {call: read("cmd/run.go", "cmd/place.go")},
		"Write makes files":            {call: &agent.Call{Tool: "Write", Failed: true, Paths: []string{"cmd/run.go"}}},
		"it did not fail":              {call: &agent.Call{Tool: "Read", Paths: []string{"cmd/run.go"}}},
		"patch, one named":             {call: &agent.Call{Tool: "Edit", Failed: true, Paths: []string{"new.go", "cmd/run.go"}, Response: "Failed to read cmd/run.go"}, want: "cmd/run.go > hook/run.go"},
		"command":                      {call: bash("Exit code 1\ncat: cmd/run.go: No such file or directory\n"), want: "cmd/run.go > hook/run.go"},
		"command, a folder":            {call: bash("bash: line 1: cd: guide: No such file or directory"), want: "guide > docs/guide"},
		"command, a space":             {call: bash("cat: 'my file.txt': No such file or directory"), want: "my file.txt > with space/my file.txt"},
		"command, the same path twice": {call: bash("cat: run.go: No such file or directory\ncat: run.go: No such file or directory"), want: "run.go > hook/run.go"},
		"command, two paths":           {call: bash("cat: run.go: No such file or directory\ncat: place.go: No such file or directory")},
		"command, other failure":       {call: bash("cat: run.go: Permission denied")},
	} {
		t.Run(name, func(t *testing.T) {
			e := agent.Event{Name: agent.PostToolUse, Can: agent.TellModel, Cwd: abs(c.cwd), Call: c.call}
			want := ""
			if written, near, ok := strings.Cut(c.want, " > "); ok {
				want = "[lessons] " + written + " does not exist; the nearest path is " + near
			}
			if got := sys.nearest(root, e); got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			e.Can = agent.TellPerson
			if got := sys.nearest(root, e); got != "" {
				t.Errorf("nobody hears %q", got)
			}
		})
	}
}

// What was not seen may be as near, so nothing is said of a tree that is too large.
func TestNearestKeepsItsBounds(t *testing.T) {
	var names []string
	for n := range 40 {
		names = append(names, fmt.Sprintf("d%d/f%d.txt", n, n))
	}
	root := tree(t, append(names, "hook/place.go", "z/deep/run.go")...)
	for _, c := range []struct {
		rel, want string
		left      int
		time      time.Duration
	}{
		{"run.go", "z/deep/run.go", 5000, time.Minute},
		{"run.go", "", 60, time.Minute},
		{"run.go", "", 5000, -time.Second},
		{"hook/plce.go", "hook/place.go", 5000, time.Minute},
		{"hook/plce.go", "hook/place.go", 140, time.Minute}, // beside it all was seen
		{"hook/plce.go", "", 30, time.Minute},
	} {
		w := walk{root: root, left: c.left, now: still, until: still().Add(c.time)}
		got, ok := w.only(filepath.FromSlash(c.rel))
		if filepath.ToSlash(got) != c.want || ok != (c.want != "") || w.left < 0 {
			t.Errorf("%s within %d entries and %v: %q, %v, %d left; want %q", c.rel, c.left, c.time, got, ok, w.left, c.want)
		}
	}
}

func TestNamedMissing(t *testing.T) {
	for output, want := range map[string][]string{
		"cat: a/b: No such file or directory":                                        {"a/b"},
		"Exit code 2\nls: cannot access 'a b': No such file or directory\nls: x":     {"a b"},
		"ls: cannot access ‘a’: No such file or directory":                           {"a"},
		"head: cannot open 'x/y' for reading: No such file or directory":             {"x/y"},
		"/bin/bash: line 3: ./run.sh: No such file or directory":                     {"./run.sh"},
		"FileNotFoundError: [Errno 2] No such file or directory: 'a.py'":             {"a.py"},
		"python3: can't open file '/r/a.py': [Errno 2] No such file or directory":    {"/r/a.py"},
		"Error: ENOENT: no such file or directory, open 'src/a.js'":                  {"src/a.js"},
		"open conf/a.yml: no such file or directory\r\n":                             {"conf/a.yml"},
		"grep: one: No such file or directory\ngrep: two: No such file or directory": {"one", "two"},
		"it said No such file or directory and went on":                              nil,
		"No such file or directory":                                                  nil,
		": No such file or directory":                                                nil,
		"mv: cannot stat 'it's here': No such file or directory":                     {"s here"}, // not a path that is there: nothing comes of it
		"fatal: No such file or directory, ' and":                                    nil,
	} {
		if diff := cmp.Diff(want, namedMissing(output)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", output, diff)
		}
	}
}

func FuzzNamedMissing(f *testing.F) {
	f.Add("cat: 'a\": No such file or directory\n‘’`: no such file or directory, open '")
	f.Fuzz(func(t *testing.T, output string) {
		for _, p := range namedMissing(output) {
			if p == "" || !strings.Contains(output, p) {
				t.Fatalf("%q in %q", p, output)
			}
		}
	})
}
