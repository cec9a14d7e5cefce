package compile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/cputime"
	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/provenance"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// patient gives patterns all the time that a busy machine may need.
var patient = inject.Options{Budget: -1}

func options() compile.Options {
	return compile.Options{Config: config.Default(), Today: "2026-11-20"}
}

func warning(id string, t lesson.Trigger) *lesson.Lesson {
	return &lesson.Lesson{
		ID: id, Kind: lesson.Warning, Priority: 7, Status: lesson.Active, Confidence: 0.9, Action: lesson.ActionAuto,
		Triggers: t, Title: "Title of " + id, Body: "It hangs.\n\n**Fix**: do the other thing\n", Path: ".lessons/" + id + ".md",
	}
}

// own are lessons of this person, theirs those that nobody here reviewed.
func own(lessons ...*lesson.Lesson) provenance.List[*lesson.Lesson] {
	return provenance.Parted(lessons, nil)
}

func theirs(lessons ...*lesson.Lesson) provenance.List[*lesson.Lesson] {
	return provenance.Parted(nil, lessons)
}

func open(t testing.TB, o compile.Options, lessons ...*lesson.Lesson) *inject.Index {
	t.Helper()
	return openList(t, o, own(lessons...))
}

func openList(t testing.TB, o compile.Options, lessons provenance.List[*lesson.Lesson]) *inject.Index {
	t.Helper()
	data, problems := compile.Compile(lessons, o)
	for _, p := range problems {
		t.Errorf("problem: %s: %s", p.Path, p.Text)
	}
	x, err := inject.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func ids(matches []inject.Match) string {
	var lessons []inject.Lesson
	for _, m := range matches {
		lessons = append(lessons, m.Lesson)
	}
	return idsOf(lessons)
}

func idsOf(lessons []inject.Lesson) string {
	var out []string
	for _, l := range lessons {
		out = append(out, l.ID)
	}
	return strings.Join(out, " ")
}

// why is the first reason that speaks against a match, else all of them.
func why(m inject.Match) string {
	var all []string
	for _, r := range m.Reasons {
		if !r.OK {
			return r.String()
		}
		all = append(all, r.String())
	}
	return strings.Join(all, "; ")
}

func bash(command string) inject.Call {
	return inject.Call{Tool: "Bash", Command: command, Root: "/repo"}
}

// A lesson that no longer does what it was learned for arms nothing and says so.
func TestALessonIsHeldAgainstItsExamples(t *testing.T) {
	trigger := lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"gh pr diff --stat"}}
	for name, c := range map[string]struct {
		examples lesson.Examples
		problem  string // part of it; empty: none
	}{
		"none":          {},
		"as it should":  {lesson.Examples{Match: []string{"cd x && gh pr diff 8 --stat"}, Miss: []string{"gh pr diff 8 --name-only", "git commit -m 'gh pr diff --stat'"}}, ""},
		"silent":        {lesson.Examples{Match: []string{"gh pr diff 8 --stat", "gh pr view 8 --stat"}}, `silent on "gh pr view 8 --stat"`},
		"fires":         {lesson.Examples{Miss: []string{"gh pr diff --stat 7"}}, `fire on "gh pr diff --stat 7"`},
		"only the name": {lesson.Examples{Match: []string{"echo gh pr diff --stat"}}, "silent on"},
	} {
		l := warning("a", trigger)
		l.Examples = c.examples
		data, problems := compile.Compile(own(l), options())
		x, err := inject.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		armed := len(x.Match(bash("gh pr diff 1 --stat"), patient)) == 1
		switch {
		case c.problem == "" && (len(problems) > 0 || !armed):
			t.Errorf("%s: armed %v, problems %v", name, armed, problems)
		case c.problem != "" && (armed || len(problems) != 1 || problems[0].Path != l.Path || problems[0].Rule != "lesson-examples" || !strings.Contains(problems[0].Text, c.problem)):
			t.Errorf("%s: armed %v, problems %v", name, armed, problems)
		}
	}
}

// In a command of a trigger a star stands for any other letters of an operand.
func TestOperandsOfCommandsMayBeGlobs(t *testing.T) {
	for command, lines := range map[string]map[string]bool{
		"python *.py":                        {"python a/b.py": true, "python -u b.py": true, "python -m http": false, "python b.pyc": false},
		"go build **/... -o":                 {"go build -o x ./cmd/...": true, "go build ./...": false, "go build -o x ./...": true, "go build -o x ./cmd": false},
		"gh api **/pulls/comments/*/replies": {"gh api repos/a/b/pulls/comments/1/replies": true, "gh api repos/a/b/pulls/2/comments/1/replies": false},
		"git add *":                          {"git add *": true, "git add a.go": false},
		"tar *.tar.xz -xzf":                  {"tar -xzf a.tar.xz": true, "tar -xzf a.tar.gz": false, "tar -xf a.tar.xz": false},
		"source .venv/bin/activate":          {"source .venv/bin/activate && x": true, "source venv/bin/activate": false},
	} {
		x := open(t, options(), warning("a", lesson.Trigger{Commands: []string{command}}))
		for line, want := range lines {
			if got := len(x.Match(bash(line), patient)) == 1; got != want {
				t.Errorf("%s on %s: %v", command, line, got)
			}
		}
	}
}

