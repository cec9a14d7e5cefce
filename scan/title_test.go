package scan

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/knowledge/fingerprint"
)

func TestFailureTitle(t *testing.T) {
	for _, c := range []struct{ command, class, text, want string }{
		{"gh pr diff", "usage", "unknown flag: --stat", "`gh pr diff` has no flag `--stat`"},
		{"git show", "usage", "fatal: unrecognized argument: --no-stat", "`git show` has no flag `--no-stat`"},
		{"go test", "usage", "flag provided but not defined: -watch", "`go test` has no flag `-watch`"},
		{"sed", "usage", "sed: illegal option -- r", "`sed` has no flag `-r`"},
		{"cat", "usage", "cat: invalid option -- 'A'", "`cat` has no flag `-A`"},
		{"tar", "usage", "tar: unrecognized option '--exclude-all'", "`tar` has no flag `--exclude-all`"},
		{"git branch", "usage", "error: unknown option `delete-merged'", "`git branch` has no flag `--delete-merged`"},
		{"pnpm install", "usage", "ERROR  Unknown option: 'no-lockfile'", "`pnpm install` has no flag `--no-lockfile`"},
		{"docker", "usage", "unknown flag `--no-cached'", "`docker` has no flag `--no-cached`"},
		{"gh pr diff", "usage", "accepts at most 1 arg(s), received 2", "`gh pr diff` takes at most 1 argument"},
		{"x get", "usage", "Error: accepts 2 arg(s), received 1", "`x get` takes 2 arguments"},
		{"kubectl logs", "usage", "error: flag needs an argument: --tail", "`kubectl logs`: `--tail` needs a value"},
		{"bun run", "usage", "error: unrecognized subcommand 'tset'", "`bun run` has no command `tset`"},
		{"bun run", "usage", "error: unrecognized subcommand 'bun'", "`bun run`: unrecognized subcommand 'bun'"},
		{"git stats", "usage", "git: 'stats' is not a git command. See 'git --help'.", "`git` has no command `stats`"},
		{"npm run", "usage", `npm error Missing script: "tset"`, "`npm run` has no script `tset`"},
		{"python", "not-runnable", "zsh: command not found: python", "`python` is not installed"},
		{"python", "not-runnable", "bash: line 1: python: command not found", "`python` is not installed"},
		{"python", "not-runnable", "error: target shim binary not found", "`python` does not run here"},
		{"make", "other", `exec: "golangci-lint": executable file not found in $PATH`, "`golangci-lint` is not installed"},
		{"python", "missing-dependency", "ModuleNotFoundError: No module named 'requests'", "`python` cannot find the module `requests`"},
		{"node", "missing-dependency", "Error: Cannot find module 'left-pad'", "`node` cannot find the module `left-pad`"},
		{"", "shell-syntax", "(eval):1: no matches found: src/*.ts", "The shell refuses unquoted globs and parentheses"},
		{"", "shell-syntax", "(eval):12: parse error near `('", "The shell refuses unquoted globs and parentheses"},
		{"", "shell-syntax", "(eval):1: parse error near `time'", "The shell cannot parse `time` where it stands"},
		{"", "shell-syntax", "bash: -c: line 1: syntax error near unexpected token `;;'", "The shell does not parse an unquoted `;;`"},
		{"jest", "timed-out", "Command timed out after 2m 0s", "`jest` does not come back"},
		{"psql", "other", "psql: error: connection to server at \"127.0.0.1\", port 5432 failed", "`psql`: connection to server at \"…\", port … failed"},
		{"ls", "missing-path", "ls: /home/dev/app/build: No such file or directory", "`ls`: build: No such file or directory"},
		{"node", "other", "[flags] Failed to load overrides, using 3 defaults.", "`node`: Failed to load overrides, using … defaults"},
		{"cargo build", "other", "error[E0432]: unresolved import `x::y`", "`cargo build`: unresolved import `x::y`"},
		{"x", "other", "", "x"},
	} {
		f := &fingerprint.Failure{Tool: "shell", Command: c.command, Class: c.class, Text: c.text}
		if got := failureTitle(f); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.command, c.text, got, c.want)
		}
	}
}

