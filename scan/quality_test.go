package scan

import (
	"slices"
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/fingerprint"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// repository is what the gate's tests find around them.
var repository = Surroundings{
	Has: func(name string) bool {
		return slices.Contains([]string{"go.mod", "cmd/app", "Makefile", "lodash", "release.sh", "main.go", "CHANGELOG"}, name)
	},
	Docs: []string{FlatDoc("# App\n\nAlways run `make check` before you push to main.\n\n- Errors are wrapped with %w.")},
}

func TestFlawOfWords(t *testing.T) {
	for said, want := range map[string]string{
		"Use the sentinel errors of main.go instead of errors.New":            "",
		"never edit go.mod by hand, run make tidy":                            "",
		"we keep lodash out of the bundle, so import single functions":        "",
		"CHANGELOG entries must name the issue they belong to":                "",
		"put shared helpers into cmd/app and not into the scripts":            "",
		"please use git restore instead of git checkout for single files":     "it names nothing that is there", // no code marks: a bare word is no program
		"please use `git restore` instead of `git checkout` for single files": "",
		"use main.go": "it is too short to be understood",
		"can you use a switch statement in main.go instead?":                  "",
		"can you see what main.go does in that case?":                         "it is a question",
		"fix this error in main.go and run the tests again":                   "it belongs to one session",
		"I just checked main.go and the warnings are still there":             "it belongs to one session",
		"delete the file ~/.config/app/settings.json before you run make":     "it belongs to one session",
		"use the token from https://example.org/x for the release of main.go": "it belongs to one session",
		"the warnings of main.go are still there after all":                   "it says nothing to do",
		"use the other approach that we talked about before":                  "it belongs to one session",
		"always prefer composition over deep class inheritance":               "it names nothing that is there",
		"Always run make check before you push to main":                       "the repository says it already",
	} {
		f := finding{kind: UserCorrection, origin: observe.OriginUserCorrection, title: said, fix: said}
		if got := flawIn(f); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestFlawOfWordsWithATrigger(t *testing.T) {
	f := finding{
		kind: UserCorrection, origin: observe.OriginUserCorrection, fix: "never push without running the tests first",
		trigger: &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"git push"}},
	}
	if got := flawIn(f); got != "" {
		t.Errorf("the command of the refused call is a name: %q", got)
	}
}

func TestFlawOfFailures(t *testing.T) {
	trigger := &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"gh pr diff --stat"}}
	for _, c := range []struct {
		name, fix string
		trigger   *lesson.Trigger
		class     class
		want      string
	}{
		{"a fix", "Use `gh pr diff 88 --name-only`", trigger, usage, ""},
		{"no fix", "", trigger, usage, "no fix is known"},
		{"no trigger", "Use `gh pr diff 88 --name-only`", nil, usage, "no call is known that it applies to"},
		{"the shell refuses whatever is called", "Put quotes around the words with globs", nil, shellSyntax, ""},
		{"a script", "Use `for f in *; do x \"$f\"; done <<EOF`", trigger, usage, "the fix is a whole script"},
		{"a check turned off", "Use `git commit --no-verify`", trigger, usage, "the fix turns a safeguard off, which is a person's to allow"},
		{"a host that nobody checks", "Use `ssh -o StrictHostKeyChecking=accept-new`", trigger, usage, "the fix turns a safeguard off, which is a person's to allow"},
		{"somebody's folder", "Use `gh pr diff --patch ~/notes/x.diff`", trigger, usage, "the fix belongs to one session"},
		{"a temporary file", "Use `gh pr diff 88 > /tmp/x`", trigger, usage, "the fix belongs to one session"},
	} {
		f := finding{
			kind: ErrorFix, origin: observe.OriginErrorFix, mistake: "`gh pr diff 88 --stat` failed: unknown flag: --stat", fix: c.fix, trigger: c.trigger,
			failure: &fingerprint.Failure{Tool: "shell", Command: "gh pr diff", Class: c.class.String(), Text: "unknown flag: --stat"},
		}
		if got := flawIn(f); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// What is of one occasion, and what a line of several commands taught of the wrong one.
func TestFlawOfCalls(t *testing.T) {
	for _, c := range []struct {
		wrong, right, trigger, text, want string
		class                             class
	}{
		{"git log feat/cart -1", "git log -1", "git log feat/cart", "fatal: ambiguous argument", "the call belongs to one session", otherFault},
		{"gh pr create --base feat/cart", "gh pr create --base main", "gh pr create --base=feat/cart", "No commits between", "the call belongs to one session", otherFault},
		{"ls tools", "ls tool", "ls tools", "ls: cannot access 'tools'", "the call belongs to one session", missingPath},
		{"rg '--trace|trace input|import.*trace'", "rg 'trace'", "rg '--trace|trace input|import.*trace'", "error", "the call belongs to one session", usage},
		{"head -n=25", "head -n 8", "head -n=25", "Error: unknown flag: --data-only", "the failure is about another call", usage},
		{"npm access --json", "gh run view --json name", "npm access --json", "npm error code EUSAGE", "what worked is another task", usage},

		{"gh pr diff 7 --stat", "gh pr diff 7 --name-only", "gh pr diff --stat", "unknown flag: --stat", "", usage},
		{"gh pr diff 7 src/a.go", "gh pr diff 7", "gh pr diff *.go", "accepts at most 1 arg(s)", "", otherFault},
		{"staticcheck ./...", "golangci-lint run ./...", "staticcheck", "command not found: staticcheck", "", notRunnable},
		{"pnpm biome check", "npx biome check", "pnpm biome", `Command "biome" not found`, "", otherFault},
	} {
		f := finding{
			kind: ErrorFix, origin: observe.OriginErrorFix, mistake: "`" + c.wrong + "` failed here before", fix: "Use `x y` instead of what was there",
			trigger: &lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{c.trigger}}, examples: lesson.Examples{Match: []string{c.wrong}, Miss: []string{c.right}},
			failure: &fingerprint.Failure{Tool: "shell", Command: "x", Class: c.class.String(), Text: c.text},
		}
		if got := flawIn(f); got != c.want {
			t.Errorf("%s: %q, want %q", c.trigger, got, c.want)
		}
	}
}

