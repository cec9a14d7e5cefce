package agent

import (
	"strings"
	"testing"
)

func TestPatchNamesFilesAndNewText(t *testing.T) {
	for _, c := range []struct {
		body, paths, content string
		added                bool
	}{
		{"*** Begin Patch\n*** Add File: new.txt\n+x\n+*** Delete File: not.txt\n*** End Patch", "new.txt", "x\n*** Delete File: not.txt", true},
		{"*** Begin Patch\r\n*** Update File: a b.txt\r\n*** Move to: sub/c.txt\r\n@@ func\r\n-hi\r\n+hello\r\n same\r\n*** End Patch", "a b.txt|sub/c.txt", "hello", false},
		{"*** Add File: a\n+1\n*** Delete File: b\n", "a|b", "1", false},
		{"*** Update File: \n", "", "", false},
		{"no patch at all", "", "", false},
		{"", "", "", false},
	} {
		paths, content, added := patch(c.body)
		if strings.Join(paths, "|") != c.paths || content != c.content || added != c.added {
			t.Errorf("%q: got %v %q %v", c.body, paths, content, added)
		}
	}
}

// TestOutcomeIsOnlySaidWhereItIsKnown: a command's exit status is not in the
// payload, so a failure that does not show is unclear and never a success.
func TestOutcomeIsOnlySaidWhereItIsKnown(t *testing.T) {
	for _, c := range []struct {
		tool, text      string
		failed, unclear bool
	}{
		{"Bash", "/bin/bash: line 1: pytest: command not found\n", true, false},
		{"Bash", "out\nbash: ./x.sh: Permission denied", true, false},
		{"Bash", "sh: 1: foo: not found\n", true, false},
		{"Bash", "zsh: command not found: foo", false, true},
		{"Bash", "bash: x: command not found\nand went on\n", false, true},
		{"Bash", "FAIL\n", false, true},
		{"Bash", "", false, true},
		{"apply_patch", "Exit code: 0\nWall time: 0 seconds\n", false, false},
		{"apply_patch", "Exit code: 1\nOutput:\nno", true, false},
		{"apply_patch", "something else", false, true},
		{"view_image", "", false, false},
	} {
		failed, unclear := codexOutcome(c.tool, c.text)
		if failed != c.failed || unclear != c.unclear {
			t.Errorf("%s %q: failed %v, unclear %v", c.tool, c.text, failed, unclear)
		}
	}
}