func TestPlainMistake(t *testing.T) {
	for mistake, want := range map[string]string{
		"`gh pr diff 88 --stat` failed: unknown flag: --stat":                                                               "`gh pr diff 88 --stat` failed: unknown flag: --stat",
		"`bun run test 2>&1 | tail -20` failed: no such thing":                                                              "`bun run test` failed: no such thing",
		"`/bin/cat -A ~/work/app/web/Tab.tsx` failed: /bin/cat: illegal option":                                             "`cat -A …/Tab.tsx` failed: cat: illegal option",
		"`ls src/*.ts` failed: (eval):1: no matches found: src/*.ts":                                                        "`ls src/*.ts` failed: no matches found: src/*.ts",
		"`x` failed: bash: line 3: x: command not found":                                                                    "`x` failed: x: command not found",
		"`uv pip install ruff` failed:":                                                                                     "`uv pip install ruff` failed",
		"`psql -h c` failed 3 times in a row: psql: error":                                                                  "`psql -h c` failed 3 times in a row: psql: error",
		"`npx jest --watch > /dev/null` did not come back":                                                                  "`npx jest --watch` did not come back",
		"`echo `date` x` failed: y":                                                                                         "``echo `date` x`` failed: y",
		"Read of src/a.go failed: no such file":                                                                             "Read of src/a.go failed: no such file",
		"`for f in a b c d e f g h i j k l m n o p q r s t u v w x y z; do echo $f; grep -rn something $f; done` failed: z": "`for f in a b c d e f g h i j k l m n o p q r s t u v w x y z; do echo $f; grep -rn something $f …` failed: z",
		"`find . 2>/dev/null -name x` failed: z":                                                                            "`find . 2>/dev/null -name x` failed: z",
		"":                                                                                                                  "",
	} {
		if got := plainMistake(mistake); got != want {
			t.Errorf("%q:\n %q, want\n %q", mistake, got, want)
		}
	}
}

func TestPlainTitle(t *testing.T) {
	for said, want := range map[string]string{
		"hmm, ok, let's use a switch statement instead of else-ifs.": "Use a switch statement instead of else-ifs",
		"no, never delete the build folder!":                         "Never delete the build folder",
		"stop for a second, so the cause is the global ignore file":  "The cause is the global ignore file",
		"can you keep the old name please":                           "Keep the old name",
		"sorry, my point is: the tool writes the file":               "The tool writes the file",
		"can you use a map instead of nested ifs?":                   "Use a map instead of nested ifs",
		"hmm, could you please not touch main.go ?":                  "Do not touch main.go",
		"can you see the error?":                                     "See the error?",
		"npm_config must be set":                                     "npm_config must be set",
		"go.mod stays as it is":                                      "go.mod stays as it is",
		"sodium is fine, nothing else":                               "Sodium is fine, nothing else",
		"so what":                                                    "So what",
		"wait!":                                                      "Wait",
		"I want the name in lower case":                              "I want the name in lower case",
		"actually   use\tpnpm,":                                      "Use pnpm",
		"éviter les alias":                                           "Éviter les alias",
		"":                                                           "",
	} {
		if got := plainTitle(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// Places go, and what stands before them stays, as a pattern would have it.
func TestPlacesAreLeftOutAsAPatternWould(t *testing.T) {
	elsewhere := regexp.MustCompile(plainCommands.elsewhere.String())
	rapid.Check(t, func(t *rapid.T) {
		pieces := []string{"", " ", "/", "~", "/home/dev", "/a.go", "/dev/null", "'", "\"", "=", ":", "(", ".", "x", "é", "a b", "\n", "*", "\u00a0", "\u2003", "…", "\xff", "\x1f"}
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 10).Draw(t, "pieces"), "")
		want := elsewhere.ReplaceAllStringFunc(text, func(m string) string {
			if strings.HasSuffix(m, "/dev/null") {
				return m
			}
			return elsewhere.ReplaceAllString(m, "$1…/$2")
		})
		if got := withoutPlaces(text); got != want {
			t.Errorf("of %q is left %q, want %q", text, got, want)
		}
		if got, want := onOneLine(text), strings.Join(strings.Fields(text), " "); got != want {
			t.Errorf("%q is on one line %q, want %q", text, got, want)
		}
	})
}