func TestFormsOfAFlagAreOne(t *testing.T) {
	for _, c := range []struct {
		trigger, command string
		fires            bool
	}{
		{"git push --force", "git push -f origin main", true},
		{"git push -f", "git push --force", true},
		{"git push --force", "git push -fu origin main", true},
		{"git push --force", "git push --force-with-lease", false},
		{"git push --force*", "git push --force-with-lease origin main", true},
		{"git push --force*", "git push origin main", false},
		{"git commit --no-verify", "git commit -nm x", true},
		{"git push --dry-run", "git commit -n", false},
		{"rm -rf", "rm --recursive --force build", true},
		{"npm install --save-dev", "npm install -D vitest", true},
		{"pytest {-x,--exitfirst}", "pytest -x", true},
		{"go {build,install} ./...", "go install ./...", true},
		{"go {build,install} ./...", "go test ./...", false},
		{"kubectl get -o jsonpath={.items}", "kubectl get pods -o jsonpath={.items}", true},
		{"docker inspect -f '{{.A}},{{.B}}'", "docker inspect -f '{{.A}},{{.B}}' web", true},
	} {
		compiled, problems := compile.Trigger(&lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{c.trigger}})
		if got := compiled.Fires(inject.Call{Tool: "Bash", Command: c.command}); got != c.fires {
			t.Errorf("%q on %q: %t, want %t (%v)", c.trigger, c.command, got, c.fires, problems)
		}
	}
	for _, wrong := range []string{"*", "pip* install", "a > b", "{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}"} {
		if _, problems := compile.Trigger(&lesson.Trigger{Commands: []string{wrong}}); len(problems) == 0 {
			t.Errorf("%q: no problem", wrong)
		}
	}
}

func TestPlaceholdersStandForWordsOfTheirKind(t *testing.T) {
	for _, c := range []struct {
		trigger, command string
		fires            bool
	}{
		{"go test -timeout=<number>", "go test ./... -timeout=30", true},
		{"go test -timeout=<number>", "go test -timeout 45 ./store", true},
		{"go test -timeout=<number>", "go test -timeout=30s ./...", false},
		{"go test -timeout=<number>", "go test -timeout=1m30s ./...", false},
		{"go test -timeout=<number>", "go test ./...", false},
		{"head -n <number>", "head -n 1.5 a.txt", true},
		{"sleep <number>", "sleep 5", true},
		{"sleep <number>", "sleep 5s", false},
		{"gh pr view '<number>'", "gh pr view 12", true},
		{"gh pr view <number>", "gh pr view fix-login", false},
		{"terraform apply <path>", "terraform apply plans/prod.tfplan", true},
		{"terraform apply <path>", "terraform apply -auto-approve", false},
		{"npm run <name>", "npm run build", true},
		{"npm run <name>", "npm test", false},
		{"git switch <name>", "git switch main", true},
		{"git switch <name>", "git switch feature/login", false},
		{"git switch -c <path>", "git switch -c feature/login", true},
		{"cat <other>", "cat <other>", false},
	} {
		compiled, _ := compile.Trigger(&lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{c.trigger}})
		if got := compiled.Fires(inject.Call{Tool: "Bash", Command: c.command}); got != c.fires {
			t.Errorf("%q on %q: %t, want %t", c.trigger, c.command, got, c.fires)
		}
	}
	ix := open(t, options(), warning("A", lesson.Trigger{Commands: []string{"npm run <name>"}}))
	if got := ids(ix.Match(bash("npm run build"), patient)); got != "A" {
		t.Error(got)
	}
}

