//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/mockmodel"
)

// faults are what can be wrong when a hook runs, as lines of the shell that stand in for
// lessons' programs: $index is the index, $git the git directory, $real the real programs'
// folder, and the arguments are the program's.
var faults = []struct{ name, lines string }{
	{"garbage", `printf 'this is no index' > "$index"`},
	{"truncated", `truncate -s 60 "$index"`},
	{"flipped", `printf '\377' | dd of="$index" bs=1 seek=200 conv=notrunc 2> /dev/null`},
	{"directory", `rm -rf "$index"; mkdir "$index"`},
	{"killed", `kill -9 $$`},
	{"homeless", `unset HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME`},
	{"large", `{ head -c 10000000 /dev/zero | tr '\0' ' '; cat; } | "$real/${0##*/}" "$@"; exit`}, // blanks before the payload
	{"readonly", `exec unshare -m sh -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"' "$git" "$real/${0##*/}" "$@"`},
	{"full", `exec unshare -m sh -c 'mount -t tmpfs -o size=1m full /mnt && cp -a "$0/." /mnt && { cat /dev/zero > /mnt/rest 2> /dev/null; mount --bind /mnt "$0"; exec "$@"; }' "$git/lessons" "$real/${0##*/}" "$@"`},
	{gone, ""},
}

// gone: no such program is on PATH. OpenCode looks for it once a session.
const gone = "gone"

// damage puts programs in the place of lessons' own which run them with the fault that is
// set, and returns how an agent's shell sets one.
func (s *site) damage() (set func(name string) string) {
	s.t.Helper()
	real, state := filepath.Join(s.bin(), "real"), filepath.Join(s.home, "fault")
	var script strings.Builder
	fmt.Fprintf(&script, "#!/bin/sh\nreal=%s git=%s index=%s\ncase $(cat %s 2> /dev/null) in\n", real, filepath.Join(s.root, ".git"), filepath.Join(s.root, ".git", "lessons", "index"), state)
	for _, f := range faults {
		fmt.Fprintf(&script, "%s) %s ;;\n", f.name, f.lines)
	}
	fmt.Fprint(&script, "esac\nexec \"$real/${0##*/}\" \"$@\"\n")
	if err := os.Mkdir(real, 0o755); err != nil {
		s.t.Fatal(err)
	}
	for _, name := range []string{"lessons", "lessons-hook"} {
		if err := os.Rename(filepath.Join(s.bin(), name), filepath.Join(real, name)); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.bin(), name), []byte(script.String()), 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
	command := filepath.Join(s.home, "set-fault")
	s.put(command, fmt.Sprintf(`cd %s
echo $1 > %s
for program in lessons lessons-hook; do
	if [ $1 = gone ]; then mv $program gone-$program; elif [ -e gone-$program ]; then mv gone-$program $program; fi
done
`, s.bin(), state))
	return func(name string) string { return "sh " + command + " " + name }
}

// known writes a lesson of this person's that says something about a command.
func (s *site) known(n int, command, action, fix string) {
	s.t.Helper()
	text := strings.NewReplacer("01M7YN1AECSTOPSTOPSTOPSTOP", fmt.Sprintf("01M7YN1AEC0000000000000%03d", n), "echo forbidden", command,
		"action: auto", "action: "+action, "STOP-FIX", fix).Replace(stopLesson)
	s.put(filepath.Join(s.root, ".lessons", fmt.Sprintf("known-%04d.md", n)), text)
}

// TestFaultsNeverEndASession: whatever is wrong with the index, the disk, the environment or
// the programs when hooks run, the agent's session goes on. Once it is right again, the next
// known mistake is stopped. A session that begins and ends on a full disk is followed by an
// ordinary one.
func TestFaultsNeverEndASession(t *testing.T) {
	if out, err := exec.Command("unshare", "-m", "true").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no file systems can be mounted here: %s", out)
	}
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.find(t)
			s := newSite(t, "--agent", c.name)
			for i, f := range faults {
				s.known(2*i, "echo during "+f.name, "inform", "DURING-"+f.name)
				s.known(2*i+1, "echo after "+f.name, "auto", "AFTER-"+f.name)
			}
			s.known(100, "echo at last", "auto", "AT-LAST")
			s.run("lessons", "trust", "--yes")
			s.run("git", "add", "-A")
			s.run("git", "commit", "-qm", "Lessons")
			set := s.damage()

			var turns []mockmodel.Turn
			for _, f := range faults {
				turns = append(turns, c.runs(set(f.name), "echo during "+f.name+"; "+set("none"), "echo after "+f.name)...)
			}
			said := answers(t, s.session(c, "Look around.", append(turns, says("Done."))...), len(turns))
			for i, f := range faults {
				if during := said[3*i+1]; !strings.Contains(during, "during "+f.name) {
					t.Errorf("%s: the call was not made:\n%s", f.name, during)
				}
				if after := said[3*i+2]; f.name != gone && !strings.Contains(after, "AFTER-"+f.name) || f.name != gone && !strings.Contains(after, "Stopped once") {
					t.Errorf("%s: afterwards the mistake is not stopped:\n%s", f.name, after)
				}
			}

			s.put(filepath.Join(s.home, "fault"), "full")
			s.session(c, "Look around.", append(c.runs("echo nothing"), says("Done."))...)
			s.put(filepath.Join(s.home, "fault"), "none")
			model := s.session(c, "Look around.", append(c.runs("echo at last"), says("Done."))...)
			if said := newAfter(t, model, 0); !strings.Contains(said, "AT-LAST") || !strings.Contains(said, "Stopped once") {
				t.Errorf("after a full disk the mistake is not stopped:\n%s", said)
			}
			if !model.Saw("Lesson protocol v2") {
				t.Error("after a full disk the session does not begin with what is known")
			}
			s.quiet()
		})
	}
}
