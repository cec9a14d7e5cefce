package scan

import (
	"slices"
	"strings"
	"unicode"
)

// related says whether two commands of one program can have one purpose: the
// same sub-command or one of nearly the same name, or something in common that
// they work on.
func related(a, b *shellCommand) bool {
	n := commonPrefix(a.sub, b.sub)
	if n == len(a.sub) || n == len(b.sub) {
		return true
	}
	if nearWords(a.sub[n], b.sub[n]) {
		return true
	}
	shared := func(x, y []string) bool {
		return slices.ContainsFunc(x, func(t string) bool { return slices.Contains(y, t) })
	}
	return shared(a.flags, b.flags) || shared(a.operands, b.operands) || shared(a.sub[n:], b.operands) || shared(a.operands, b.sub[n:])
}

// nearWords says whether one word is the other with a few letters more or less
// at its end.
func nearWords(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n >= 3 && n >= len(a)-1 && len(b)-n <= 3
}

// sameKind says whether a line runs a tool of the same language for work of the
// same sort: the compiler itself where the script that calls it cannot start.
func sameKind(bad *shellCommand, script *shellScript) bool {
	kind := toolKinds[bad.program]
	work := func(c *shellCommand) bool { p := purposeOf(c); return p == builds || p == tests || p == lints }
	return kind != "" && work(bad) && slices.ContainsFunc(scriptCommands(script), func(c *shellCommand) bool {
		return toolKinds[c.program] == kind && work(c)
	})
}

// toolKinds groups the tools of one language.
var toolKinds = kinds(map[string]string{
	"js":     "npm pnpm yarn bun npx bunx node deno tsc tsx ts-node jest vitest mocha ava karma cypress playwright eslint biome prettier vite webpack rollup esbuild next turbo nx",
	"python": "python python3 pip pip3 uv poetry pdm pipenv tox nox pytest mypy pyright ruff flake8 black pylint",
	"go":     "go golangci-lint gofmt gofumpt staticcheck gotestsum", "rust": "cargo rustc rustfmt", "jvm": "mvn mvnw gradle gradlew javac java kotlinc sbt",
	"ruby": "bundle rake rspec rails rubocop ruby", "elixir": "mix elixir", "dotnet": "dotnet msbuild", "php": "composer php phpunit pest phpstan",
	"c": "make gmake cmake ninja ctest gcc g++ clang clang++ bazel meson", "swift": "swift xcodebuild", "dart": "dart flutter",
})

func kinds(words map[string]string) map[string]string {
	kind := map[string]string{}
	for k, programs := range words {
		for _, p := range strings.Fields(programs) {
			kind[p] = k
		}
	}
	return kind
}

// hintsAt says whether the error names the command that was run instead.
func hintsAt(f *fault, c *shellCommand) bool {
	return len(c.sub) > 0 && strings.Contains(f.hint, c.name())
}

// spelling is a command's name without the difference between a program with a
// hyphen and one with a sub-command.
func spelling(c *shellCommand) string { return strings.ReplaceAll(c.name(), "-", " ") }

// misspelt says whether two commands differ in a letter or two of what they do.
func misspelt(a, b *shellCommand) bool {
	return sameProgram(a, b) && len(a.sub) > 0 && len(b.sub) > 0 && nearWords(a.sub[0], b.sub[0])
}

// sameSource says whether two commands are written alike, quotes included.
func sameSource(a, b *shellCommand) bool {
	return onOneLine(a.source) == onOneLine(b.source)
}

// sharePath says whether a line works on a file that the command worked on.
func sharePath(c *shellCommand, script *shellScript) bool {
	for _, g := range scriptCommands(script) {
		for _, o := range c.operands {
			if strings.ContainsAny(o, "./") && slices.Contains(g.operands, o) && !onlyShows(g) {
				return true
			}
		}
	}
	return false
}

// onlyShows says whether a command only shows what is there.
func onlyShows(c *shellCommand) bool {
	return c != nil && (plumbing[c.program] || showsText(c) || lists[c.name()])
}