// The seed's own example: a bare pytest waits for a terminal.
func TestPytestExampleFiresOnPytestAlone(t *testing.T) {
	x := open(t, options(), warning("pytest", lesson.Trigger{
		Tools: []string{"Bash"}, Commands: []string{"pytest"}, Unless: []string{"--no-header", "TERM=dumb", "-p no:faulthandler"},
	}))
	for command, want := range map[string]bool{
		"pytest":                              true,
		"pytest -v tests/":                    true,
		"cd src && pytest -x":                 true,
		"bash -c 'pytest -v'":                 true,
		"sudo -u app timeout 60 pytest":       true,
		"python -m pytest tests":              true,
		".venv/bin/pytest":                    true,
		"(cd a; pytest) | tee out.log":        true,
		"X=$(pytest -q)":                      true,
		"pytest -v; pytest --no-header":       true,
		"uv run pytest":                       true,
		"if pytest; then echo ok; fi":         true,
		"pytest <<< 'y'":                      true,
		"CI=1 pytest # TERM=dumb":             true,
		"TERM=dumb pytest":                    false,
		"TERM=dumb pytest -v":                 false,
		"env TERM=dumb pytest":                false,
		"export TERM=dumb; pytest":            false,
		"bash -c 'TERM=dumb pytest'":          false,
		"TERM=dumb bash -c pytest":            false,
		"pytest --no-header":                  false,
		"pytest -p no:faulthandler -x":        false,
		"git commit -m 'fix pytest'":          false,
		"git commit -m \"run pytest -v\"":     false,
		"pip install pytest-cov":              false,
		"pip install pytest":                  false,
		"grep pytest setup.cfg":               false,
		"grep -rn 'pytest -v' .":              false,
		"echo pytest":                         false,
		"cat > run.sh <<EOF\npytest -v\nEOF":  false,
		"cat <<'EOF'\n$(pytest)\nEOF":         false,
		"which pytest":                        false,
		"command -v pytest":                   false,
		"# pytest":                            false,
		"ls # pytest":                         false,
		"pytest-watch":                        false,
		"f() { pytest; }; echo defined":       false,
		"rg pytest | head":                    false,
		"git log --grep=pytest":               false,
		"sed -i 's/pytest/unittest/' ci.yaml": false,
	} {
		got := len(x.Match(bash(command), patient)) > 0
		if got != want {
			t.Errorf("%s: fires %v, want %v: %s", command, got, want, why(x.Explain(bash(command), patient)[0]))
		}
	}
	if x.Err() != nil {
		t.Error(x.Err())
	}
}

func TestCommandSpecs(t *testing.T) {
	for _, c := range []struct {
		spec, command string
		want          bool
	}{
		{"git push --force", "git push origin main --force", true},
		{"git push --force", "git push --force-with-lease", false},
		{"git push -f", "git -C sub push -f", true},
		{"git push", "git pull", false},
		{"git push", "git stash push", false},
		{"git stash", "git stash pop", true},
		{"git stash pop", "git stash", false},
		{"go test -timeout=30", "go test ./... -timeout 30", true},
		{"go test -timeout=30", "go test -timeout=30 ./...", true},
		{"go test -timeout=30", "go test --timeout=30 ./...", true},
		{"go test -timeout=30", "go test -timeout=60 ./...", false},
		{"go test -timeout", "go test -timeout=60 ./...", true},
		{"go test -timeout", "go test ./...", false},
		{"go test -r", "go test -run X", false},
		{"rm -rf", "rm -fr build", true},
		{"rm -rf", "rm -r -f build", true},
		{"rm -rf", "rm -r build", false},
		{"rm -r", "rm -rf build", true},
		{"make -j4", "make -j4 all", true},
		{"make -j", "make -j8", true},
		{"npm run build", "npm run build -- --watch", true},
		{"npm run", "npm run build", true},
		{"npm run build", "npm run test", false},
		{"npx jest", "npx jest a.test.js", true},
		{"npx jest", "jest a.test.js", false},
		{"jest", "npx jest a.test.js", true},
		{"python -m pytest", "python -m pytest -q", true},
		{"python -m pytest", "pytest -q", false},
		{"timeout", "timeout 30 pytest", true},
		{"sudo", "sudo apt install x", true},
		{"sudo apt", "sudo apt install x", true},
		{"sudo apt", "apt install x", false},
		{"docker run nginx", "docker run -d --rm nginx", true},
		{"docker run nginx", "docker run -d redis", false},
		{"kubectl delete -n prod", "kubectl delete pod x -n prod", true},
		{"kubectl delete -n prod", "kubectl delete pod x -n dev", false},
		{"FOO=1 make", "FOO=1 make all", true},
		{"FOO=1 make", "make all", false},
		{"./gradlew test", "./gradlew test --info", true},
		{"gh pr create", "gh pr create --fill", true},
		{"gh pr create", "gh pr view", false},
		{"pip install", "pip install -r requirements.txt", true},
		{"pip install", "pip3 install x", false},
		{"./tool x", "./tool x", true},
		{"./tool x", "bin/tool x", false},
		{"bin/git push", "bin/git push origin", true},
		{"bin/git push", "git push origin", false},
		{"pytest A=1", "A=1 pytest", true},
		{"pytest A=1", "A=2 pytest", false},
		{"dd if=/dev/zero", "dd if=/dev/zero of=x", true},
		{"python3 scripts/deploy.py staging", "python3 scripts/deploy.py staging --x", true},
		{"python3 scripts/deploy.py", "cd scripts && python3 deploy.py", true},
		{"python3 scripts/deploy.py", "python3 /repo/scripts/deploy.py", true},
		{"python3 scripts/deploy.py", "python3 other/deploy.py", false},
		{"python3 scripts/deploy.py", "python3 scripts/other.py scripts/deploy.py", false},
		{"python3 deploy.py", "cd scripts && python3 deploy.py", true},
		{"python3 deploy.py", "python3 scripts/deploy.py", false},
		{"python3 a.py --x", "python3 a.py y --x=1", true},
		{"python3 a.py --x", "python3 --x a.py", false},
		{"python3 --x", "python3 a.py --x", false},
		{"python3 -u", "python3 -u a.py", true},
		{"python3 -m pytest", "python3 -m pytest a.py", true},
		{"npm run x", "npm run x -- --y", true},
		{"npm test -- --watch", "npm test -- a --watch", true},
		{"npm test -- --watch", "npm test --watch", false},
		{"npm test --watch", "npm test -- --watch", false},
		{"npm run", "npm run any", true},
		{"go run file.go --x", "go run file.go --x", true},
		{"go run ./cmd/a -race", "go run -race ./cmd/a", false},
		{"go run -race", "go run -race ./cmd/a", true},
		{"cargo run --bin a -- --port", "cargo run --release --bin=a -- --port 1", true},
		{"cargo run --bin a", "cargo run --bin b", false},
		{"docker exec c psql", "docker compose exec db psql -c x", true},
		{"psql -c", "docker compose exec db psql -c x", true},
		{"docker compose exec -T", "docker compose exec -T db psql", true},
		{"date -v", "date -v-2d", true},
		{"date -v-1d", "date -v-2d", false},
	} {
		x := open(t, options(), warning("x", lesson.Trigger{Commands: []string{c.spec}}))
		if got := len(x.Match(bash(c.command), patient)) > 0; got != c.want {
			t.Errorf("%q on %q: %v, want %v", c.spec, c.command, got, c.want)
		}
	}
}

