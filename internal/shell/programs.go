package shell

import (
	"slices"
	"strings"
)

// subDepth says how many of a program's first words choose what it does.
var subDepth = map[string]int{
	"git": 1, "gh": 2, "glab": 2, "go": 1, "npm": 1, "pnpm": 1, "yarn": 1, "bun": 1, "cargo": 1, "rustup": 1, "docker": 1,
	"docker-compose": 1, "podman": 1, "kubectl": 1, "helm": 1, "pip": 1, "pip3": 1, "uv": 1, "poetry": 1, "pipenv": 1,
	"brew": 1, "apt": 1, "apt-get": 1, "dnf": 1, "yum": 1, "apk": 1, "systemctl": 1, "terraform": 1, "tofu": 1, "pulumi": 1,
	"aws": 2, "gcloud": 2, "az": 2, "make": 1, "mise": 1, "just": 1, "bundle": 1, "rails": 1, "rake": 1, "mix": 1, "dotnet": 1,
	"golangci-lint": 1, "deno": 1, "nx": 1, "turbo": 1, "claude": 1, "wrangler": 1, "jj": 1, "hg": 1, "swift": 1, "flutter": 1,
	"conda": 1, "gradle": 1, "gradlew": 1, "mvn": 1, "composer": 1, "php": 0, "vercel": 1, "fly": 1, "heroku": 1, "tmux": 1,
	"alembic": 1, "prisma": 2, "lessons": 1, "gem": 1, "pre-commit": 1, "nix": 1, "lerna": 1, "rush": 1, "bazel": 1, "buck2": 1,
}

// deeper are a program's sub-commands whose next word chooses too.
var deeper = map[string][]string{
	"npm": {"run"}, "pnpm": {"run"}, "yarn": {"run"}, "bun": {"run"}, "mise": {"run"}, "go": {"mod", "tool", "work"},
	"docker": {"compose", "container", "image", "volume"}, "git": {"remote", "stash", "worktree", "submodule", "bisect"},
	"uv": {"pip", "tool"}, "terraform": {"state", "workspace"}, "cargo": {"nextest"}, "kubectl": {"config", "rollout"},
	"helm": {"repo"}, "poetry": {"env"}, "dotnet": {"tool"},
}

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

// HasSubcommands says whether the first words of a program choose what it does.
func HasSubcommands(program string) bool { return subDepth[program] > 0 }

// wrapper says how a program that runs another one takes its own words.
type wrapper struct {
	operands int    // words of its own before the command
	values   string // its flags that take the next word, separated by spaces
	env      bool   // takes NAME=value
	own      bool   // its status is not that of what it runs
}

var wrappers = map[string]wrapper{
	"sudo":       {values: "-u -g -h -p -C -D -R -T -U -r -t --user --group --host --prompt --chdir", env: true},
	"doas":       {values: "-u -C"},
	"env":        {values: "-u -C --unset --chdir", env: true},
	"nice":       {values: "-n --adjustment"},
	"ionice":     {values: "-c -n -p --class --classdata"},
	"nohup":      {},
	"setsid":     {},
	"time":       {values: "-f -o --format --output"},
	"gtime":      {values: "-f -o"},
	"command":    {},
	"exec":       {values: "-a"},
	"builtin":    {},
	"timeout":    {operands: 1, values: "-k -s --kill-after --signal"},
	"gtimeout":   {operands: 1, values: "-k -s --kill-after --signal"},
	"xargs":      {own: true, values: "-I -n -P -L -d -E -a -s --max-args --max-procs --max-lines --delimiter --arg-file --replace"},
	"stdbuf":     {values: "-i -o -e --input --output --error"},
	"arch":       {values: "-e -d"},
	"unbuffer":   {},
	"strace":     {values: "-e -o -p -s"},
	"ltrace":     {values: "-e -o -p -s"},
	"watch":      {own: true, values: "-n --interval"},
	"flock":      {operands: 1, values: "-w -E --timeout"},
	"taskset":    {operands: 1},
	"chrt":       {operands: 1},
	"chroot":     {operands: 1},
	"parallel":   {own: true, values: "-j --jobs"},
	"rtk":        {},
	"caffeinate": {values: "-t -w"},
}

// isFinder says whether a program runs commands by -exec.
func isFinder(name string) bool { return name == "find" || name == "fd" }

// launched knows the programs of package managers that run another one.
func launched(name string, ws []word) int {
	runs := func(words ...string) bool { return len(ws) > 1 && !ws[1].dynamic && slices.Contains(words, ws[1].text) }
	skip := 2
	switch name {
	case "npx", "bunx", "uvx", "pnpx":
		skip = 1
	case "pipx", "rye", "hatch", "uv", "poetry", "pdm", "pipenv":
		if !runs("run") {
			return 0
		}
	case "pnpm", "yarn":
		if !runs("dlx", "exec") {
			return 0
		}
	case "npm", "bundle", "mise", "rbenv", "direnv":
		if !runs("exec") {
			return 0
		}
	case "bun":
		if !runs("x") {
			return 0
		}
	default:
		if isPython(name) {
			return pythonModule(ws)
		}
		return 0
	}
	for skip < len(ws) && strings.HasPrefix(ws[skip].text, "-") {
		if takesNext("-p --package --with --from --python --extra --group --directory --project", ws[skip].text) {
			skip++
		}
		skip++
	}
	if name == "direnv" {
		skip++
	}
	return skip
}

func isPython(name string) bool {
	switch name {
	case "python", "py", "pypy", "pypy3", "python2":
		return true
	}
	return strings.HasPrefix(name, "python3")
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
