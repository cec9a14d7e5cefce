package scan

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/cputime"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/shell"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/scan/transcript"
)

func TestParseShell(t *testing.T) {
	cases := []struct {
		line string
		want []string // name [launcher] flags operands
	}{
		{"cd x && FOO=1 npx jest --watch a.js | tee out", []string{"cd [] [x]", "jest [--watch] [a.js]", "tee [] [out]"}},
		{`git commit -m "fix pytest; rm -rf /"`, []string{"git commit [-m] [fix pytest; rm -rf /]"}},
		{"sudo -u root env A=b timeout 5 make -j 4 all", []string{"make all [-j] [4]"}},
		{`bash -lc 'npm run build && npm test'`, []string{"npm run build [] []", "npm test [] []"}},
		{"python3 -m pytest -q tests", []string{"pytest [-q] [tests]"}},
		{"git -C /tmp/x status --short", []string{"git status [-C --short] []"}},
		{"cat <<'EOF' > f\nrm -rf /\nEOF", []string{"cat [] []"}},
		{"gh api repos/o/r --jq '.[0]'", []string{"gh api [--jq] [repos/o/r .[0]]"}},
		{"which git", []string{"which [] [git]"}},
		{"for f in *; do wc -l $f; done", []string{"wc [-l] []"}},
		{"if (", nil},
	}
	for _, c := range cases {
		var got []string
		for _, cmd := range shell.Parse(c.line).Commands {
			got = append(got, cmd.Name()+" "+list(cmd.FlagNames())+" "+list(cmd.Operands))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s\nis read as %q\nwant       %q", c.line, got, c.want)
		}
	}
}

func list(words []string) string {
	s := "["
	for i, w := range words {
		if i > 0 {
			s += " "
		}
		s += w
	}
	return s + "]"
}

func TestTriggersOfReports(t *testing.T) {
	cases := []struct {
		name string
		tag  Tag
		want *lesson.Trigger
	}{
		{
			"what the fix adds silences it",
			Tag{Tool: "Bash", Trigger: "pytest -v tests/", Fix: "Use `python -m pytest --no-header -rN` or set TERM=dumb"},
			&lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"pytest"}, Unless: []string{"--no-header", "-rN", "TERM=dumb"}},
		},
		{
			"a flag to leave",
			Tag{Tool: "Bash", Trigger: "`gh pr diff 88 --stat`", Fix: "gh has no such flag"},
			&lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"gh pr diff --stat"}},
		},
		{
			"a file tool",
			Tag{Tool: "Edit", Trigger: "editing src/gen/api.ts", Fix: "run the generator"},
			&lesson.Trigger{Tools: []string{"Edit"}, Paths: []string{"src/gen/api.ts"}},
		},
		{
			"no tool, but a command",
			Tag{Trigger: "npm ci --force", Fix: "leave --force out"},
			&lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"npm ci --force"}},
		},
		{
			"prose with a name",
			Tag{Tool: "Bash", Trigger: "running the whole of e2e.config tests at once", Fix: "one by one"},
			&lesson.Trigger{Tools: []string{"Bash"}, Keywords: []string{"e2e.config"}},
		},
		{"prose without a name", Tag{Tool: "Bash", Trigger: "running all of it at once", Fix: "one by one"}, nil},
		{"nothing", Tag{Fix: "think"}, nil},
	}
	for _, c := range cases {
		got, _ := json.Marshal(triggerOfReport(c.tag))
		want, _ := json.Marshal(c.want)
		if string(got) != string(want) {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
}

func TestPathsOfTriggersAreRelative(t *testing.T) {
	roots := []string{"/home/dev/app"}
	for in, want := range map[string]string{
		"/home/dev/app/src/a.go": "src/a.go", "./src/a.go": "src/a.go", "src/*.go": "src/*.go", "/etc/hosts": "**/hosts",
		`C:\work\x.txt`: "**/x.txt", "../other/a.go": "", "**/plugin.json": "**/plugin.json", "/**/x.go": "**/x.go", "~/notes.md": "**/notes.md",
	} {
		if got := globFor(in, roots); got != want {
			t.Errorf("%s becomes %q, want %q", in, got, want)
		}
	}
}

func TestPathsStandForTheirLike(t *testing.T) {
	for in, want := range map[string]string{
		"migrations/0007_add_cart.sql": "migrations/*.sql", "db/20260301120000_add_cart.rb": "db/*.rb", "reports/sales-2026-03-01.csv": "reports/sales-*.csv",
		"runs/1234/out.log": "runs/*/out.log", "api/v2/cart.ts": "api/v*/cart.ts", "lib/module_v2.py": "lib/module_v*.py", "objects/0f1e2d3c4b5a/meta.json": "objects/*/meta.json",
		"src/cart.ts": "src/cart.ts", "src/2fa/login.ts": "src/2fa/login.ts", "web/i18n/de.json": "web/i18n/de.json", "**/v2/*.ts": "**/v2/*.ts", "go.mod": "go.mod", "docs/oauth2.md": "docs/oauth2.md",
	} {
		if got := globFor(in, nil); got != want {
			t.Errorf("%s becomes %q, want %q", in, got, want)
		}
	}
}

// A trigger must match the command that failed and not the one that worked, as
// far as words can tell.
func TestTriggersTellTheMistakeFromTheFix(t *testing.T) {
	pairs := [][3]string{
		{"gh pr diff 88 --stat", "unknown flag: --stat", "gh pr diff 88 --name-only"},
		{"golangci-lint run --disable-all -E errcheck", "Error: unknown flag: --disable-all", "golangci-lint run -E errcheck"},
		{"git show 8312232 --no-stat", "fatal: unrecognized argument: --no-stat", "git show 8312232"},
		{"npx jest a", "error: unknown option, use --forceExit", "npx jest --forceExit a"},
		{"python hoge.py", "bash: python: command not found", "python3 hoge.py"},
	}
	for _, p := range pairs {
		got := found(errorFixes{}, story{bash(p[0], fail, "Exit code 1\n"+p[1]), bash(p[2], transcript.OK, "fine")})
		if len(got) != 1 || got[0].trigger == nil {
			t.Errorf("%s: no trigger", p[0])
			continue
		}
		if !covers(got[0].trigger, p[0]) || covers(got[0].trigger, p[2]) {
			t.Errorf("%v does not tell %q from %q", *got[0].trigger, p[0], p[2])
		}
	}
}

// covers matches a trigger of one command in words: program, sub-command and
// tokens are there, nothing of unless is.
func covers(tr *lesson.Trigger, line string) bool {
	want := mainCommand(shell.Parse(tr.Commands[0]))
	for _, c := range shell.Parse(line).Commands {
		tokens := slices.Concat(c.FlagNames(), c.Operands, c.Env)
		if c.Program == want.Program && len(less(want.Sub, c.Sub)) == 0 && len(less(slices.Concat(want.FlagNames(), want.Operands), tokens)) == 0 &&
			!slices.ContainsFunc(tr.Unless, func(u string) bool { return slices.Contains(tokens, u) }) {
			return true
		}
	}
	return false
}

// Whatever a session holds, a trigger fires on the failing command and is silent
// on the other one.
func FuzzSynthesise(f *testing.F) {
	for _, s := range specimens(f) {
		f.Add(s.failed, s.said, s.fixed)
	}
	f.Add("a $(b) 'c", "a: invalid option -- 'c'", "a -- \"$d\" ''")
	f.Add("x -= --", "unknown option: -", "x '' -- --= =")
	f.Fuzz(func(t *testing.T, wrong, said, right string) {
		for class := range timedOut + 1 {
			made := synthesise(wrong, said, right, class)
			if made == nil {
				continue
			}
			fires, problems := compile.Matcher(made.trigger)
			if len(problems) > 0 || !fires(wrong) || fires(right) {
				t.Errorf("%+v on %q and %q: %v", made.trigger, wrong, right, problems)
			}
			made.shape.credible()
			if made.title == "" || made.fix == "" || made.shape.mistake() == "" {
				t.Errorf("nothing is said of %q and %q: %q, %q", wrong, right, made.title, made.fix)
			}
		}
	})
}

func FuzzParseShell(f *testing.F) {
	for _, s := range []string{"sudo", "env A=b", "bash -c 'bash -c \"x\"'", "npx", "a && b | c; d", "timeout", "x <<E\ny\nE", "$(a) b", "git -C"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, c := range shell.Parse(line).Commands {
			if c.Program == "" {
				t.Errorf("a command without a program in %q", line)
			}
			commandShape(c, shapes(slices.Concat(c.FlagNames(), c.Operands)))
		}
	})
}

