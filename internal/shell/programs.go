package shell

import "strings"

// program says how a program takes its words.
type program struct {
	depth  int    // how many of its first words choose what it does
	deeper string // first words behind which the next one chooses too
	runs   *runs  // what it runs that has arguments of its own; nil: nothing
}

// runs says where a program names what it runs: a script, a package script, a
// goal. Flags and operands behind "--" are those of the target.
type runs struct {
	behind  string // the first words behind which the target stands; none: it is the first word
	values  string // flags before the target that take the next word
	named   string // flags that name the target
	flagged bool   // no word does
	code    string // flags that bring a program text instead: letters, or whole words behind a space
	rest    bool   // all that stands behind the target is the target's
	file    bool   // the target is a file
}

var (
	python = &runs{values: "-W -X", code: "c", rest: true, file: true}
	node   = &runs{values: "-r --require --import --loader -C --conditions --env-file", code: "ep --eval --print", rest: true, file: true}
	bash   = &runs{values: "-o -O +o +O --rcfile --init-file", code: "c", rest: true, file: true}
	others = &runs{code: "eE", values: "-I -r", rest: true, file: true}
	goals  = &runs{}
)

const packageScripts = "run run-script"

// knownPrograms are those whose first words choose what they do, and those that run a
// script.
var knownPrograms = map[string]program{
	"git": {depth: 1, deeper: "remote stash worktree submodule bisect"}, "gh": {depth: 2}, "glab": {depth: 2}, "hg": {depth: 1}, "jj": {depth: 1},
	"go":    {depth: 1, deeper: "mod tool work run", runs: &runs{behind: "run", values: "-C -tags -exec -p -mod -modfile -gcflags -ldflags -asmflags -overlay -pgo -covermode -coverpkg", rest: true}},
	"npm":   {depth: 1, deeper: packageScripts, runs: &runs{behind: packageScripts, values: "-w --workspace --prefix"}},
	"pnpm":  {depth: 1, deeper: packageScripts, runs: &runs{behind: packageScripts, values: "-F --filter -C --dir", rest: true}},
	"yarn":  {depth: 1, deeper: packageScripts, runs: &runs{behind: packageScripts, rest: true}},
	"bun":   {depth: 1, deeper: packageScripts, runs: &runs{behind: packageScripts, values: "-F --filter --cwd", rest: true, file: true}},
	"deno":  {depth: 1, deeper: "run task", runs: &runs{behind: "run task", values: "-c --config --import-map", rest: true}},
	"cargo": {depth: 1, deeper: "nextest", runs: &runs{behind: "run r", named: "--bin --example", flagged: true}}, "rustup": {depth: 1},
	"dotnet": {depth: 1, deeper: "tool", runs: &runs{behind: "run", named: "--project", flagged: true}},
	"docker": {depth: 1, deeper: "compose container image volume"}, "docker-compose": {depth: 1}, "podman": {depth: 1},
	"kubectl": {depth: 1, deeper: "config rollout"}, "helm": {depth: 1, deeper: "repo"},
	"pip": {depth: 1}, "pip3": {depth: 1}, "uv": {depth: 1, deeper: "pip tool"}, "poetry": {depth: 1, deeper: "env"}, "pipenv": {depth: 1},
	"conda": {depth: 1}, "alembic": {depth: 1}, "pre-commit": {depth: 1},
	"brew": {depth: 1}, "apt": {depth: 1}, "apt-get": {depth: 1}, "dnf": {depth: 1}, "yum": {depth: 1}, "apk": {depth: 1}, "nix": {depth: 1}, "systemctl": {depth: 1},
	"terraform": {depth: 1, deeper: "state workspace"}, "tofu": {depth: 1}, "pulumi": {depth: 1}, "aws": {depth: 2}, "gcloud": {depth: 2}, "az": {depth: 2},
	"vercel": {depth: 1}, "fly": {depth: 1}, "heroku": {depth: 1}, "wrangler": {depth: 1}, "prisma": {depth: 2},
	"make": {depth: 1, runs: goals}, "gmake": {depth: 1, runs: goals}, "just": {depth: 1, runs: &runs{values: "-f --justfile -d --working-directory", rest: true}},
	"task": {depth: 1, runs: goals}, "rake": {depth: 1, runs: goals}, "mise": {depth: 1, deeper: "run", runs: &runs{behind: "run", rest: true}},
	"bundle": {depth: 1}, "rails": {depth: 1}, "gem": {depth: 1}, "mix": {depth: 1}, "composer": {depth: 1}, "swift": {depth: 1}, "flutter": {depth: 1},
	"gradle": {depth: 1}, "gradlew": {depth: 1}, "mvn": {depth: 1, runs: goals}, "mvnw": {runs: goals}, "bazel": {depth: 1}, "buck2": {depth: 1},
	"nx": {depth: 1}, "turbo": {depth: 1}, "lerna": {depth: 1}, "rush": {depth: 1},
	"golangci-lint": {depth: 1}, "claude": {depth: 1}, "lessons": {depth: 1}, "tmux": {depth: 1},
	"python": {runs: python}, "node": {runs: node}, "nodejs": {runs: node}, "tsx": {runs: node}, "ts-node": {runs: node},
	"bash": {runs: bash}, "sh": {runs: bash}, "zsh": {runs: bash}, "dash": {runs: bash}, "ksh": {runs: bash}, "ash": {runs: bash},
	"ruby": {runs: others}, "perl": {runs: others}, "Rscript": {runs: others}, "lua": {runs: others}, "julia": {runs: others}, "elixir": {runs: others},
	"php":  {runs: &runs{values: "-d -c", code: "r", rest: true, file: true}},
	"java": {runs: &runs{values: "-cp -classpath --class-path -p --module-path", named: "-jar", rest: true}},
}