func TestFlawOfSecrets(t *testing.T) {
	secret := "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	for _, f := range []finding{
		{kind: SelfReport, mistake: "m", fix: "export TOKEN=" + secret},
		{kind: UserCorrection, fix: "always use the token " + secret + " for main.go releases"},
	} {
		if got := flawIn(f); got != "something secret was taken out of it" {
			t.Errorf("%s: %q", f.kind, got)
		}
	}
}

func TestLossMarks(t *testing.T) {
	for said, want := range map[string]bool{
		"git stash drops untracked files silently without -u": true,
		"you deleted my uncommitted changes":                  true,
		"the rebase lost commits, do it again":                true,
		"that is data loss":                                   true,
		"never delete the build folder":                       false,
		"the deleted test was right":                          false,
		"I am lost, explain the work":                         false,
		"a lost cause":                                        false,
	} {
		if got := len(lossMarks(&finding{quotes: []string{said}})) == 1; got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
	failed := finding{failure: &fingerprint.Failure{}, mistake: "your local changes were silently kept"}
	if lossMarks(&failed) != nil {
		t.Error("a program's own words count")
	}
}

func TestFlawOfSteps(t *testing.T) {
	for _, c := range []struct {
		step, want string
	}{
		{"Run the tests", ""},
		{"Read https://example.org/api", "a step belongs to one session"},
		{"Copy /Users/dev/notes into the repository", "a step belongs to one session"},
	} {
		f := finding{kind: Workflow, typ: knowledge.Workflow, items: []string{"Bump the version", c.step}}
		if got := flawIn(f); got != c.want {
			t.Errorf("%q: %q, want %q", c.step, got, c.want)
		}
	}
}

func TestDeclaredPassesTheGate(t *testing.T) {
	f := finding{kind: SelfReport, mistake: "it hung", fix: "wait"}
	if got := flawIn(f); got != "" {
		t.Errorf("%q", got)
	}
	f.fix = "always run make check before you push to main"
	if got := flawIn(f); got != "the repository says it already" {
		t.Errorf("%q", got)
	}
}

func flawIn(f finding) string {
	sig := signalOf(f, testRedactor, "s", nil)
	return flawOf(&f, &sig, repository)
}
