package scan

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/lessons-cli/lessons/scan/transcript"
)

const (
	ok       = transcript.OK
	fail     = transcript.Fail
	masked   = transcript.Masked
	expected = transcript.Expected
)

// describeFix says what an error-fix finding claims: lines, whether it may be
// written down, and its trigger.
func describeFix(f finding) string {
	s := fmt.Sprintf("%d->%d", f.errorLine, f.line)
	if f.unfit != "" {
		s += " unfit"
	}
	if f.trigger != nil {
		raw, _ := json.Marshal(f.trigger.Commands)
		s += " " + string(raw)
		if f.trigger.Unless != nil {
			raw, _ = json.Marshal(f.trigger.Unless)
			s += " unless " + string(raw)
		}
	}
	return s
}

func TestErrorFix(t *testing.T) {
	const unknownFlag = "Exit code 1\nunknown flag: --stat\n\nUsage:  gh pr diff"
	testDetector(t, errorFixes{}, describeFix, []detectorCase{
		{"a flag that does not exist is replaced", story{
			bash("gh pr diff 88 --stat", fail, unknownFlag), bash("gh pr diff 88 --name-only", ok, "a.go"),
		}, []string{`2->4 ["gh pr diff --stat"]`}},
		{"a flag is taken out", story{
			bash("git show 8312232 --no-stat", fail, "Exit code 128\nfatal: unrecognized argument: --no-stat"), bash("git show 8312232", ok, "commit"),
		}, []string{`2->4 ["git show --no-stat"]`}},
		{"a value gets its unit", story{
			bash("go test ./checkout -run TestTotal -timeout=30", fail, "Exit code 2\ninvalid value \"30\" for flag -timeout: parse error\nusage: go test [build/test flags]"),
			bash("go test ./checkout -run TestTotal -timeout=30s", ok, "ok  \texample.com/shop/checkout\t0.002s"),
		}, []string{`2->4 ["go test -timeout=\u003cnumber\u003e"] unless ["-timeout=0"]`}},
		{"a variable is put in", story{
			bash("pytest -v", fail, "Exit code 4\nERROR: unknown terminal, cannot start"), bash("TERM=dumb pytest -v", ok, "3 passed"),
		}, []string{"2->4 unfit"}},
		{"another program of the same name", story{
			bash("python app.py", fail, "Exit code 127\nbash: python: command not found"), bash("python3 app.py", ok, "up"),
		}, []string{`2->4 ["python"] unless ["python3 -m","uv run","poetry run","pdm run","pipenv run","hatch run","bin/python"]`}},
		{"a failure is mended with the failed try at it", story{
			bash("gh pr diff 88 --stat", fail, unknownFlag), bash("gh pr diff 88 --stats", fail, "Exit code 1\nunknown flag: --stats"),
			bash("gh pr diff 88 --name-only", ok, "a.go"),
		}, []string{`4->6 ["gh pr diff --stats"]`, `2->6 ["gh pr diff --stat"]`}},
		{"a failure is mended once", story{
			bash("gh pr diff 88 --stat", fail, unknownFlag), bash("gh pr diff 88 --name-only", ok, "a.go"), bash("gh pr diff 89 --name-only", ok, "b.go"),
		}, []string{`2->4 ["gh pr diff --stat"]`}},
		{"something else is run first", story{
			bash("node server.js", fail, "Exit code 1\nError: Cannot find module 'express'"), bash("npm install express", ok, "added 1 package"), bash("node server.js", ok, "listening"),
		}, []string{"2->6"}},
		{"what the error says has to run first", story{
			bash("npx vitest run", fail, "Exit code 1\nError: client did not initialize. Please run \"prisma generate\""), bash("npx prisma generate", ok, "Generated"), bash("npx vitest run", ok, "3 passed"),
		}, []string{"2->6"}},
		{"a try that failed makes nothing possible", story{
			bash("npm run e2e", fail, "Exit code 1\nError: connect ECONNREFUSED 127.0.0.1:5432"), bash("docker compose up -d postgres", fail, "Exit code 1\nno such service: postgres"), bash("npm run e2e", ok, "3 passed"),
		}, nil},
		{"the shell refuses the line", story{
			bash("ls plans/14-*/", fail, "Exit code 1\n(eval):1: no matches found: plans/14-*/"), bash("ls plans | grep 14", ok, "14-a"),
		}, []string{"2->4 unfit"}},
		{"failures behind a pipe", story{
			bash("wrap bun run test 2>&1 | tail -5", masked, "error: unrecognized subcommand 'bun'\n\nUsage: wrap <COMMAND>"),
			bash("bun run test 2>&1 | tail -5", masked, "12 pass\n0 fail"),
		}, []string{`2->4 ["wrap bun"]`}},
		{"a test that is mended by an edit is work, not a lesson", story{
			bash("go test ./...", fail, "Exit code 1\n--- FAIL: TestA"), edit("/home/dev/app/a.go", "x := 1\n", "x := 2\n"), bash("go test ./...", ok, "ok  app 0.1s"),
		}, []string{"2->6 unfit"}},
		{"a file that is elsewhere", story{
			read("/home/dev/app/telemetry/client.go", fail, "File does not exist."), read("/home/dev/app/telemetry/telemetry.go", ok, "package telemetry"),
		}, []string{"2->4 unfit"}},

		{"the same again is no fix", story{
			bash("curl localhost:80", fail, "Exit code 7\ncurl: (7) Failed to connect"), bash("curl localhost:80", ok, "hi"),
		}, nil},
		{"another task is no fix", story{
			bash("bun run test", fail, "Exit code 1\nFAIL a.test.ts"), bash("bun run lint", ok, "clean"),
		}, nil},
		{"a different question is no fix", story{
			bash("gh pr diff 88 -- a.go", fail, "Exit code 1\naccepts at most 1 arg(s), received 2"), bash("gh pr list --author me --state all --json number,title --limit 5", ok, "[]"),
		}, nil},
		{"an exit that is an answer", story{
			bash("grep -r foo .", expected, "Exit code 1"), bash("grep -ri foo .", ok, "a: Foo"),
		}, nil},
		{"a refused call", story{
			call("Bash", map[string]any{"command": "rm a"}, transcript.Rejected, ""), bash("rm -i a", ok, ""),
		}, nil},
		{"a cancelled call", story{
			bash("gh pr diff 88 --stat", transcript.Cancelled, "Sibling tool call errored"), bash("gh pr diff 88 --name-only", ok, "a.go"),
		}, nil},
		{"the same command with another flag mends it whatever was said", story{
			bash("gh pr diff 88 --stat", fail, unknownFlag), user("look at the files only"), bash("gh pr diff 88 --name-only", ok, "a.go"),
		}, []string{`2->5 ["gh pr diff --stat"]`}},
		{"a person's message ends the reach of everything else", story{
			bash("gh pr diff 88 --stat", fail, unknownFlag), user("look at the other one"), bash("gh pr diff 90", ok, "a.go"),
		}, nil},
		{"a compaction ends the reach", story{
			bash("gh pr diff 88 --stat", fail, unknownFlag), compaction(), bash("gh pr diff 88 --name-only", ok, "a.go"),
		}, nil},
		{"an error that a file only tells of", story{
			bash("cat build.log | head", masked, "error: it broke"), bash("cat -n build.log | head", masked, "1 fine"),
		}, nil},
		{"noise of passing tests", story{
			bash("npm test 2>&1 | tail -20", masked, "error: database gone (expected)\n\n 30 pass\n 0 fail"), bash("npm test -- --all 2>&1 | tail", masked, "40 pass\n0 fail"),
		}, nil},
		{"a failure that is never mended", story{bash("gh pr diff 88 --stat", fail, unknownFlag), says("I give up.")}, nil},
	})
}

