package scan

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Tags come from tables alone: the extension of a file gives a language, a
// program its tool, language and topic, the class of an error its topic and
// severity, and what only one system has its platform. What no table knows has
// no tag.

var langOfExt = map[string]string{
	".go": "go", ".py": "python", ".pyi": "python", ".ipynb": "python", ".ts": "typescript", ".tsx": "typescript", ".mts": "typescript",
	".js": "javascript", ".jsx": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".rs": "rust", ".rb": "ruby", ".java": "java",
	".kt": "kotlin", ".kts": "kotlin", ".swift": "swift", ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp", ".cs": "csharp",
	".fs": "fsharp", ".php": "php", ".ex": "elixir", ".exs": "elixir", ".erl": "erlang", ".hs": "haskell", ".scala": "scala", ".clj": "clojure",
	".lua": "lua", ".dart": "dart", ".zig": "zig", ".sh": "shell", ".bash": "shell", ".zsh": "shell", ".ps1": "powershell", ".sql": "sql",
	".css": "css", ".scss": "css", ".html": "html", ".vue": "vue", ".svelte": "svelte", ".tf": "terraform", ".proto": "protobuf",
}

// about says what a program works on.
type about struct{ lang, topic string }

var aboutProgram = map[string]about{
	"go": {"go", ""}, "gofmt": {"go", "formatting"}, "gofumpt": {"go", "formatting"}, "golangci-lint": {"go", "linting"}, "staticcheck": {"go", "linting"}, "goreleaser": {"go", "release"},
	"python": {"python", ""}, "python3": {"python", ""}, "pytest": {"python", "testing"}, "tox": {"python", "testing"}, "pip": {"python", "packaging"}, "pip3": {"python", "packaging"},
	"uv": {"python", "packaging"}, "poetry": {"python", "packaging"}, "ruff": {"python", "linting"}, "mypy": {"python", "types"}, "black": {"python", "formatting"}, "alembic": {"python", "database"},
	"npm": {"javascript", "packaging"}, "pnpm": {"javascript", "packaging"}, "yarn": {"javascript", "packaging"}, "bun": {"javascript", ""}, "node": {"javascript", ""}, "deno": {"typescript", ""},
	"jest": {"javascript", "testing"}, "vitest": {"javascript", "testing"}, "mocha": {"javascript", "testing"}, "playwright": {"", "testing"}, "eslint": {"javascript", "linting"},
	"prettier": {"", "formatting"}, "biome": {"javascript", "linting"}, "tsc": {"typescript", "types"}, "tsx": {"typescript", ""},
	"cargo": {"rust", ""}, "rustc": {"rust", ""}, "rustfmt": {"rust", "formatting"}, "clippy": {"rust", "linting"},
	"mvn": {"java", "build"}, "gradle": {"java", "build"}, "gradlew": {"java", "build"}, "javac": {"java", ""}, "bundle": {"ruby", "packaging"}, "gem": {"ruby", "packaging"},
	"rspec": {"ruby", "testing"}, "rake": {"ruby", ""}, "composer": {"php", "packaging"}, "phpunit": {"php", "testing"}, "dotnet": {"csharp", ""}, "mix": {"elixir", ""},
	"swift": {"swift", ""}, "xcodebuild": {"swift", "build"}, "flutter": {"dart", ""},
	"git": {"", "git"}, "gh": {"", "github"}, "glab": {"", "gitlab"}, "docker": {"", "containers"}, "docker-compose": {"", "containers"}, "podman": {"", "containers"},
	"kubectl": {"", "kubernetes"}, "helm": {"", "kubernetes"}, "terraform": {"terraform", "infrastructure"}, "make": {"", "build"}, "cmake": {"", "build"}, "ninja": {"", "build"},
	"psql": {"", "database"}, "mysql": {"", "database"}, "sqlite3": {"", "database"}, "aws": {"", "cloud"}, "gcloud": {"", "cloud"}, "az": {"", "cloud"}, "wrangler": {"", "cloud"},
	"curl": {"", "network"}, "ssh": {"", "network"}, "shellcheck": {"shell", "linting"}, "pre-commit": {"", "linting"},
}

