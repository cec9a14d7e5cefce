package transcript

import (
	"strings"
	"testing"
)

const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). "

func TestOutcomes(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    Result
		want Outcome
		exit int
	}{
		{"success", Result{Tool: "Bash", Command: "go test ./...", Text: "ok"}, OK, 0},
		{"failure", Result{Tool: "Bash", Command: "go test ./...", Text: "Exit code 1\nFAIL", IsError: true}, Fail, 1},
		{"failure that only toolUseResult tells", Result{Tool: "Bash", Command: "make", Text: "boom", Extra: extraIn(`"Error: boom"`)}, Fail, -1},
		{"text in toolUseResult of a success", Result{Tool: "Bash", Command: "x", Text: "Hello", Extra: extraIn(`"Hello"`)}, OK, 0},
		{"prefix before the status", Result{Tool: "Bash", Command: "x", Text: "Error: Exit code 2\nusage", IsError: true}, Fail, 2},
		{"not found", Result{Tool: "Bash", Command: "pytest", Text: "Exit code 127\npytest: command not found", IsError: true}, Fail, 127},

		{"a pipe hides the status", Result{Tool: "Bash", Command: "go test ./... | tail -5", Text: "FAIL"}, Masked, -1},
		{"an alternative hides the status", Result{Tool: "Bash", Command: "go vet ./... || true", Text: "vet: x"}, Masked, -1},
		{"a later command hides the status", Result{Tool: "Bash", Command: "make; echo done", Text: "done"}, Masked, -1},
		{"a pipe that failed at its end", Result{Tool: "Bash", Command: "go test | jq .", Text: "Exit code 5\nparse error", IsError: true}, Fail, 5},

		{"grep finds nothing", Result{Tool: "Bash", Command: "grep -r foo .", Text: "Exit code 1", IsError: true}, Expected, 1},
		{"grep in a folder", Result{Tool: "Bash", Command: "cd src && grep -r foo .", Text: "Exit code 1", IsError: true}, Expected, 1},
		{"grep has an error", Result{Tool: "Bash", Command: "grep -r foo nowhere", Text: "Exit code 2\ngrep: nowhere: No such file", IsError: true}, Fail, 2},
		{"diff differs", Result{Tool: "Bash", Command: "diff a b", Text: "Exit code 1\n1c1", IsError: true}, Expected, 1},
		{"test is false", Result{Tool: "Bash", Command: "[ -f x ]", Text: "Exit code 1", IsError: true}, Expected, 1},
		{"git says that it differs", Result{Tool: "Bash", Command: "git diff --quiet HEAD", Text: "Exit code 1", IsError: true}, Expected, 1},
		{"git fails", Result{Tool: "Bash", Command: "git diff HEAD~99", Text: "Exit code 128\nfatal: bad revision", IsError: true}, Fail, 128},
		{"checks pend", Result{Tool: "Bash", Command: "gh pr checks 5", Text: "Exit code 8\nlint pending", IsError: true}, Expected, 8},
		{"the client says that it is an answer", Result{Tool: "Bash", Command: "x", Extra: extraIn(`{"stdout":"","returnCodeInterpretation":"No matches found"}`)}, Expected, 1},
		{"the shell refuses a grep", Result{Tool: "Bash", Command: "grep foo *.x", Text: "Exit code 1\n(eval):1: no matches found: *.x", IsError: true}, Fail, 1},
		{"a grep behind a command that failed", Result{Tool: "Bash", Command: "go build && grep x y", Text: "Exit code 1\nmain.go:3:1: syntax error", IsError: true}, Fail, 1},
		{"a grep behind a command that would say why it fails", Result{Tool: "Bash", Command: "go build && grep x y", Text: "Exit code 1", IsError: true}, Expected, 1},
		{"a test before a command", Result{Tool: "Bash", Command: "[ -f .env ] && cat .env", Text: "Exit code 1", IsError: true}, Expected, 1},
		{"a setting that is not set", Result{Tool: "Bash", Command: "git config user.signingkey", Text: "Exit code 1", IsError: true}, Expected, 1},
		{"a setting that is wrong", Result{Tool: "Bash", Command: "git config x", Text: "Exit code 2\nerror: key does not contain a section: x", IsError: true}, Fail, 2},
		{"an audit finds something", Result{Tool: "Bash", Command: "cd web && npm audit --omit=dev", Text: "Exit code 1\n3 vulnerabilities", IsError: true}, Expected, 1},
		{"an audit of crates", Result{Tool: "Bash", Command: "cargo audit", Text: "Exit code 1\nerror: 2 vulnerabilities found!", IsError: true}, Expected, 1},
		{"an object is not there", Result{Tool: "Bash", Command: "git cat-file -e HEAD:README", Text: "Exit code 1", IsError: true}, Expected, 1},
		{"a cluster differs", Result{Tool: "Bash", Command: "kubectl diff -f app.yaml", Text: "Exit code 1\n+ replicas: 3", IsError: true}, Expected, 1},
		{"a formatter would change files", Result{Tool: "Bash", Command: "terraform fmt -check -recursive", Text: "Exit code 3\nmain.tf", IsError: true}, Expected, 3},
		{"a reader had enough", Result{Tool: "Bash", Command: "set -o pipefail; yes | head -1", Text: "Exit code 141\ny", IsError: true}, Expected, 141},
		{"a silent failure of a program that gives no answers", Result{Tool: "Bash", Command: "make", Text: "Exit code 1", IsError: true}, Fail, 1},
		{"ended by a signal", Result{Tool: "Bash", Command: "npm run dev", Text: "Exit code 143", IsError: true}, Interrupted, 143},

		{"rejected with words", Result{Tool: "Edit", Text: rejected + "To tell you how to proceed, the user said:\nuse tabs", IsError: true}, Rejected, -1},
		{"rejected without words", Result{Tool: "Bash", Text: rejected + "STOP what you are doing and wait for the user to tell you how to proceed.", IsError: true, Extra: extraIn(`"User rejected tool use"`)}, Rejected, -1},
		{"rejected by a field", Result{Tool: "Bash", Text: "no", IsError: true, Denial: "user-rejected"}, Rejected, -1},
		{"older wording", Result{Tool: "Bash", Text: "The user doesn't want to take this action right now.", IsError: true}, Rejected, -1},
		{"talk about a rejection is none", Result{Tool: "Read", Text: rejected}, OK, -1},

		{"interrupted", Result{Tool: "Task", Text: "[Request interrupted by user for tool use]", IsError: true}, Interrupted, -1},
		{"interrupted by a field", Result{Tool: "Bash", Text: "half", Extra: extraIn(`{"stdout":"half","interrupted":true}`)}, Interrupted, -1},
		{"interrupted by a signal", Result{Tool: "Bash", Command: "x", Text: "Exit code 130", IsError: true}, Interrupted, 130},
		{"cancelled with a sibling", Result{Tool: "Bash", Text: "<tool_use_error>Sibling tool call errored</tool_use_error>", IsError: true}, Cancelled, -1},
		{"cancelled in newer words", Result{Tool: "Bash", Text: "<tool_use_error>Cancelled: parallel tool call Bash(x) errored</tool_use_error>", IsError: true}, Cancelled, -1},

		{"blocked by a hook that exits 2", Result{Tool: "Bash", Text: "PreToolUse:Bash hook error: [/x]: no", IsError: true}, Blocked, -1},
		{"blocked by a hook with a reason", Result{Tool: "Bash", Text: "use make", IsError: true, Version: "2.1.0", Extra: extraIn(`"Error: use make"`)}, Blocked, -1},
		{"blocked by a hook that was seen", Result{Tool: "Edit", Text: "no", IsError: true, Denial: "hook"}, Blocked, -1},
		{"refused by ourselves", Result{Tool: "Edit", Text: "[lessons] 1 for Edit\n…", IsError: true}, Blocked, -1},
		{"no permission", Result{Tool: "Bash", Text: "Permission to use Bash with command rm has been denied.", IsError: true}, Blocked, -1},
		{"old versions show no status", Result{Tool: "Bash", Text: "make: *** no rule", IsError: true, Version: "1.0.44"}, Fail, -1},

		{"timed out", Result{Tool: "Bash", Command: "x", Text: "Exit code 143\nCommand timed out after 2m 0.0s", IsError: true}, TimedOut, 143},
		{"timed out in older versions", Result{Tool: "Bash", Command: "x", Text: "Command timed out after 2m 0.0s", Extra: extraIn(`{"interrupted":true}`)}, TimedOut, -1},
		{"timed out by timeout", Result{Tool: "Bash", Command: "timeout 5 x", Text: "Exit code 124", IsError: true}, TimedOut, 124},
		{"output about time-outs", Result{Tool: "Bash", Command: "x", Text: "Exit code 1\n" + strings.Repeat("a", 300) + "timed out after" + strings.Repeat("b", 300), IsError: true}, Fail, 1},
		{"killed", Result{Tool: "Bash", Command: "x", Text: "Exit code 137", IsError: true}, Fail, 137},

		{"in the background", Result{Tool: "Bash", Command: "npm run dev", Text: "Command running in background with ID: b1", Extra: extraIn(`{"backgroundTaskId":"b1"}`)}, NotRun, -1},
		{"wrong arguments", Result{Tool: "Grep", Text: "<tool_use_error>InputValidationError: Grep failed", IsError: true}, NotRun, -1},
		{"no such tool", Result{Tool: "Foo", Text: "<tool_use_error>Error: No such tool available: Foo</tool_use_error>", IsError: true}, NotRun, -1},

		{"an edit that does not fit", Result{Tool: "Edit", Text: "<tool_use_error>String to replace not found in file.</tool_use_error>", IsError: true}, Fail, -1},
		{"another tool", Result{Tool: "Read", Text: "1\thi"}, OK, -1},
		{"a result without its call", Result{Text: "hi"}, OK, -1},
		{"a file that begins like a failure", Result{Tool: "Read", Text: "Exit code 3"}, OK, 3},
		{"broken toolUseResult", Result{Tool: "Bash", Command: "ls", Extra: extraIn(`{"interrupted":tru`)}, OK, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, exit := tt.r.Judge(); got != tt.want || exit != tt.exit {
				t.Errorf("got %s %d, want %s %d", got, exit, tt.want, tt.exit)
			}
		})
	}
}

// TestAllTimeoutsSayTimedOut: what is looked for first is part of all of them.
func TestAllTimeoutsSayTimedOut(t *testing.T) {
	for _, words := range timeouts {
		if !hasTimeout("x " + words + " 2m") {
			t.Errorf("%q is not known", words)
		}
	}
}

// extraIn reads a toolUseResult.
func extraIn(text string) Extra {
	return extraOf(claudeLines.common.of(value(`{"toolUseResult":` + text + `}`)))
}