func TestUnlessTakesWordsAndPatterns(t *testing.T) {
	for _, c := range []struct {
		unless, command string
		silent          bool
	}{
		{"worktree", "git clean worktree", true},
		{"worktree", "git clean my-worktrees", false},
		{".venv/bin/git", ".venv/bin/git clean", true},
		{`-n\b|--dry`, "git clean --dry-run", true},
		{"-n", "git clean -fdn", true},
		{"-n", "git clean -fd", false},
		{"--dry-run", "git clean; echo --dry-run", false},
		{"--depth=1", "git clean --depth 1", true},
		{"--depth=1", "git clean --depth 2", false},
		{"GIT_DIR=x", "GIT_DIR=x git clean", true},
		{"GIT_DIR=x", "GIT_DIR=y git clean", false},
	} {
		x := open(t, options(), warning("x", lesson.Trigger{Commands: []string{"git clean"}, Unless: []string{c.unless}}))
		if got := len(x.Match(bash(c.command), patient)) == 0; got != c.silent {
			t.Errorf("unless %q on %q: silent %v, want %v", c.unless, c.command, got, c.silent)
		}
	}
}

func TestSlotsAreAndedAndElementsOred(t *testing.T) {
	edit := inject.Call{Tool: "Edit", Paths: []string{"/repo/api/v1/user.go"}, Content: "rows, _ := db.Query(\"SELECT *\")", Root: "/repo", Recent: []string{"Let's release it"}}
	for name, c := range map[string]struct {
		trigger lesson.Trigger
		call    inject.Call
		want    bool
	}{
		"path":                        {lesson.Trigger{Paths: []string{"api/**/*.go"}}, edit, true},
		"path of another folder":      {lesson.Trigger{Paths: []string{"web/**/*.go"}}, edit, false},
		"one of two paths":            {lesson.Trigger{Paths: []string{"web/**", "**/user.go"}}, edit, true},
		"braces":                      {lesson.Trigger{Paths: []string{"{api,web}/**/*.{go,ts}"}}, edit, true},
		"root only":                   {lesson.Trigger{Paths: []string{"*.go"}}, edit, false},
		"set":                         {lesson.Trigger{Paths: []string{"api/v[0-9]/*"}}, edit, true},
		"path and tool":               {lesson.Trigger{Tools: []string{"Edit", "Write"}, Paths: []string{"**/*.go"}}, edit, true},
		"path and other tool":         {lesson.Trigger{Tools: []string{"Read"}, Paths: []string{"**/*.go"}}, edit, false},
		"path and content":            {lesson.Trigger{Paths: []string{"**/*.go"}, Content: []string{`SELECT \*`}}, edit, true},
		"path without content":        {lesson.Trigger{Paths: []string{"**/*.go"}, Content: []string{`DELETE`}}, edit, false},
		"content alone":               {lesson.Trigger{Content: []string{`_ := db\.`}}, edit, true},
		"content by folded case":      {lesson.Trigger{Content: []string{`(?i)select`}}, edit, true},
		"content silenced":            {lesson.Trigger{Content: []string{`db\.Query`}, Unless: []string{`rows, _`}}, edit, false},
		"tool and keyword":            {lesson.Trigger{Tools: []string{"Edit"}, Keywords: []string{"release"}}, edit, true},
		"tool and part of a word":     {lesson.Trigger{Tools: []string{"Edit"}, Keywords: []string{"lease"}}, edit, false},
		"tool and context":            {lesson.Trigger{Tools: []string{"Edit"}, Keywords: []string{"ship"}, Context: []string{"Release it"}}, edit, true},
		"tool alone":                  {lesson.Trigger{Tools: []string{"Edit"}}, edit, false},
		"keyword alone":               {lesson.Trigger{Keywords: []string{"release"}}, edit, false},
		"nothing":                     {lesson.Trigger{}, edit, false},
		"keywords are no condition":   {lesson.Trigger{Paths: []string{"api/**"}, Keywords: []string{"absent"}}, edit, true},
		"agent":                       {lesson.Trigger{Agents: []string{"tester"}}, inject.Call{Tool: "Edit", Agent: "tester"}, true},
		"other agent":                 {lesson.Trigger{Agents: []string{"tester"}, Paths: []string{"**"}}, edit, false},
		"relative path":               {lesson.Trigger{Paths: []string{"sub/a.txt"}}, inject.Call{Tool: "Read", Paths: []string{"a.txt"}, Root: "/repo", Dir: "/repo/sub"}, true},
		"dots":                        {lesson.Trigger{Paths: []string{"a.txt"}}, inject.Call{Tool: "Read", Paths: []string{"../a.txt"}, Root: "/repo", Dir: "/repo/sub"}, true},
		"outside":                     {lesson.Trigger{Paths: []string{"**/hosts"}}, inject.Call{Tool: "Read", Paths: []string{"/etc/hosts"}, Root: "/repo"}, true},
		"absolute glob":               {lesson.Trigger{Paths: []string{"/etc/**"}}, inject.Call{Tool: "Read", Paths: []string{"/etc/hosts"}, Root: "/repo"}, true},
		"sibling of the root":         {lesson.Trigger{Paths: []string{"a.txt"}}, inject.Call{Tool: "Read", Paths: []string{"/repository/a.txt"}, Root: "/repo"}, false},
		"operand":                     {lesson.Trigger{Paths: []string{"**/go.mod"}}, bash("sed -i s/a/b/ go.mod"), true},
		"operand behind cd":           {lesson.Trigger{Paths: []string{"web/package.json"}}, bash("cd web && rm package.json"), true},
		"subshell's cd ends":          {lesson.Trigger{Paths: []string{"web/package.json"}}, bash("(cd web); rm package.json"), false},
		"redirection":                 {lesson.Trigger{Paths: []string{"out/*.log"}}, bash("make > out/x.log 2>&1"), true},
		"value of a flag":             {lesson.Trigger{Paths: []string{"conf/*.toml"}}, bash("serve --config=conf/a.toml"), true},
		"message":                     {lesson.Trigger{Paths: []string{"conf/a.toml"}}, bash("git commit -m conf/a.toml"), false},
		"expression of grep":          {lesson.Trigger{Paths: []string{"conf/a.toml"}}, bash("grep conf/a.toml README"), false},
		"echo":                        {lesson.Trigger{Paths: []string{"conf/a.toml"}}, bash("echo conf/a.toml"), false},
		"git show of a file":          {lesson.Trigger{Paths: []string{"conf/a.toml"}}, bash("git show HEAD:conf/a.toml"), true},
		"branch":                      {lesson.Trigger{Paths: []string{"docs/**"}}, bash("git checkout docs"), false},
		"command and path":            {lesson.Trigger{Commands: []string{"rm"}, Paths: []string{"db/**"}}, bash("rm -r db/migrations"), true},
		"path of another command":     {lesson.Trigger{Commands: []string{"rm"}, Paths: []string{"db/**"}}, bash("rm -r x; ls db/migrations"), false},
		"pattern":                     {lesson.Trigger{CommandPatterns: []string{`\bcurl\b.*\|?-k`}}, bash("curl -k https://x"), true},
		"pattern in another command":  {lesson.Trigger{CommandPatterns: []string{`^curl.* -k`}}, bash("curl x; ls -k"), false},
		"pattern and heredoc":         {lesson.Trigger{CommandPatterns: []string{`secret`}}, bash("cat > x <<E\nsecret\nE"), false},
		"patch":                       {lesson.Trigger{Paths: []string{"src/*.rs"}, Content: []string{`unwrap\(\)`}}, inject.Call{Tool: "Edit", Root: "/repo", Content: "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-old\n+x.unwrap()\n*** End Patch"}, true},
		"patch removes what is named": {lesson.Trigger{Paths: []string{"src/*.rs"}, Content: []string{`unwrap\(\)`}}, inject.Call{Tool: "Edit", Root: "/repo", Content: "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x.unwrap()\n+new\n*** End Patch"}, false},
		"patch on the command line":   {lesson.Trigger{Paths: []string{"src/*.rs"}}, bash("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: src/b.rs\n+x\n*** End Patch\nEOF"), true},
		"tools of a server":           {lesson.Trigger{Tools: []string{"mcp__github__*"}, Keywords: []string{"release"}}, inject.Call{Tool: "mcp__github__create_pr", Prompt: "Release!"}, true},
		"not ascii":                   {lesson.Trigger{Tools: []string{"Edit"}, Keywords: []string{"Größe"}}, inject.Call{Tool: "Edit", Recent: []string{"die größe stimmt"}}, true},
	} {
		x := open(t, options(), warning("x", c.trigger))
		matches := x.Match(c.call, patient)
		if got := len(matches) > 0; got != c.want {
			t.Errorf("%s: %v, want %v: %s", name, got, c.want, why(x.Explain(c.call, patient)[0]))
		}
		explained := x.Explain(c.call, patient)
		if explained[0].OK != c.want {
			t.Errorf("%s: explain says %v (%s): the lookup and the test disagree", name, explained[0].OK, why(explained[0]))
		}
		if _, all := explained[0], explained; len(all) != 1 || !explained[0].OK && why(explained[0]) == "" {
			t.Errorf("%s: no reason", name)
		}
	}
}