var topicOfClass = map[string]string{
	usage.String(): "cli", notRunnable.String(): "environment", missingDep.String(): "dependencies",
	missingPath.String(): "filesystem", shellSyntax.String(): "shell",
}

// What only one system has.
const (
	onLinux automata.Members = 1 << iota
	onMacOS
	onWindows
)

// platforms are in the order in which one is chosen.
var platforms = [...]struct {
	is   automata.Members
	name string
}{{onLinux, "linux"}, {onMacOS, "macos"}, {onWindows, "windows"}}

var onlyOn = automata.NewSet(map[automata.Members]string{
	onMacOS:   `(?:^|[\s;&|(` + "`" + `])(?:brew|xcodebuild|xcrun|codesign|launchctl|pbcopy|defaults write)\s|/opt/homebrew/|\bDarwin\b|\bmacOS\b`,
	onLinux:   `(?:^|[\s;&|(` + "`" + `])(?:apt|apt-get|dnf|pacman|systemctl|journalctl)\s|/proc/\w|\bLinux\b`,
	onWindows: `(?:^|[\s;&|(` + "`" + `])(?:powershell|pwsh|choco|winget)(?:\.exe)?\s|\b[A-Z]:\\\w|\w\.(?:exe|ps1)\b|\bWindows\b`,
})

// tagsOf adds to what a finding declares what the tables tell of it.
func tagsOf(f *finding) []string {
	tags := slices.Clone(f.tags)
	if f.failure != nil { // the tool is what the trigger names, and none when the shell refused the line
		tags = slices.DeleteFunc(tags, func(t string) bool { return strings.HasPrefix(t, "tool:") })
	}
	add := func(category, value string) {
		declared := slices.ContainsFunc(tags, func(t string) bool { return strings.HasPrefix(t, category+":") && category != "tool" })
		if value != "" && !declared && !slices.Contains(tags, category+":"+value) {
			tags = append(tags, category+":"+value)
		}
	}
	program := programOf(f)
	known, ok := aboutProgram[program]
	if !ok {
		known = aboutProgram[trimVersion(program)]
	}
	if program != "" && f.failure != nil {
		add("tool", trimVersion(program))
	}
	add("lang", cmp.Or(langOf(f), known.lang))
	if f.failure != nil {
		add("topic", cmp.Or(known.topic, topicOfClass[f.failure.Class]))
		add("severity", severityOf(f))
	} else if program != "" {
		add("topic", known.topic)
	}
	if f.failure != nil {
		shown := f.mistake + "\n" + f.failure.Text
		on := onlyOn.In(shown)
		for _, p := range platforms {
			if on.Has(p.is) {
				add("platform", p.name)
			}
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// programOf is the program that a finding is about, "" when it is no program's
// name.
func programOf(f *finding) string {
	name := ""
	switch {
	case f.failure != nil && f.failure.Class == shellSyntax.String():
	case f.trigger != nil && len(f.trigger.Commands) == 1:
		name = f.trigger.Commands[0]
	case f.failure != nil:
		name = f.failure.Command
	}
	name, _, _ = strings.Cut(name, " ")
	name = path.Base(name)
	if !programName.MatchString(name) || plumbing[name] && aboutProgram[name] == (about{}) {
		return ""
	}
	return name
}

func langOf(f *finding) string {
	for _, file := range append([]string{f.area}, pathsOf(f.trigger)...) {
		if lang := langOfExt[strings.ToLower(path.Ext(strings.ReplaceAll(file, `\`, "/")))]; lang != "" {
			return lang
		}
	}
	if f.failure != nil {
		if m := placeInFile.FindStringSubmatch(f.failure.Text); m != nil {
			return langOfExt[strings.ToLower(m[1])]
		}
	}
	return ""
}

// placeInFile finds where a tool says that something is wrong.
var placeInFile = automata.New(`\w(\.\w+)(?::\d+|\(\d+,)`)

func pathsOf(t *lesson.Trigger) []string {
	if t == nil {
		return nil
	}
	return t.Paths
}

func severityOf(f *finding) string {
	if f.failure.Class == timedOut.String() || slices.Contains(f.marks, observe.MarkHang) {
		return "hang"
	}
	if slices.Contains(f.marks, observe.MarkDataLoss) {
		return "data-loss"
	}
	return "error"
}
