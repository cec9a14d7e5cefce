package scan

import (
	"slices"
	"strings"
	"unicode"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/shell"
)

// related says whether two commands of one program can have one purpose: the
// same sub-command or one of nearly the same name, or something in common that
// they work on.
func related(a, b *shell.Command) bool {
	n := commonPrefix(a.Sub, b.Sub)
	if n >= len(task(a)) || n >= len(task(b)) {
		return true
	}
	if nearWords(a.Sub[n], b.Sub[n]) {
		return true
	}
	shared := func(x, y []string) bool {
		return slices.ContainsFunc(x, func(t string) bool { return slices.Contains(y, t) })
	}
	return shared(a.FlagNames(), b.FlagNames()) || shared(a.Operands, b.Operands) || shared(a.Sub[n:], b.Operands) || shared(a.Operands, b.Sub[n:])
}

// otherSubject says whether two commands of a program that nobody told us of begin with
// different words, which then are its sub-commands.
func otherSubject(a, b *shell.Command) bool {
	x, y := leadingWords(a), leadingWords(b)
	return !plumbing[a.Program] && !looks[a.Program] && len(x) > 0 && len(y) > 0 && x[0] != y[0]
}

// leadingWords are the words directly behind a program without sub-commands that anybody
// told us of, where they can be some: the first, and the second where it is what many
// programs call theirs.
func leadingWords(c *shell.Command) []string {
	operands := operandsOf(c)
	if len(c.Sub) > 0 || len(operands) == 0 || !simpleWord.MatchString(operands[0]) || !strings.Contains(c.Source, c.Path+" "+operands[0]) {
		return nil
	}
	if len(operands) > 1 && asksFor().MatchString(operands[1]) && strings.Contains(c.Source, operands[0]+" "+operands[1]) {
		return operands[:2]
	}
	return operands[:1]
}

// asksFor are words that many programs have as the second of a sub-command: bd dolt status.
var asksFor = automata.Lazily(`^(?:add|apply|check|clean|close|config|create|delete|describe|diff|edit|enable|disable|export|get|import|info|init|inspect|install|list|log|logs|ls|merge|new|open|prune|pull|push|remove|restart|rm|run|search|set|show|start|status|stop|sync|unset|update|upgrade|validate|view|watch)$`)

// asksHelp says whether a command only asks how its program is called.
func asksHelp(c *shell.Command) bool {
	operands := operandsOf(c)
	last := c.Source[strings.LastIndexByte(c.Source, ' ')+1:]
	return slices.Contains(c.FlagNames(), "--help") || last == "-h" || last == "-help" ||
		slices.Contains(c.Sub, "help") || len(operands) > 0 && operands[0] == "help"
}

// lookupOf is what a command only asks its program for: help, a list of what it has, how
// things are. "" where it does more.
func lookupOf(c *shell.Command) string {
	words, flags := taskWords(c), c.FlagNames()
	switch {
	case asksHelp(c):
		return "--help"
	case c.Program == "git": // see onlyShows
		return ""
	case slices.Contains(flags, "--list"), slices.Contains(flags, "-list"), listsScripts(c):
		return "--list"
	case len(words) == 0 && len(c.Operands) == 0 && slices.Contains(flags, "--version"):
		return "--version"
	case len(words) > 0 && lookup.MatchString(words[len(words)-1]) && !runsScript(c), endsWith(words, "config") && len(operandsOf(c)) == 0:
		return strings.Join(words, " ")
	}
	return ""
}

func endsWith(words []string, last string) bool {
	return len(words) > 0 && words[len(words)-1] == last
}

// listsScripts says whether a command that runs scripts is given none, and shows which there are.
func listsScripts(c *shell.Command) bool {
	return toolKinds[c.Program] == "js" && len(c.Sub) == 1 && (c.Sub[0] == "run" || c.Sub[0] == "run-script") && len(c.Operands) == 0
}

// lookup is a sub-command that shows what there is, and changes nothing.
var lookup = automata.New(`^(?:list|ls|ps|status|show|describe|info|view|inspect|devices|tasks|targets|log|logs|whoami|tree|search|outdated|doctor|version|why|(?:list|show|describe)-[\w-]+)$`)

// runsScript says whether a command runs a script of the repository's, whatever it is called.
func runsScript(c *shell.Command) bool { return len(c.Subcommand()) < len(c.Sub) }