// lists are more sub-commands that look.
var lists = map[string]bool{"git stash list": true, "git remote": true, "git worktree list": true, "npm ls": true, "npm list": true, "pip list": true, "pip show": true, "cargo tree": true, "go list": true, "go env": true, "brew list": true, "mise ls": true, "helm list": true, "terraform output": true, "git add": true}

// onlyLooks says whether a line does nothing but look.
func onlyLooks(script *shellScript) bool {
	return !slices.ContainsFunc(scriptCommands(script), func(c *shellCommand) bool { return !onlyShows(c) })
}

// onlyPlumbing says whether a line does nothing but list and show.
func onlyPlumbing(script *shellScript) bool {
	return !slices.ContainsFunc(scriptCommands(script), func(c *shellCommand) bool {
		return !plumbing[c.program] && c.program != "ls" && c.program != "find" && c.program != "which" && c.program != "tree"
	})
}

// stepsDiffer says whether two lines run the same command beside other ones: a
// different folder, another file sourced before it.
func stepsDiffer(wrong, right *Step, bad *shellCommand) bool {
	words := func(s *Step) []string {
		var all []string
		for _, c := range scriptCommands(s.script()) {
			if c.program != bad.program && prepares[c.program] {
				all = append(all, c.source)
			}
		}
		return all
	}
	return !slices.Equal(words(wrong), words(right))
}

// prepares are programs that set the scene for the command behind them.
var prepares = map[string]bool{"cd": true, "pushd": true, "source": true, ".": true, "export": true, "set": true, "unset": true, "ulimit": true, "nvm": true, "conda": true, "eval": true, "pyenv": true, "mise": true, "asdf": true, "sdk": true, "rbenv": true}

// namesOne says whether the error speaks of a token that the fix took out.
func namesOne(f *fault, r repair) bool {
	return slices.ContainsFunc(r.removed, func(t string) bool { return slices.Contains(f.named, t) })
}

// sharesProgram says whether two lines have a program in common that does more
// than trim.
func sharesProgram(a, b *Step) bool {
	for _, c := range scriptCommands(a.script()) {
		if c.program != "cd" && c.program != "echo" && mayRunLike(b.Command, c) && slices.ContainsFunc(scriptCommands(b.script()), func(d *shellCommand) bool { return sameProgram(c, d) }) {
			return true
		}
	}
	return false
}

// mayRunLike says whether a line can run the same program as a command.
func mayRunLike(line string, c *shellCommand) bool {
	if isPython(c.program) {
		return canRun(line, "python")
	}
	return canRun(line, trimVersion(c.program))
}

// sharesWord says whether two lines speak of one thing: a name or a part of a
// path.
func sharesWord(a, b *Step) bool {
	words := func(line string) []string {
		return strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' })
	}
	have := words(b.Command)
	return slices.ContainsFunc(words(a.Command), func(t string) bool {
		return len(t) > 3 && t != "null" && t != "head" && t != "tail" && t != "echo" && t[0] != '-' && slices.Contains(have, t)
	})
}

// shareOperand says whether a line works on what the failed command worked on.
// That both test or install something is not enough.
func shareOperand(c *shellCommand, script *shellScript) bool {
	for _, g := range scriptCommands(script) {
		for _, o := range append(slices.Clone(c.operands), c.sub...) {
			if len(o) < 2 || everyday[o] && (toolKinds[c.program] == "" || toolKinds[c.program] != toolKinds[g.program]) {
				continue
			}
			if slices.Contains(g.operands, o) || slices.Contains(g.sub, o) || g.program == o {
				return true
			}
		}
	}
	return false
}

// everyday are sub-commands and scripts that many programs have.
var everyday = map[string]bool{
	"test": true, "tests": true, "build": true, "run": true, "install": true, "add": true, "check": true, "lint": true, "start": true, "exec": true, "list": true, "ls": true,
	"help": true, "init": true, "new": true, "create": true, "update": true, "clean": true, "all": true, "dev": true, "get": true, "show": true, "view": true, "status": true, "-": true,
}
