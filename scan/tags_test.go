package scan

import (
	"slices"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/fingerprint"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

func TestTagsOf(t *testing.T) {
	failed := func(command string, c class, text string) finding {
		return finding{failure: &fingerprint.Failure{Tool: "shell", Command: command, Class: c.String(), Text: text}}
	}
	with := func(f finding, change func(*finding)) finding { change(&f); return f }
	for _, c := range []struct {
		name string
		f    finding
		want []string
	}{
		{"a flag that is not there", failed("gh pr diff", usage, "unknown flag: --stat"), []string{"severity:error", "tool:gh", "topic:github"}},
		{"a program of no table", failed("frobnicate", usage, "unknown flag: -x"), []string{"severity:error", "tool:frobnicate", "topic:cli"}},
		{"a test runner", failed("pytest", otherFault, "boom"), []string{"lang:python", "severity:error", "tool:pytest", "topic:testing"}},
		{"another version of it", failed("python3.12", notRunnable, "x"), []string{"lang:python", "severity:error", "tool:python", "topic:environment"}},
		{"the shell itself", failed("", shellSyntax, "(eval):1: no matches found: *.x"), []string{"severity:error", "topic:shell"}},
		{
			"no tool ran", with(failed("", shellSyntax, "(eval):1: no matches found: *.x"), func(f *finding) { f.tags = []string{"tool:ls"} }),
			[]string{"severity:error", "topic:shell"},
		},
		{"the file that a linter names", failed("mise run", inProgress, "cmd/app/main.go:19:13: G304: x (gosec)"), []string{"lang:go", "severity:error", "tool:mise"}},
		{"what only prepares is no tool", failed("source", missingPath, "no such file"), []string{"severity:error", "topic:filesystem"}},
		{"the trigger names the wrapper", with(failed("npm test", notRunnable, "timeout: command not found"), func(f *finding) {
			f.trigger, f.tags = &lesson.Trigger{Commands: []string{"timeout"}}, []string{"tool:npm"}
		}), []string{"severity:error", "tool:timeout", "topic:environment"}},
		{"a hang", failed("jest --watch", timedOut, ""), []string{"lang:javascript", "severity:hang", "tool:jest", "topic:testing"}},
		{"a script of the repository is no tool", failed("./run-Tests.sh", otherFault, "boom"), []string{"severity:error"}},
		{"what only macOS has", failed("brew install", otherFault, "Error: /opt/homebrew/x is not writable"), []string{"platform:macos", "severity:error", "tool:brew"}},
		{"what only Windows has", failed("node", missingPath, `cannot open C:\Users\x`), []string{"lang:javascript", "platform:windows", "severity:error", "tool:node", "topic:filesystem"}},
		{
			"declared tags stand", with(failed("jest", timedOut, ""), func(f *finding) { f.tags = []string{"severity:flaky", "lang:typescript"} }),
			[]string{"lang:typescript", "severity:flaky", "tool:jest", "topic:testing"},
		},
		{"the language of the file", finding{area: "web/src/App.TSX"}, []string{"lang:typescript"}},
		{"the language of the trigger", finding{trigger: &lesson.Trigger{Paths: []string{"**/*.rs"}}}, []string{"lang:rust"}},
		{"words alone", finding{mistake: "The person spoke of Windows and macOS"}, nil},
		{"a report keeps its own", finding{tags: []string{"tool:git"}, trigger: &lesson.Trigger{Commands: []string{"git push"}}}, []string{"tool:git", "topic:git"}},
		{"an unknown extension", finding{area: "notes.xyz"}, nil},
	} {
		if got := tagsOf(&c.f); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