func programOf(name string) program {
	if p, ok := knownPrograms[name]; ok || !isPython(name) {
		return p
	}
	return knownPrograms["python"]
}

func isPython(name string) bool {
	switch name {
	case "python", "py", "pypy", "pypy3", "python2":
		return true
	}
	return strings.HasPrefix(name, "python3")
}

// takesNext says whether a flag before the target takes the next word: -o, and
// as the last letter of a bundle.
func (r *runs) takesNext(flag string) bool {
	return takesNext(r.values, flag) || isBundle(flag) && takesNext(r.values, "-"+flag[len(flag)-1:])
}

// brings says whether a flag brings a program text, alone or as the last letter
// of a bundle.
func (r *runs) brings(flag string) bool {
	letters, whole, _ := strings.Cut(r.code, " ")
	if strings.HasPrefix(flag, "--") {
		return takesNext(whole, flag)
	}
	return isBundle(flag) && strings.IndexByte(letters, flag[len(flag)-1]) >= 0
}

// HasSubcommands says whether the first words of a program choose what it does.
func HasSubcommands(program string) bool { return knownPrograms[program].depth > 0 }

// RunsPackageScripts says whether a program's "run" only leads to a script of the package.
func RunsPackageScripts(program string) bool { return knownPrograms[program].deeper == packageScripts }

// globalValues are flags before the sub-command that take the next word.
const globalValues = "-C -c -n -f --git-dir --work-tree --namespace -R --repo --prefix --cwd --directory --project --context --kubeconfig --profile --region --filter -F --manifest-path"

// composeValues are flags between "docker compose" and its sub-command that
// take the next word.
const composeValues = "-f -p --file --project-name --env-file --profile --project-directory"

// takesText says whether the word behind a flag is a text that people wrote.
func takesText(program, flag string) bool {
	switch program {
	case "git", "hg", "jj", "svn":
		return flag == "-m" || flag == "-am" || flag == "--message"
	case "gh", "glab":
		return flag == "--title" || flag == "--body" || flag == "--message" || flag == "--notes"
	}
	return false
}

func takesNext(values, flag string) bool {
	for v := range strings.FieldsSeq(values) {
		if v == flag {
			return true
		}
	}
	return false
}

// HasLongFlags says whether a program's long flags have one dash, so that
// "-timeout" is no bundle of letters.
func HasLongFlags(program string) bool {
	switch program {
	case "go", "find", "java", "javac", "terraform", "tofu", "gcc", "g++", "clang", "ffmpeg", "convert", "magick", "xcodebuild", "openssl", "staticcheck", "gofmt":
		return true
	}
	return false
}

// isBundle says whether a flag is one dash and letters.
func isBundle(flag string) bool {
	return len(flag) > 1 && flag[0] == '-' && !strings.ContainsFunc(flag[1:], func(r rune) bool { return (r|0x20) < 'a' || (r|0x20) > 'z' })
}

// isHarmless says whether a program prepares or prints, so that its failure does
// not matter.
func isHarmless(program string) bool {
	switch program {
	case "cd", "pushd", "popd", "export", "set", "unset", "source", ".", "echo", "printf", "true", ":", "sleep", "mkdir", "rm", "touch", "pwd", "alias", "trap", "ulimit",
		"umask", "shopt", "date", "clear", "local", "declare", "readonly", "wait", "kill", "pkill":
		return true
	}
	return false
}
