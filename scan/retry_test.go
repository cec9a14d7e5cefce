package scan

import (
	"testing"

	"github.com/lessons-cli/lessons/scan/transcript"
)

func describeLoop(f finding) string {
	s := describePair(f)
	if !f.keep {
		s += " shown"
	}
	return s
}

func TestRetry(t *testing.T) {
	boom := func(c string) func(*teller) { return bash(c, fail, "Exit code 1\nError: connection refused") }
	misfit := call("Edit", map[string]any{"file_path": "/home/dev/app/a.py", "old_string": "x", "new_string": "y"}, fail, "String to replace not found in file.")
	testDetector(t, retries{}, describeLoop, []detectorCase{
		{"the third failing try", story{boom("psql -h db"), boom("psql -h 127.0.0.1"), boom("psql -h localhost")}, []string{"2->6"}},
		{"told once", story{boom("psql -h a"), boom("psql -h b"), boom("psql -h c"), boom("psql -h d")}, []string{"2->6"}},
		{"edits that do not fit", story{misfit, read("/home/dev/app/a.py", ok, "x"), misfit, read("/home/dev/app/a.py", ok, "x"), misfit}, []string{"2->10 shown"}},
		{"a cancelled sibling is no success", story{misfit, call("Edit", map[string]any{"file_path": "/home/dev/app/a.py", "old_string": "q", "new_string": "r"}, transcript.Cancelled, "Sibling tool call errored"), misfit, misfit}, []string{"2->8 shown"}},
		{"tests that keep failing", story{bash("mix test", fail, "Exit code 2\n1 failure"), edit("/home/dev/app/a.ex", "a", "b"), bash("mix test", fail, "Exit code 2\n1 failure"), edit("/home/dev/app/a.ex", "b", "c"), bash("mix test", fail, "Exit code 2\n1 failure")}, []string{"2->10 shown"}},
		{"a new failure each time is progress", story{bash("make", fail, "Exit code 2\nbash: cc: command not found"), bash("make CC=gcc", fail, "Exit code 2\nmake: *** No rule to make target 'x'."), bash("make CC=clang", fail, "Exit code 2\ncart.c:1: error: no")}, []string{"2->6 shown"}},

		{"two tries are none", story{boom("psql -h a"), boom("psql -h b")}, nil},
		{"a success between", story{boom("psql -h a"), boom("psql -h b"), bash("psql -h z", ok, "1"), boom("psql -h c")}, nil},
		{"other programs", story{boom("psql"), boom("redis-cli ping"), boom("mysql")}, nil},
		{"a person's word between", story{boom("psql -h a"), boom("psql -h b"), user("try c"), boom("psql -h c")}, nil},
		{"calls side by side are one try", story{beside([]string{"/a.go", "/a.go", "/a.go"}, []transcript.Outcome{fail, fail, fail}, []string{"no", "no", "no"})}, nil},
		{"calls side by side at the end of a loop", story{read("/a.go", fail, "no"), read("/a.go", fail, "no"), beside([]string{"/a.go", "/a.go"}, []transcript.Outcome{fail, fail}, []string{"no", "no"})}, []string{"2->7 shown"}},
		{"answers", story{bash("grep -r a .", expected, "Exit code 1"), bash("grep -r b .", expected, "Exit code 1"), bash("grep -r c .", expected, "Exit code 1")}, nil},
		{"a person who refuses", story{call("Bash", map[string]any{"command": "rm a"}, transcript.Rejected, ""), call("Bash", map[string]any{"command": "rm b"}, transcript.Rejected, ""), call("Bash", map[string]any{"command": "rm c"}, transcript.Rejected, "")}, nil},
	})
}

func TestHang(t *testing.T) {
	stopped := func(command string) story {
		return story{bash(command, transcript.Interrupted, "[Request interrupted by user for tool use]"), interrupt()}
	}
	testDetector(t, hangs{}, describeFix, []detectorCase{
		{"a time-out", story{bash("npx jest --watch", transcript.TimedOut, "Exit code 143\nCommand timed out after 2m")}, []string{`2->2 ["jest --watch"]`}},
		{"a person sees that it hangs", append(stopped("npm run dev"), user("it hangs, it waits for input")), []string{`2->4 ["npm run dev"]`}},
		{"a person finds that it takes too long", append(stopped("bundle exec rspec"), user("this takes forever, run the one spec only")), []string{`2->4 ["rspec"]`}},
		{"a wait that is longer than the limit", story{bash("sleep 900", transcript.TimedOut, "Command timed out after 10m")}, []string{`2->2 shown`}},

		{"a person stops for another reason", append(stopped("npm run dev"), user("use pnpm instead")), nil},
		{"a person tells of a hang, nothing was stopped", story{bash("make", ok, "done"), user("the app hangs at start")}, nil},
		{"an ordinary failure", story{bash("npx jest", fail, "Exit code 1\nfailed")}, nil},
		{"a slow success", story{bash("make all", ok, "")}, nil},
		{"a refusal after a long wait", story{call("Bash", map[string]any{"command": "make"}, transcript.Rejected, "")}, nil},
	})
}

// A fix after two failing tries is marked as the end of a loop.
func TestErrorFixAfterTries(t *testing.T) {
	no := func(c string) func(*teller) { return bash(c, fail, "Exit code 2\nerror: unknown flag: --a") }
	for n, s := range map[int]story{1: {no("tool x --a"), bash("tool x --b", ok, "")}, 2: {no("tool x --a --c"), no("tool x --a"), bash("tool x --b", ok, "")}} {
		f := found(errorFixes{}, s)
		if len(f) != 1 {
			t.Fatalf("%d findings", len(f))
		}
		marked := false
		for _, m := range f[0].marks {
			marked = marked || m == "retry-loop"
		}
		if marked != (n == 2) {
			t.Errorf("after %d tries: marks %q", n, f[0].marks)
		}
	}
}
