package shell

import (
	"strings"
	"testing"
)

// ran renders what a line runs: programs with sub-commands and operands,
// without the wrappers.
func ran(line *Line) string {
	var parts []string
	for _, c := range line.Commands {
		parts = append(parts, strings.Join(append([]string{c.Name()}, c.Operands...), " "))
	}
	return strings.Join(parts, " | ")
}

// programs are lines and what they run.
var programs = []struct{ line, want string }{
	// Plain commands.
	{"pytest", "pytest"},
	{"  pytest  ", "pytest"},
	{"pytest -v tests/a.py tests/b.py", "pytest tests/a.py tests/b.py"},
	{"/usr/bin/pytest x", "pytest x"},
	{"./gradlew test --info", "gradlew test"},
	{".venv/bin/python manage.py migrate", "python manage.py migrate"},
	{"git status", "git status"},
	{"git -C sub status", "git status"},
	{"git --no-pager log -n 3", "git log 3"},
	{"git -c user.name=x commit -m y", "git commit y"},
	{"git push origin main --force", "git push origin main"},
	{"git stash pop", "git stash pop"},
	{"git remote add origin url", "git remote add origin url"},
	{"git checkout -- a.txt b.txt", "git checkout a.txt b.txt"},
	{"git checkout -b feature/x", "git checkout feature/x"},
	{"gh pr create --fill", "gh pr create"},
	{"gh api repos/x/y", "gh api repos/x/y"},
	{"go test ./... -run TestX", "go test ./... TestX"},
	{"go mod tidy", "go mod tidy"},
	{"go run .", "go run ."},
	{"npm run build -- --watch", "npm run build"},
	{"npm ci", "npm ci"},
	{"yarn", "yarn"},
	{"docker compose up -d web", "docker compose up web"},
	{"docker run --rm nginx:1 sh", "docker run nginx:1 sh"},
	{"kubectl get pods -n prod", "kubectl get pods prod"},
	{"kubectl -n prod get pods", "kubectl get pods"},
	{"cargo build --release", "cargo build"},
	{"make -j4 all", "make all"},
	{"make", "make"},
	{"aws s3 cp a b", "aws s3 cp a b"},
	{"terraform plan -out=x", "terraform plan"},
	{"rm -rf build", "rm build"},
	{"cp -r a/ b/", "cp a/ b/"},
	{"ls", "ls"},
	{"git.exe status", "git status"},
	{".exe status", ".exe status"},
	{`C:\\tools\\Git.EXE status`, "git status"},

	// Quoted words are data, and one word.
	{"git commit -m 'fix pytest'", "git commit fix pytest"},
	{`git commit -m "run pytest && ls"`, "git commit run pytest && ls"},
	{`echo "a; b | c > d"`, "echo a; b | c > d"},
	{`echo 'it'"'"'s'`, "echo it's"},
	{`echo a\ b`, "echo a b"},
	{`echo "a\"b"`, `echo a"b`},
	{`echo '\n'`, `echo \n`},
	{`'git' "status"`, "git status"},
	{`g"i"t status`, "git status"},
	{`touch "my file.txt"`, "touch my file.txt"},
	{`echo ""`, "echo"},
	{`grep -n "func main" main.go`, "grep func main main.go"},
	{`echo \; ls`, "echo ; ls"},
	{`printf '%s\n' "pytest"`, `printf %s\n pytest`},
	{`jq '.a | .b' x.json`, "jq .a | .b x.json"},
	{"awk '{print $1}' f", "awk {print $1} f"},

	// Lists, pipes, background.
	{"a; b", "a | b"},
	{"a && b || c", "a | b | c"},
	{"a & b", "a | b"},
	{"a | b |& c", "a | b | c"},
	{"a\nb", "a | b"},
	{"a &&\nb", "a | b"},
	{"a \\\n  b", "a b"},
	{"! a", "a"},
	{"cd src && pytest", "cd src | pytest"},
	{"cat a.txt | grep x | wc -l", "cat a.txt | grep x | wc"},
	{"a;b;", "a | b"},

	// Environment.
	{"TERM=dumb pytest -v", "pytest"},
	{"A=1 B='x y' make all", "make all"},
	{"A=1", ""},
	{"A=1; make", "make"},
	{"env", "env"},
	{"env A=1 make all", "make all"},
	{"env -i A=1 make", "make"},
	{"env -u HOME make", "make"},
	{"env -- make all", "make all"},
	{"export A=1 && make", "export A=1 | make"},
	{"A=$(git rev-parse HEAD) make", "make | git rev-parse HEAD"},
	{"PATH=$PATH:/x tool y", "tool y"},

	// Wrappers.
	{"sudo apt install x", "apt install x"},
	{"sudo -u bob -E psql db", "psql db"},
	{"sudo A=1 make", "make"},
	{"sudo -- rm x", "rm x"},
	{"doas rm x", "rm x"},
	{"timeout 30 pytest", "pytest"},
	{"timeout -s KILL 30s pytest x", "pytest x"},
	{"timeout --signal=KILL 30 pytest", "pytest"},
	{"gtimeout 5 ls", "ls"},
	{"nice -n 10 make all", "make all"},
	{"nohup server --port 80 &", "server 80"},
	{"time make all", "make all"},
	{"/usr/bin/time -v make", "make"},
	{"command ls a", "ls a"},
	{"command -v pytest", "command pytest"},
	{"exec bash", "bash"},
	{"stdbuf -oL make", "make"},
	{"stdbuf -o L make", "make"},
	{"setsid -f server", "server"},
	{"flock /tmp/l make all", "make all"},
	{"watch -n 1 ls dir", "ls dir"},
	{"sudo env A=1 timeout 3 nice make x", "make x"},
	{"sudo", "sudo"},
	{"strace -f -e open ls a", "ls a"},
	{"which pytest", "which pytest"},
	{"man pytest", "man pytest"},

	// xargs and find.
	{"ls | xargs rm", "ls | rm"},
	{"ls | xargs -n 1 -P 4 git add", "ls | git add"},
	{"ls | xargs -I {} mv {} out", "ls | mv {} out"},
	{"git ls-files -z | xargs -0 grep foo", "git ls-files | grep foo"},
	{"ls | xargs", "ls | xargs"},
	{`find . -name '*.py' -exec rm -f {} \;`, "rm {}"},
	{"find . -type f -exec grep -l x {} +", "grep x {}"},
	{"find src -name a.go", "find src a.go"},
	{"fd -e py -x black", "black"},

	// Shells in shells.
	{"bash -c 'pytest -v x'", "pytest x"},
	{`sh -c "cd a && make"`, "cd a | make"},
	{"bash -lc 'npm test'", "npm test"},
	{"bash -euo pipefail -c 'make all'", "make all"},
	{"bash -c \"bash -c 'ls a'\"", "ls a"},
	{"bash script.sh arg", "bash script.sh arg"},
	{"bash", "bash"},
	{"eval 'git push'", "git push"},
	{"eval git push", "git push"},
	{`bash -c "$CMD"`, "bash"},
	{"sudo bash -c 'rm x'", "rm x"},
	{"zsh -ic 'ls a'", "ls a"},
	{"su - bob -c 'ls a'", "ls a"},

	// Launchers.
	{"python -m pytest x", "pytest x"},
	{"python3 -m pip install x", "pip install x"},
	{"python3.12 -u -m http.server 80", "http.server 80"},
	{"python script.py -m x", "python script.py x"},
	{"python -c 'import pytest'", "python import pytest"},
	{"npx jest a.test.js", "jest a.test.js"},
	{"npx --yes prettier --write a.ts", "prettier a.ts"},
	{"npx -p typescript tsc x", "tsc x"},
	{"pnpm dlx create-app x", "create-app x"},
	{"pnpm exec tsc", "tsc"},
	{"npm exec -- tsc -p .", "tsc ."},
	{"npm exec tsc -- -p x", "tsc x"},
	{"arch -arm64 brew install x", "brew install x"},
	{"docker compose -f dev.yml start -d web", "docker compose start web"},
	{"git stash --keep-index wip", "git stash wip"},
	{"git commit -m --amend", "git commit --amend"},
	{"uv run pytest x", "pytest x"},
	{"uv run --with rich python a.py", "python a.py"},
	{"uv pip install x", "uv pip install x"},
	{"poetry run pytest", "pytest"},
	{"nix develop -c cargo build", "cargo build"},
	{"nix develop .#ci --command cargo test --workspace", "cargo test"},
	{"nix build .#x", "nix build .#x"},
	{"conda run -n geo python fit.py", "python fit.py"},
	{"bundle exec rspec a_spec.rb", "rspec a_spec.rb"},
	{"uvx ruff check .", "ruff check ."},
	{"npm run pytest", "npm run pytest"},

	// Heredocs and here-strings.
	{"cat <<EOF\npytest\nEOF", "cat"},
	{"cat > run.sh <<'EOF'\npytest -v\nrm x\nEOF", "cat"},
	{"cat <<-EOF\n\tpytest\n\tEOF\nls", "cat | ls"},
	{"cat <<A <<B\nx\nA\ny\nB", "cat"},
	{"python - <<'EOF'\nimport os\nEOF", "python -"},
	{"bash <<'EOF'\npytest x\nEOF", "pytest x"},
	{"bash -s <<EOF\nmake all\nEOF", "make all"},
	{"psql <<SQL\nDROP TABLE x;\nSQL", "psql"},
	{"grep x <<< 'pytest y'", "grep x"},
	{"bash <<< 'make all'", "make all"},
	{"cat <<EOF\n$(git log)\nEOF", "cat | git log"},
	{"cat <<'EOF'\n$(git log)\nEOF", "cat"},
	{"git commit -F - <<EOF\nfix pytest\nEOF", "git commit -"},

	// Subshells, substitutions, groups.
	{"(cd a; make)", "cd a | make"},
	{"{ a; b; }", "a | b"},
	{"echo $(git rev-parse HEAD)", "echo | git rev-parse HEAD"},
	{"echo `git rev-parse HEAD`", "echo | git rev-parse HEAD"},
	{`echo "now $(date -u)"`, "echo | date"},
	{"diff <(sort a) <(sort b)", "diff | sort a | sort b"},
	{"tee >(gzip > x)", "tee | gzip"},
	{"echo $((1 + 2))", "echo"},
	{"$CMD arg", ""},
	{"rm $DIR/x y", "rm y"},
	{"rm ~/x", "rm ~/x"},
	{"rm *.o", "rm *.o"},

	// Control flow.
	{"if pytest; then echo ok; else echo no; fi", "pytest | echo ok | echo no"},
	{"for f in *.go; do gofmt -w $f; done", "gofmt"},
	{"while read l; do echo x; done < f", "read l | echo x"},
	{"until curl -s url; do sleep 1; done", "curl url | sleep 1"},
	{"case $x in a) make a;; *) make b;; esac", "make a | make b"},
	{"[ -f x ] && rm x", "[ x ] | rm x"},
	{"[[ -f x ]] && rm x", "rm x"},

	// Functions.
	{"f() { git push; }; f", "git push"},
	{"f() { git push; }; ls", "ls"},
	{"function f { make; }; f x", "make"},
	{"f() { g; }; g() { make; }; f", "make"},
	{"pytest() { echo no; }; pytest", "echo no"},

	// Comments.
	{"# pytest", ""},
	{"ls # pytest", "ls"},
	{"ls #pytest\nmake", "ls | make"},
	{"echo a#b", "echo a#b"},
	{"#!/bin/bash\nmake", "make"},

	// Redirections.
	{"make > out.log 2>&1", "make"},
	{"> out.log make all", "make all"},
	{"make &> out", "make"},
	{"sort < in > out", "sort"},
	{"2>/dev/null ls a", "ls a"},

	// Other scripts.
	{"echo grüße | grep ü", "echo grüße | grep ü"},
	{"cat 文件.txt", "cat 文件.txt"},
	{"touch 'привет мир.md'", "touch привет мир.md"},
	{"größe --x", "größe"},
	{"echo 🎉 && ls", "echo 🎉 | ls"},

	// What is no shell.
	{"", ""},
	{"   \n ", ""},
	{"ls 'unclosed", "ls unclosed"},
	{"if true; then", "true"},
	{"ls | ", "ls"},
	{"rm (x", "rm | x"},
	{"cat <<EOF\npytest\nrm x", "cat"},
	{"Get-ChildItem -Path C:\\x | ForEach-Object { $_.Name", "Get-ChildItem C:x | ForEach-Object {"},
	{"))) pytest", "pytest"},
}