func TestRankIsPriorityConfidenceID(t *testing.T) {
	one := func(id string, priority int, confidence float64) *lesson.Lesson {
		l := warning(id, lesson.Trigger{Commands: []string{"make"}})
		l.Priority, l.Confidence = priority, confidence
		return l
	}
	x := open(t, options(), one("d", 5, 0.9), one("a", 5, 0.6), one("c", 9, 0.6), one("b", 5, 0.9))
	if got := ids(x.Match(bash("make"), patient)); got != "c b d a" {
		t.Errorf("order %s", got)
	}
	if got := x.Standing(9); len(got) != 1 || got[0].ID != "c" {
		t.Errorf("critical: %v", got)
	}
	if got := x.Standing(1); len(got) != 4 {
		t.Errorf("standing: %v", got)
	}
	if l, ok := x.Find("a"); !ok || l.Priority != 5 {
		t.Errorf("find: %v", l)
	}
}

func TestEarlyDelivery(t *testing.T) {
	x := open(t, options(),
		warning("release", lesson.Trigger{Commands: []string{"npm publish"}, Keywords: []string{"version bump"}}),
		warning("agent", lesson.Trigger{Agents: []string{"tester"}, Keywords: []string{"version bump"}}),
		warning("edit", lesson.Trigger{Tools: []string{"Edit"}, Paths: []string{"**/go.sum"}}))
	if got := idsOf(x.Prompt("Please do a Version Bump now")); got != "release" {
		t.Errorf("prompt: %s", got)
	}
	if got := idsOf(x.Prompt("bump the version")); got != "" {
		t.Errorf("words apart: %s", got)
	}
	if got := idsOf(x.Starting("tester")); got != "agent" {
		t.Errorf("sub-agent: %s", got)
	}
	read := inject.Call{Tool: "Read", Paths: []string{"go.sum"}, Root: "/repo"}
	found := x.Match(read, patient)
	if got := ids(found); got != "edit" || found[0].Lesson.Action != "inform" {
		t.Errorf("read ahead of the edit: %s, which would not only inform", got)
	}
}