func TestHostileCommandLinesAreParsedInTime(t *testing.T) {
	took := cputime.Of(func() {
		for _, part := range []string{"(", "((", "((a[", "a[$(", "$(", "`", "<<E\n", "bash -c '", "sudo ", "if a;then ", "<("} {
			shell.Parse(strings.Repeat(part, keepBytes/len(part)))
		}
	})
	if took > 10*time.Second {
		t.Errorf("took %s", took)
	}
}

// What takes the place of a program that cannot be run works on the same words; a probe of
// the same host is something else.
func TestSubstitutes(t *testing.T) {
	for _, c := range []struct{ wrong, right, want string }{
		{"redis-cli -h cache.local -p 6380 ping", "nc -z -w3 cache.local 5432", ""},
		{"staticcheck ./...", "golangci-lint run ./...", "golangci-lint"},
		{"python scripts/a.py x y", "python3 scripts/a.py x", "python3"},
		{"docker-compose up -d web", "docker compose up -d", "docker"},
	} {
		g := likeOf(shell.Parse(c.wrong).Commands[0], shell.Parse(c.right))
		if g == nil && c.want != "" || g != nil && g.Program != c.want {
			t.Errorf("%s: %v, want %q", c.wrong, g, c.want)
		}
	}
}

// A text that a program took for a flag is any text that begins with a dash, unless something
// says that it is none.
func TestDashedTexts(t *testing.T) {
	got := found(errorFixes{}, story{
		bash(`rg -n "- name: a" src`, fail, "Exit code 2\nrg: unrecognized flag - "), bash(`rg -n -- "- name: a" src`, ok, "src/a.yaml:1"),
	})
	if len(got) != 1 || got[0].trigger == nil {
		t.Fatalf("%+v", got)
	}
	compiled, problems := compile.Trigger(got[0].trigger)
	for line, want := range map[string]bool{
		`rg "- id: b" lib`: true, `rg -l '--- FAIL|panic' log`: true, `rg "id: - b" lib`: false, `rg -n -- "- id: b" lib`: false,
		`rg -e "- id: b" lib`: false, `rg --regexp "- id: b"`: false, `rg -- "- id: b"`: false, `ls "- a b"`: false,
	} {
		if got := compiled.FiresOn(inject.Hold(inject.Call{Tool: "Bash", Command: line})); got != want || len(problems) > 0 {
			t.Errorf("%s: %v %v", line, got, problems)
		}
	}
}