func TestProgramAndOperandsOfCommands(t *testing.T) {
	for _, c := range programs {
		if got := ran(Parse(c.line)); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.line, got, c.want)
		}
	}
}

func TestEnvironmentDirectoryAndRedirections(t *testing.T) {
	last := func(line string) *Command {
		all := Parse(line).All
		if len(all) == 0 {
			t.Fatalf("%q: nothing", line)
		}
		return all[len(all)-1]
	}
	for line, want := range map[string]string{
		"A=1 B=2 make":                     "A=1 B=2",
		"export A=1; make":                 "A=1",
		"(export A=1); make":               "",
		"env A=1 bash -c 'B=2 make'":       "A=1 B=2",
		"A=1 timeout 3 make":               "A=1",
		"A=$X make":                        "",
		"sudo -E A='x y' make":             "A=x y",
		"export A=1; bash -c 'export B=2'": "A=1",
	} {
		if got := strings.Join(last(line).Env, " "); got != want {
			t.Errorf("%q: environment %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"cd a && make":           "a",
		"cd a; cd b; make":       "a/b",
		"cd /x && cd y && make":  "/x/y",
		"(cd a) && make":         "",
		"cd a && cd .. && make":  "",
		"cd - && make":           "",
		"cd $X && make":          "",
		"bash -c 'cd a; make'":   "a",
		"cd a; (cd b; true); ls": "a",
	} {
		if got := last(line).Dir; got != want && !(got == "." && want == "") {
			t.Errorf("%q: folder %q, want %q", line, got, want)
		}
	}
	c := last("sudo make all > a.log 2>> b.log < in 2>&1")
	if got := strings.Join(c.Redirects, " "); got != "a.log b.log in" {
		t.Errorf("redirections %q", got)
	}
	if c.Wrappers[0] != "sudo" || !strings.HasPrefix(c.Source, "sudo make") {
		t.Errorf("wrappers %v of %q", c.Wrappers, c.Source)
	}
}