func TestAutoActionIsResolved(t *testing.T) {
	structural := lesson.Trigger{Commands: []string{"pytest"}}
	for name, c := range map[string]struct {
		change func(*lesson.Lesson, *compile.Options)
		want   string
	}{
		"by hand": {func(*lesson.Lesson, *compile.Options) {}, "stop-once"},
		"one session": {func(l *lesson.Lesson, _ *compile.Options) {
			l.Source, l.Seen.Sessions, l.Confidence = "obs_a", 1, 0.8
		}, "inform"},
		"declared, in a clone without the observation": {func(l *lesson.Lesson, _ *compile.Options) {
			l.Source, l.Seen.Sessions, l.Confidence = "obs_a", 1, 0.85
		}, "stop-once"},
		"two sessions": {func(l *lesson.Lesson, _ *compile.Options) { l.Source, l.Seen.Sessions = "obs_a", 2 }, "stop-once"},
		"little confidence": {func(l *lesson.Lesson, _ *compile.Options) {
			l.Source, l.Seen.Sessions, l.Confidence = "obs_a", 2, 0.69
		}, "inform"},
		"self-report": {func(l *lesson.Lesson, o *compile.Options) {
			l.Source, l.Seen.Sessions, l.Confidence = "obs_a", 1, 0.7
			o.SelfReported = func(id string) bool { return id == "obs_a" }
		}, "stop-once"},
		"no fix":          {func(l *lesson.Lesson, _ *compile.Options) { l.Body = "It hangs." }, "inform"},
		"keyword only":    {func(l *lesson.Lesson, _ *compile.Options) { l.Triggers = lesson.Trigger{Keywords: []string{"a"}} }, "inform"},
		"checklist":       {func(l *lesson.Lesson, _ *compile.Options) { l.Kind = lesson.Checklist }, "inform"},
		"capped":          {func(_ *lesson.Lesson, o *compile.Options) { o.Config.MaxAction = "inform" }, "inform"},
		"deny is capped":  {func(l *lesson.Lesson, _ *compile.Options) { l.Action = "deny" }, "stop-once"},
		"deny is allowed": {func(l *lesson.Lesson, o *compile.Options) { l.Action, o.Config.MaxAction = "deny", "deny" }, "deny"},
		"withdrawn": {func(l *lesson.Lesson, o *compile.Options) {
			l.Action = "stop-once"
			o.History = func(*lesson.Lesson) compile.History { return compile.History{State: compile.AfterFailure} }
		}, "after-failure"},
		"low": {func(l *lesson.Lesson, _ *compile.Options) { l.Priority = 3 }, "inform"},
		"low, with an action of its own": {func(l *lesson.Lesson, o *compile.Options) {
			l.Priority, l.Action, o.Config.MaxAction = 3, "deny", "deny"
		}, "inform"},
		"unknown is inform": {func(l *lesson.Lesson, _ *compile.Options) { l.Action = "explode" }, "inform"},
	} {
		o, l := options(), warning("x", structural)
		c.change(l, &o)
		got, ok := open(t, o, l).Lesson(0)
		if !ok || got.Action != c.want {
			t.Errorf("%s: %q, want %q", name, got.Action, c.want)
		}
		got, ok = openList(t, o, theirs(l)).Lesson(0)
		if !ok || !got.Unreviewed || got.Action != "inform" && got.Action != inject.ActionAfterFailure {
			t.Errorf("%s, of others: %+v", name, got)
		}
	}
}

