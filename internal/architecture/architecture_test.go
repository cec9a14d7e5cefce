// Package architecture holds the tests that keep the shape of the program:
// which package may import which, and what a hook may link.
package architecture

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/lessons-cli/lessons/"

// layers lists the packages from top to bottom. A package may import packages
// of lower layers only. A name that ends in a slash stands for all packages
// below it.
var layers = [][]string{
	{"tools/", "internal/test/e2e/", "internal/test/contract", "internal/test/plugins"}, // programs and tests around the product
	{"cmd/lessons", "cmd/lessons-hook"},
	{"internal/replay", "internal/mcpserver", "internal/serve", "internal/review/terminal"},
	{"internal/project"},
	{"internal/report"},
	{"internal/tally", "internal/review", "internal/outcomes"},
	{"internal/hook"},
	{"internal/agent", "internal/learn"},
	{"internal/agent/payload"},
	{"internal/check", "internal/audit", "internal/resolve", "internal/history", "internal/stale", "internal/publish", "scan", "render", "reconcile", "migrate"},
	{"scan/transcript", "internal/inject/compile"},
	{"knowledge/catalog"},
	{"knowledge/merge", "knowledge/state", "knowledge/store"},
	{"knowledge/artifact", "knowledge/config", "knowledge/verdict"},
	{"knowledge/entry", "knowledge/manifest", "knowledge/score", "knowledge/said"},
	{"knowledge/observe", "knowledge/problem", "knowledge/pattern"},
	{"knowledge/fingerprint", "knowledge/lesson", "knowledge/calls", "knowledge/trace"},
	{"knowledge/instructions"},
	{"knowledge/frontmatter", "knowledge/markdown"},
	{"knowledge/flow"},
	{"knowledge/edits"},
	{"knowledge/prose", "knowledge/internal/ordered", "knowledge/statement"},
	{"knowledge", "knowledge/ask", "knowledge/statement/weigh", "internal/phrases", "knowledge/internal/fields", "knowledge/internal/textfile", "knowledge/schema"},
	{"internal/gitstate", "internal/inject"},
	{"internal/gitstate/gitdir", "internal/shell", "internal/settings/hookfile"},
	{"internal/redact", "internal/settings/jsonedit", "internal/agent/tools"},
	{"internal/test/fsxtest"},
	{"internal/database"},
	{"internal/automata", "internal/provenance", "internal/fsx", "internal/plain", "internal/architecture"},
	{"examples/agents", "internal/jsonlines", "internal/lists", "internal/cputime", "internal/test/gittest", "internal/test/kit", "internal/test/mockmodel", "internal/test/pairs", "internal/test/schema", "internal/test/screen", "internal/test/e2e"}, // what only tests and tools use
}

// confined says which packages alone may import a module: each is a cost or a
// risk that must have one home.
var confined = []struct {
	module, why string
	allowed     []string
}{
	{"github.com/go-git/", "go-git answers for gitstate alone", []string{"internal/gitstate"}},
	{"github.com/alecthomas/kong", "the command grammar belongs to the command line", []string{"cmd/lessons"}},
	{"github.com/yuin/goldmark", "Markdown structure is read in one place", []string{"knowledge/markdown"}},
	{"github.com/modelcontextprotocol/", "a protocol is spoken in one place", []string{"internal/mcpserver"}},
	{"charm.land/", "a terminal is drawn in one place", []string{"internal/review/terminal"}},
	{"modernc.org/", "a database is opened in one place", []string{"internal/database"}},
	{"github.com/adrg/frontmatter", "front matter is found in one place", []string{"knowledge/frontmatter"}},
	{"mvdan.cc/sh/", "a command line is read in one place", []string{"internal/shell"}},
	{module + "tools/", "nothing imports a tool", nil},
}

// core packages know neither processes nor the environment, and neither does what
// is below knowledge.
var core = []string{"render", "scan", "scan/transcript", "migrate", "internal/check", "internal/learn"}

func layerOf(pkg string) int {
	for i, names := range layers {
		for _, name := range names {
			if pkg == name || (strings.HasSuffix(name, "/") && strings.HasPrefix(pkg, name)) {
				return i
			}
		}
	}
	return -1
}