// taskWords are the words by which a command says what its program is to do.
func taskWords(c *shell.Command) []string {
	if len(c.Sub) > 0 {
		return c.Sub
	}
	return leadingWords(c)
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
func sameKind(bad *shell.Command, script *shell.Line) bool {
	kind := toolKinds[bad.Program]
	work := func(c *shell.Command) bool { p := purposeOf(c); return p == builds || p == tests || p == lints }
	return kind != "" && work(bad) && slices.ContainsFunc(script.Commands, func(c *shell.Command) bool {
		return toolKinds[c.Program] == kind && work(c)
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
func hintsAt(f *fault, c *shell.Command) bool {
	return len(c.Sub) > 0 && strings.Contains(f.hint, c.Name())
}

// toRun says whether an error proposes to run a command, and not to use it instead.
func toRun(f *fault, c *shell.Command) bool {
	before, _, _ := strings.Cut(f.hint, c.Name())
	i := max(strings.LastIndexByte(before, '\n'), strings.LastIndexByte(before, '.')) + 1
	return c.Program != "git" && runThis().MatchString(before[i:]) && !strings.Contains(f.hint, "instead")
}

// runThis are words before a command that is to run first.
var runThis = automata.Lazily("(?i)\\b(?:run|running|execute)\\b[:\\s\"'`]*(?:npx |pnpm |bunx |yarn )?$")

// spelling is a command's name without the difference between a program with a
// hyphen and one with a sub-command.
func spelling(c *shell.Command) string { return strings.ReplaceAll(c.Name(), "-", " ") }

// misspelt says whether two commands differ in a letter or two of what they do.
func misspelt(a, b *shell.Command) bool {
	return sameProgram(a, b) && len(a.Sub) > 0 && len(b.Sub) > 0 && nearWords(a.Sub[0], b.Sub[0])
}

// sameSource says whether two commands are written alike, quotes included.
func sameSource(a, b *shell.Command) bool {
	return onOneLine(a.Source) == onOneLine(b.Source)
}

// sharePath says whether a line works on a file that the command worked on.
func sharePath(c *shell.Command, script *shell.Line) bool {
	for _, g := range script.Commands {
		for _, o := range operandsOf(c) {
			if strings.ContainsAny(o, "./") && slices.Contains(operandsOf(g), o) && !onlyShows(g) {
				return true
			}
		}
	}
	return false
}

// onlyShows says whether a command only shows what is there.
func onlyShows(c *shell.Command) bool {
	return c != nil && (plumbing[c.Program] || showsText(c) || listings[c.Name()])
}

// listings are more sub-commands that look.
var listings = map[string]bool{"git stash list": true, "git remote": true, "git worktree list": true, "npm ls": true, "npm list": true, "pip list": true, "pip show": true, "cargo tree": true, "go list": true, "go env": true, "brew list": true, "mise ls": true, "helm list": true, "terraform output": true, "git add": true}

// onlyLooks says whether a line does nothing but look.
func onlyLooks(script *shell.Line) bool {
	return !slices.ContainsFunc(script.Commands, func(c *shell.Command) bool { return !onlyShows(c) })
}

// onlyPlumbing says whether a line does nothing but list and show.
func onlyPlumbing(script *shell.Line) bool {
	return !slices.ContainsFunc(script.Commands, func(c *shell.Command) bool {
		return !plumbing[c.Program] && c.Program != "ls" && c.Program != "find" && c.Program != "which" && c.Program != "tree"
	})
}

// namesOne says whether the error speaks of a token that the fix took out.
func namesOne(f *fault, r repair) bool {
	return slices.ContainsFunc(r.removed, func(t string) bool { return slices.Contains(f.named, t) })
}

// sharesProgram says whether two lines have a program in common that does more
// than trim.
func sharesProgram(a, b *Step) bool {
	return slices.ContainsFunc(a.line().Commands, func(c *shell.Command) bool {
		return c.Program != "cd" && c.Program != "echo" && slices.ContainsFunc(b.line().Commands, func(d *shell.Command) bool { return sameProgram(c, d) })
	})
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
func shareOperand(c *shell.Command, script *shell.Line) bool {
	for _, g := range script.Commands {
		for _, o := range append(slices.Clone(c.Operands), c.Sub...) {
			if len(o) < 2 || everyday[o] && (toolKinds[c.Program] == "" || toolKinds[c.Program] != toolKinds[g.Program]) {
				continue
			}
			if slices.Contains(g.Operands, o) || slices.Contains(g.Sub, o) || g.Program == o {
				return true
			}
		}
	}
	return false
}

// everyday are sub-commands and scripts that many programs have.
var everyday = lists.Words(`test tests build run install add check lint start exec list ls help init new create update clean all dev get show view status -`)
