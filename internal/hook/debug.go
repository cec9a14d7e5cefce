package hook

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
)

// decided is one decision of a hook, as the setting debug has it written down. It holds
// nothing of what was called.
type decided struct {
	event  agent.Event
	found  int // lessons that are about the event
	what   inject.Decision
	began  time.Time
	ending time.Time
}

// maxDebugLog is how large the file may become before it is begun anew, in bytes.
const maxDebugLog = 1 << 20

// write appends the decision to hooks.log in the git directory. What cannot be written is
// lost: a hook never fails for it.
func (d decided) write(gitDir string) {
	dir := filepath.Join(gitDir, "lessons")
	name := filepath.Join(dir, "hooks.log")
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	switch info, err := os.Lstat(name); {
	case err != nil:
		if os.MkdirAll(dir, 0o777) != nil {
			return
		}
	case !info.Mode().IsRegular():
		return
	case info.Size() > maxDebugLog:
		flags |= os.O_TRUNC
	}
	file, err := os.OpenFile(name, flags, 0o600)
	if err != nil {
		return
	}
	_, _ = file.WriteString(d.line())
	_ = file.Close()
}

// line tells when, of what, what was found and told, and how long that took.
func (d decided) line() string {
	tool := ""
	if d.event.Call != nil {
		tool = d.event.Call.Tool
	}
	told := cmp.Or(strings.Join(d.what.Injected, ","), "-")
	return fmt.Sprintf("%s %s %q found=%d verdict=%s told=%s dropped=%d bytes=%d ms=%.1f\n",
		d.began.UTC().Format(time.RFC3339), d.event.Name, tool, d.found, cmp.Or(string(d.what.Verdict), "none"), told,
		len(d.what.Dropped), len(d.what.Context)+len(d.what.Reason), float64(d.ending.Sub(d.began))/float64(time.Millisecond))
}