func TestValidity(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*lesson.Lesson)
		in     bool
		until  string
	}{
		"always":           {func(*lesson.Lesson) {}, true, ""},
		"draft":            {func(l *lesson.Lesson) { l.Status = lesson.Draft }, false, ""},
		"archived":         {func(l *lesson.Lesson) { l.Status = lesson.Archived }, false, ""},
		"from today":       {func(l *lesson.Lesson) { l.ValidFrom = "2026-11-20" }, true, ""},
		"from tomorrow":    {func(l *lesson.Lesson) { l.ValidFrom = "2026-11-21" }, false, "2026-11-21"},
		"until today":      {func(l *lesson.Lesson) { l.ValidUntil = "2026-11-20" }, true, "2026-11-21"},
		"until yesterday":  {func(l *lesson.Lesson) { l.ValidUntil = "2026-11-19" }, false, ""},
		"expires":          {func(l *lesson.Lesson) { l.Expires = "2026-11-30" }, true, "2026-12-01"},
		"expired":          {func(l *lesson.Lesson) { l.Expires = "2025-01-01" }, false, ""},
		"tag reached":      {func(l *lesson.Lesson) { l.ValidFrom = "v1.0" }, true, ""},
		"tag ahead":        {func(l *lesson.Lesson) { l.ValidFrom = "v2.0" }, false, ""},
		"until tag":        {func(l *lesson.Lesson) { l.ValidUntil = "v1.0" }, false, ""},
		"superseded":       {func(l *lesson.Lesson) { l.SupersededBy = "other" }, false, ""},
		"superseded by ?":  {func(l *lesson.Lesson) { l.SupersededBy = "nobody" }, true, ""},
		"low confidence":   {func(l *lesson.Lesson) { l.Source, l.Confidence = "obs_a", 0.4 }, false, ""},
		"by hand, without": {func(l *lesson.Lesson) { l.Confidence = 0 }, true, ""},
	} {
		o := options()
		o.Reached = func(tag string) bool { return tag == "v1.0" }
		l, other := warning("x", lesson.Trigger{Commands: []string{"make"}}), warning("other", lesson.Trigger{})
		c.change(l)
		x := open(t, o, l, other)
		if _, in := x.Find("x"); in != c.in || x.Until != c.until {
			t.Errorf("%s: in %v until %q, want %v %q", name, in, x.Until, c.in, c.until)
		}
	}
}