func TestImportDirections(t *testing.T) {
	for pkg, imports := range packages(t) {
		from := layerOf(pkg)
		if from < 0 {
			t.Errorf("%s is in no layer: name it in layers, or put it where it belongs", pkg)
			continue
		}
		for _, imp := range imports {
			own, ok := strings.CutPrefix(imp, module)
			if !ok {
				continue
			}
			to := layerOf(own)
			if to <= from {
				t.Errorf("%s imports %s: arrows point down only", pkg, own)
			}
		}
	}
}

func TestKnowledgeKnowsNoGit(t *testing.T) {
	all := packages(t)
	for _, pkg := range domain(all) {
		if contains(all[pkg], module+"internal/gitstate") {
			t.Errorf("%s imports gitstate: what git says comes in as values", pkg)
		}
	}
}

func TestHeavyModulesAreConfined(t *testing.T) {
	for pkg, imports := range packages(t) {
		for _, imp := range imports {
			for _, c := range confined {
				if strings.HasPrefix(imp, c.module) && !contains(c.allowed, pkg) {
					t.Errorf("%s imports %s: %s", pkg, imp, c.why)
				}
			}
		}
	}
}

func TestCoreStartsNoProcessAndReadsNoEnvironment(t *testing.T) {
	all := packages(t)
	for _, pkg := range slices.Concat(core, domain(all)) {
		for _, imp := range all[pkg] {
			switch imp {
			case "os", "os/exec", "net", "net/http", "database/sql", "math/rand", "math/rand/v2":
				t.Errorf("%s imports %s: I/O, time and randomness belong to the edges", pkg, imp)
			}
		}
	}
}

// Every hook links the agents' contracts: what is big to load must not come along.
func TestAgentsAreLight(t *testing.T) {
	heavy := []string{"github.com/go-git/", "github.com/yuin/goldmark", "github.com/alecthomas/kong", "github.com/adrg/frontmatter", "go.yaml.in/yaml", module + "knowledge"}
	out, err := exec.Command("go", "list", "-deps", module+"internal/agent/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for dep := range strings.Lines(string(out)) {
		for _, h := range heavy {
			if strings.HasPrefix(dep, h) {
				t.Errorf("an agent's package reaches %s", strings.TrimSpace(dep))
			}
		}
	}
}

// domain lists package knowledge and those below it.
func domain(all map[string][]string) []string {
	var names []string
	for pkg := range all {
		if pkg == "knowledge" || strings.HasPrefix(pkg, "knowledge/") {
			names = append(names, pkg)
		}
	}
	return names
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// packages maps each package of the module (without the module's path) to what
// its non-test files import.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	pkgs := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) > 0 {
			pkgs[strings.TrimPrefix(f[0], module)] = f[1:]
		}
	}
	if len(pkgs) < 5 {
		t.Fatalf("go list found %d packages", len(pkgs))
	}
	return pkgs
}

// What people see goes through the printer of package plain, which encodes it: a
// command that wrote to the process's own streams would go round it. An editor
// and an agent get the streams themselves.
func TestOnlyThePrinterWritesForPeople(t *testing.T) {
	raw := regexp.MustCompile(`os\.(Stdout|Stderr)|fmt\.Print|log\.(Print|Fatal|Panic)`)
	streams := map[string]string{
		"cmd/lessons/system.go":             "wraps the streams",
		"cmd/lessons/add.go":                "hands them to the editor",
		"cmd/lessons-hook/main.go":          "hands standard output to the agent's adapter",
		"internal/test/e2e/witness/main.go": "is an agent's hook in tests",
	}
	for _, dir := range []string{"cmd", "internal", "knowledge", "migrate", "reconcile", "render", "scan"} {
		err := filepath.WalkDir(filepath.Join("..", "..", dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir // no code of the program
			}
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			name := filepath.ToSlash(strings.TrimPrefix(path, filepath.Join("..", "..")+string(filepath.Separator)))
			data, err := os.ReadFile(path)
			if err == nil && streams[name] == "" && raw.Match(data) {
				t.Errorf("%s: %q writes past the printer: use inv.printf, or a plain.Printer", name, raw.Find(data))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