func TestErrorFixDoesNotLookFurtherThanItsReach(t *testing.T) {
	s := story{bash("gh pr diff 88 --stat", fail, "unknown flag: --stat")}
	for range lookCalls {
		s = append(s, bash("ls", ok, "a"))
	}
	s = append(s, bash("gh pr diff 88 --name-only", ok, "a.go"))
	if got := found(errorFixes{}, s); len(got) != 0 {
		t.Errorf("a fix %d calls later was paired", lookCalls+1)
	}
}

func TestErrorFixKeepsThreadsApart(t *testing.T) {
	s := story{
		bash("gh pr diff 88 --stat", fail, "unknown flag: --stat"),
		func(x *teller) { x.agent = "a1" },
		bash("gh pr diff 88 --name-only", ok, "a.go"),
	}
	if got := found(errorFixes{}, s); len(got) != 0 {
		t.Error("a sub-agent's success mended the main thread's failure")
	}
}

// What is told of a pair, where the call that worked says little of what to do.
func TestWordsOfAPair(t *testing.T) {
	for _, c := range []struct{ wrong, output, right, title, fix string }{
		{"bd unlink a", `Error: unknown command "unlink" for "bd"`, "bd dep remove a", "`bd` has no command `unlink`", "Use `bd dep remove` instead of `bd unlink`"},
		{"workmux add x --branch y", "error: unexpected argument '--branch' found", "workmux add x --base y", "`workmux add` has no flag `--branch`", "Use `workmux add --base` instead of `--branch`"},
		{"grep -E '--- FAIL' log", "grep: unrecognized option `--- FAIL'", "grep -E 'FAIL' log", "`grep` reads a text that begins with a dash as a flag", "Put `--` before words that begin with a dash and are no flag"},
		{"tool status --detailed --json", "if any flags in the group [detailed json] are set none of the others can be", "tool status --detailed", "`tool status` does not take `--detailed` with `--json`", "Use `--detailed` or `--json`, never together"},
		{"wt add fix-login --base main --branch ann/fix-login", "error: unexpected argument '--branch' found", "wt add ann/fix-login --base main --name fix-login", "`wt add` has no flag `--branch`", "Use `wt add BRANCH --name NAME` instead of `--branch`"},
		{"tool dolt status --short", "Error: unknown flag: --short", "tool dolt status", "`tool dolt status` has no flag `--short`", "Leave out `--short`"},
		{"tool send box -P file.md", "error: unexpected argument '-P' found", "tool send box --file file.md", "`tool send` has no flag `-P`", "Use `tool send --file` instead of `-P`"},
		{"bd create --set-metadata branch=x", "Error: unknown flag: --set-metadata", `bd create --metadata '{"branch":"x"}'`, "`bd create` has no flag `--set-metadata`", "Use `bd create --metadata '{\"key\": \"value\"}'` instead of `--set-metadata`"},
		{"tool send box -P file.md", "error: unexpected argument '-P' found", "tool send box --quiet", "`tool send` has no flag `-P`", "Do not use `-P`; `tool send box --quiet` worked"},
		{"git show HEAD --no-stat", "fatal: unrecognized argument: --no-stat", "git show HEAD --format= -- a.go", "`git show` has no flag `--no-stat`", "Leave out `--no-stat`; `git show HEAD --format= -- PATH` worked"},
		{"git rebase --continue --no-edit", "error: unknown option `no-edit'", "GIT_EDITOR=true git rebase --continue", "`git rebase` has no flag `--no-edit`", "Leave out `--no-edit`; `GIT_EDITOR=true git rebase --continue` worked"},
		{"git show HEAD --no-stat", "fatal: unrecognized argument: --no-stat", "git show HEAD", "`git show` has no flag `--no-stat`", "Leave out `--no-stat`"},
		{"golangci-lint run --enable=unused --disable-all ./a", "Error: unknown flag: --disable-all", "golangci-lint run --no-config -E unused ./a", "`golangci-lint run` has no flag `--disable-all`", "Leave out `--disable-all`; `golangci-lint run --no-config -E unused PATH` worked"},
		{"grep -oP '#[0-9]+' a", "grep: invalid option -- P", "grep -o '#[0-9]*' a", "`grep` has no flag `-P`", "Do not use `-P`; `grep -o '#[0-9]*' a` worked"},
		{"gh pr diff 7 -- src/a.go", "accepts at most 1 arg(s), received 2", "gh pr diff 7", "`gh pr diff` takes at most 1 argument", "Leave out the path"},
		{"gh pr diff 7 --repo a/b -- src/a.go", "accepts at most 1 arg(s), received 2", "gh pr diff 7 --repo a/b", "`gh pr diff` takes at most 1 argument", "Leave out the path"},
		{"pulsar-admin --cluster a topics", "Exception: cluster is not a recognized option", "pulsar-admin --url a topics", "`pulsar-admin` has no flag `--cluster`", "Use `pulsar-admin --url` instead of `--cluster`"},
		{"git gc --auto --dry-run", "error: unknown option `dry-run'", "git log --all --oneline --grep=gc", "`git gc` has no flag `--dry-run`", "`git gc` has no `--dry-run`, and acts without it"},
	} {
		got := found(errorFixes{}, story{bash(c.wrong, fail, "Exit code 1\n"+c.output), bash(c.right, ok, "done")})
		if len(got) != 1 {
			t.Errorf("%s: %d findings", c.wrong, len(got))
			continue
		}
		f := got[0]
		if f.inPlainWords(testRedactor, nil); f.fix != c.fix || c.title != "" && f.title != c.title {
			t.Errorf("%s: title %q, fix %q", c.wrong, f.title, f.fix)
		}
	}
}