func TestMistakesInTriggersNeverMakeThemBroader(t *testing.T) {
	for name, trigger := range map[string]lesson.Trigger{
		"lookahead":     {Tools: []string{"Bash"}, CommandPatterns: []string{`\bpytest\b(?!.*--no-header)`}, Keywords: []string{"a"}},
		"too long":      {Commands: []string{"make"}, CommandPatterns: []string{strings.Repeat("a", 1025)}},
		"too complex":   {Paths: []string{"**"}, Content: []string{`(\w{1,500}x){1,2}`}},
		"unless":        {Commands: []string{"make"}, Unless: []string{"("}},
		"outside":       {Tools: []string{"Bash"}, Paths: []string{"../x"}},
		"many braces":   {Paths: []string{strings.Repeat("{a,b}", 12) + "/**"}},
		"empty command": {Commands: []string{"# nothing"}, Paths: []string{"**"}},
	} {
		data, problems := compile.Compile(own(warning("x", trigger), warning("y", lesson.Trigger{Commands: []string{"make"}})), options())
		if len(problems) != 1 || problems[0].Path != ".lessons/x.md" {
			t.Errorf("%s: problems %v", name, problems)
		}
		x, err := inject.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		c := bash("make x.go && pytest -v")
		c.Content, c.Recent = "aaa", []string{"a"}
		if got := ids(x.Match(c, patient)); got != "y" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestWhatHistoryStopsIsNotCalledLow: what an agent and a person read at a stop names the
// priority by which the lesson stops.
func TestWhatHistoryStopsIsNotCalledLow(t *testing.T) {
	o, l := options(), warning("a", lesson.Trigger{Commands: []string{"pytest"}})
	l.Priority = 3
	o.History = func(*lesson.Lesson) compile.History { return compile.History{State: compile.Stops} }
	got, ok := open(t, o, l).Lesson(0)
	if !ok || got.Action != "stop-once" || !strings.HasPrefix(got.Text, "MEDIUM warning: ") || !strings.HasPrefix(got.Summary, "MEDIUM warning: ") {
		t.Errorf("%+v", got)
	}
}

func TestLanguageTagsRaiseThePriority(t *testing.T) {
	o := options()
	o.Languages = []string{"go"}
	a, b := warning("a", lesson.Trigger{}), warning("b", lesson.Trigger{})
	a.Tags, b.Tags = []string{"lang:python"}, []string{"lang:Go", "lang:go"}
	b.Priority = 10
	x := open(t, o, a, b)
	if l, _ := x.Find("a"); l.Priority != 7 {
		t.Errorf("python: %d", l.Priority)
	}
	if l, _ := x.Find("b"); l.Priority != 10 {
		t.Errorf("go: %d", l.Priority)
	}
	b.Priority = 7
	if l, _ := open(t, o, a, b).Find("b"); l.Priority != 8 {
		t.Errorf("go: %d", l.Priority)
	}
}

// Patterns that are slow on purpose end with the budget, and what needs no
// pattern is still found.
func TestPatternBudgetStopsAndKeepsTheRest(t *testing.T) {
	var lessons []*lesson.Lesson
	for i := range 200 {
		l := warning(fmt.Sprintf("slow%03d", i), lesson.Trigger{Paths: []string{"**/*.txt"}, Content: []string{fmt.Sprintf(`(x+x+)+(a|b|[cd]|e?){%d}[yz]`, 100+i)}})
		l.Priority = 9
		lessons = append(lessons, l)
	}
	lessons = append(lessons, warning("plain", lesson.Trigger{Paths: []string{"**/*.txt"}}), warning("unless", lesson.Trigger{Paths: []string{"**/*.txt"}, Unless: []string{"--x"}}))
	x := open(t, options(), lessons...)
	c := inject.Call{Tool: "Write", Paths: []string{"a.txt"}, Root: "/repo", Content: strings.Repeat("x", 16<<10)}
	var got string
	if took := cputime.Of(func() { got = ids(x.Match(c, inject.Options{})) }); took > 500*time.Millisecond {
		t.Errorf("took %v", took)
	}
	if got != "plain unless" {
		t.Errorf("found %s", got)
	}
	out := slices.ContainsFunc(x.Explain(c, inject.Options{}), func(m inject.Match) bool { return strings.Contains(why(m), "time for patterns") })
	if !out {
		t.Error("nothing says that the time was used up")
	}
}

// What nobody reviewed takes the place of nothing that is trusted: not by its id, and not
// as the lesson that follows another one.
func TestWhatNobodyReviewedHidesNothing(t *testing.T) {
	trigger := lesson.Trigger{Commands: []string{"make"}}
	old, same, next := warning("old", trigger), warning("old", trigger), warning("next", trigger)
	old.SupersededBy, same.Title, next.Priority = "next", "Another", 10
	x := openList(t, options(), provenance.Parted([]*lesson.Lesson{old}, []*lesson.Lesson{same, next}))
	found := x.Match(inject.Call{Tool: "Bash", Command: "make"}, patient)
	if got := ids(found); got != "old next" || found[0].Lesson.Unreviewed || !found[1].Lesson.Unreviewed || found[0].Lesson.Title != "Title of old" {
		t.Errorf("found %s: %+v", got, found)
	}
}
