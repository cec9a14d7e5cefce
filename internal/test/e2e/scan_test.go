//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scanned returns what lessons scan finds in the sessions of this repository,
// without being told where they are.
func (d *delivered) scanned() string {
	d.t.Helper()
	cmd := exec.Command(filepath.Join(d.bin, "lessons"), "scan", "--all", "--dry-run", "--json")
	cmd.Dir = d.root
	cmd.Env = []string{"HOME=" + d.home, "USER=dev", "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestSessionsOfEveryAgentAreRead: a mistake and its fix in a session that the
// real client wrote, wherever it keeps it.
func TestSessionsOfEveryAgentAreRead(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.find(t)
			d := newDelivery(t, c.name)
			d.session(c, "run the tests", append(c.runs("git status --no-such-option", "git status --short"), says("done"), says("done"))...)
			if out := d.scanned(); strings.Count(out, `"kind":"error-fix"`) != 1 || !strings.Contains(out, "git status --no-such-option") {
				t.Errorf("scan found %s", out)
			}
		})
	}
}