// A look at the help and another sub-command leave a failure open for the call that shows
// what to do.
func TestHelpIsNoMend(t *testing.T) {
	testDetector(t, errorFixes{}, describeFix, []detectorCase{
		{"the right call follows the help", story{
			bash("tool add x --branch y", fail, "error: unexpected argument '--branch' found"), bash("tool add --help", ok, "Usage: tool add"), bash("tool add x --base y", ok, "added"),
		}, []string{`2->6 ["tool add --branch"]`}},
		{"an edit does not mend an unknown flag", story{
			bash("tool status --short", fail, "Error: unknown flag: --short"), edit("/home/dev/app/a.go", "x := 1\n", "x := 2\n"), bash("tool status", ok, "a"),
		}, []string{`2->6 ["tool status --short"]`}},
		{"nothing follows the help", story{
			bash("tool add x --branch y", fail, "error: unexpected argument '--branch' found"), bash("tool help add", ok, "Usage: tool add"),
		}, nil},
		{"a list of tasks", story{
			bash("mise run lint:full", fail, "mise ERROR no task lint:full found"), bash("mise tasks", ok, "lint  fmt"),
		}, nil},
		{"a program that was fetched and said nothing", story{
			bash("pnpm biome check a.ts", fail, "ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL Command \"biome\" not found"), bash("npx biome check a.ts", ok, ""),
		}, nil},
		{"one argument too many, beside a number", story{
			bash("gh pr diff 7 -- src/a.go", fail, "accepts at most 1 arg(s), received 2"), bash("gh pr diff 7", ok, "a"),
		}, []string{`2->4 ["gh pr diff \u003cnumber\u003e \u003cpath\u003e"]`}},
		{"a look at what there is", story{
			bash("docker compose restart api", fail, "no such service: api"), bash("docker compose ps", ok, "backend"), bash("docker compose restart backend", ok, "done"),
		}, []string{`2->6 ["docker compose restart api"]`}},
		{"a listing by a flag of one dash", story{
			bash("msbuild -target:Pack", fail, "error: the project does not contain a target named Pack"), bash("msbuild -list", ok, "Package"),
		}, nil},
		{"a listing in place of a command that there is not", story{
			bash("tool things", fail, "Error: unknown command things"), bash("tool list", ok, "a"),
		}, []string{`2->4 ["tool things"]`}},
		{"a clean-up", story{
			bash("meson setup out", fail, "meson.build:3:0: ERROR: Problem encountered: use make"), bash("rm -rf out", ok, ""),
		}, nil},
		{"another sub-command of a program that we know", story{
			bash("poetry add --user httpx", fail, "The option --user does not exist"), bash("poetry lock", ok, ""), bash("poetry add httpx", ok, ""),
		}, []string{`2->6 ["poetry add --user"]`}},
		{"a flag in words of its own, and an edit", story{
			bash("conda install --user httpx", fail, "Error: conda's `--user` is unsupported"), edit("/home/dev/app/a.py", "x = 1\n", "x = 2\n"), bash("conda install httpx", ok, ""),
		}, []string{`2->6 ["conda install --user"]`}},
		{"another sub-command", story{
			bash("tool status --short", fail, "Error: unknown flag: --short"), bash("tool log", ok, "a"),
		}, nil},
	})
}

// A program that ran before, and failed at its work, can be run here: the call that did not
// find it stood in another folder.
func TestAProgramThatRanIsNotMissing(t *testing.T) {
	missing := story{
		bash("npx playwright test e2e/cart.spec.ts", fail, "Exit code 127\nsh: playwright: command not found"),
		bash("pnpm --filter e2e test -- cart.spec.ts", ok, "1 passed"),
	}
	if got := found(errorFixes{}, missing); len(got) != 1 || got[0].trigger == nil {
		t.Errorf("of a program that is missing: %d findings, want one with a trigger", len(got))
	}
	ran := append(story{bash("cd e2e && npx playwright test cart.spec.ts", fail, "Exit code 1\n  1) cart.spec.ts:7:3 › pays\n    Error: expect(received).toBe(expected)\n  1 failed")}, missing...)
	for _, f := range found(errorFixes{}, ran) {
		if f.trigger != nil {
			t.Errorf("of a program that ran: %q", f.title)
		}
	}
}
