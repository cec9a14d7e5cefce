package scan

import (
	"testing"

	"github.com/lessons-cli/lessons/scan/transcript"
)

func TestHang(t *testing.T) {
	stopped := func(command string) story {
		return story{bash(command, transcript.Interrupted, "[Request interrupted by user for tool use]"), interrupt()}
	}
	testDetector(t, hangs{}, describeFix, []detectorCase{
		{"a time-out", story{bash("npx jest --watch", transcript.TimedOut, "Exit code 143\nCommand timed out after 2m")}, []string{`2->2 unfit ["jest --watch"]`}},
		{"a person sees that it hangs", append(stopped("npm run dev"), user("it hangs, it waits for input")), []string{`2->4 unfit ["npm run dev"]`}},
		{"a person finds that it takes too long", append(stopped("bundle exec rspec"), user("this takes forever, run the one spec only")), []string{`2->4 unfit ["rspec"]`}},
		{"a wait that is longer than the limit", story{bash("sleep 900", transcript.TimedOut, "Command timed out after 10m")}, []string{`2->2 unfit`}},

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
