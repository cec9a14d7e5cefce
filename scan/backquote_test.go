package scan

import "testing"

func TestAShellRunsWhatStandsBetweenBackquotes(t *testing.T) {
	for _, test := range []struct {
		command, says string
		class         class
	}{
		{"gh pr comment 7 --body \"Replaces `watch` by `prepare`.\"", "zsh:1: command not found: watch", shellSyntax},
		{"gh pr comment 7 --body \"Replaces `watch` by `prepare`.\"", "/bin/bash: line 1: prepare: command not found", shellSyntax},
		{"gh pr comment 7 --body \"See `docs/a.md`\"", "zsh:1: permission denied: docs/a.md", shellSyntax},
		{"cat > notes.md <<EOF\nSet `sync.policy` first\nEOF", "zsh:1: command not found: sync.policy", shellSyntax},
		{"gh pr comment 7 --body 'Replaces `watch`'; watch", "zsh:1: command not found: watch", notRunnable},
		{"watch --body \"of `date`\"", "zsh:1: command not found: watch", notRunnable},
		{"echo $(watch)", "zsh:1: command not found: watch", notRunnable},
		{"gh issue comment 7 --body \"Use `prepare` and `watch`.\"", "zsh:1: command not found: prepare\nwatch: error: found 1 error", shellSyntax},
		{"docker ps", "(eval):1: command not found: docker", notRunnable},
	} {
		if got := faultIn(test.command, "Exit code 1\n"+test.says).class; got != test.class {
			t.Errorf("%s: %v, want %v", test.command, got, test.class)
		}
	}
}

// It is one failure, whatever stood between them.
func TestBackquotesAreOneFailure(t *testing.T) {
	told := func(word string) []finding {
		return found(errorFixes{}, story{
			bash("gh pr comment 7 --body \"Replaces `"+word+"` by another one\"", fail, "Exit code 127\nzsh:1: command not found: "+word),
			bash("gh pr comment 7 --body 'Replaces `"+word+"` by another one'", ok, ""),
		})
	}
	a, b := told("watch"), told("prepare")
	if len(a) != 1 || len(b) != 1 {
		t.Fatalf("%d and %d findings", len(a), len(b))
	}
	if a[0].failure.Fingerprint() != b[0].failure.Fingerprint() {
		t.Error("the word makes another failure")
	}
}
