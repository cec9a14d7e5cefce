package scan

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/shell"
)

// purpose is what a command of the daily work is run for.
type purpose int

const (
	noPurpose purpose = iota
	builds
	tests
	lints
	installs
	commits
)

var purposeWords = automata.NewSet(map[automata.Members]string{
	member(lints):  `(?i)(?:^|[^a-z])(?:\w*lint(?:er|s)?|sqlfluff|eslint|biome|golangci-lint|staticcheck|ruff|flake8|pylint|clippy|rubocop|credo|checkstyle|spotless\w*|ktlint|detekt|prettier|fmt|format|analy[sz]e|gofmt|gofumpt|vet|shellcheck|black|isort|phpcs|phpstan|swiftlint|dialyzer)(?:[^a-z]|$)`,
	member(tests):  `(?i)(?:^|[^a-z])(?:tests?|jest|vitest|mocha|pytest|tox|nox|unittest|rspec|phpunit|minitest|spec|specs|ctest|e2e|cypress|playwright|nextest|check|verify|karma|ava|bats)(?:[^a-z]|$)`,
	member(builds): `(?i)(?:^|[^a-z])(?:build|compile\w*|tsc|typecheck|type-check|types|mypy|pyright|assemble|package|javac|kotlinc|gcc|g\+\+|clang|rustc|webpack|vite|esbuild|rollup|codegen|generate|validate)(?:[^a-z]|$)`,
})

// member is a purpose that words tell.
func member(p purpose) automata.Members { return 1 << (p - builds) }

func purposeIn(words string) purpose {
	is := purposeWords.In(words)
	for _, p := range [...]purpose{lints, tests, builds} {
		if is.Has(member(p)) {
			return p
		}
	}
	return noPurpose
}

// purposeOf returns what a command is run for. A check may be of any kind.
func purposeOf(c *shell.Command) purpose {
	sub := ""
	if len(c.Sub) > 0 {
		sub = c.Sub[0]
	}
	switch c.Program {
	case "git":
		if sub == "commit" || sub == "push" {
			return commits
		}
		return noPurpose
	case "gh", "glab", "kubectl", "helm", "aws", "gcloud", "az", "systemctl", "ssh", "scp", "curl", "wget", "psql", "mysql", "claude", "docker-compose", "heroku":
		return noPurpose
	case "docker", "podman":
		if sub == "build" {
			return builds
		}
		return noPurpose
	case "go", "cargo", "dotnet", "swift":
		if sub == "run" {
			return builds
		}
	}
	if sub == "install" || sub == "uninstall" || sub == "add" || sub == "remove" || sub == "ci" || sub == "i" || sub == "get" || sub == "sync" {
		return installs
	}
	if p := purposeIn(strings.Join(append([]string{c.Program}, task(c)...), " ")); p != noPurpose {
		return p
	}
	if shell.HasSubcommands(c.Program) || launcherOf(c) != "" {
		for _, o := range c.Operands {
			if p := purposeIn(o); p != noPurpose && !strings.ContainsAny(o, "/.") {
				return p
			}
		}
	}
	if c.Program == "make" || c.Program == "just" || c.Program == "ninja" || c.Program == "cmake" {
		return builds
	}
	return noPurpose
}

// samePurpose says whether a line proves what a failed command should have
// proved: tests prove that something builds, and nothing proves a lint but a
// lint.
func samePurpose(bad *shell.Command, script *shell.Line) bool {
	want := purposeOf(bad)
	return want != noPurpose && slices.ContainsFunc(script.Commands, func(c *shell.Command) bool {
		got := purposeOf(c)
		return got == want || want == builds && got == tests
	})
}

// worksOn says whether the command that failed tests, checks or builds.
func worksOn(call *Step, f *fault) bool {
	c := faulty(call.line(), f)
	if c == nil {
		return len(call.Command) < 4<<10 && purposeWords.In(call.Command).Has(member(tests)|member(lints))
	}
	return worksOnSources(c)
}

// worksOnSources says whether a command tests, checks or builds.
func worksOnSources(c *shell.Command) bool {
	switch purposeOf(c) {
	case builds, tests, lints:
		return true
	}
	return false
}
