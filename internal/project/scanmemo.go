package project

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/scan"
)

// A scan is started at nearly every event of an agent, and most of the time
// nothing is new. The memo says in one line what all session files looked like
// when a scan had read them all, so that such a scan asks for their sizes and
// times and for nothing else. It is an optimisation: without it a scan takes
// longer.

// rewriteAfter is how old the stored state of a scan may become before a scan
// that finds nothing new stores it again: its time tells people and hooks when
// the last scan was.
const rewriteAfter = time.Hour

func (p *Project) scanMemoPath() string { return p.shared("scan-memo") }

// filesStamp identifies the state of the session files, or is empty where that
// cannot be told without opening one.
func filesStamp(files []scan.File, o ScanOptions) string {
	h := sha256.New()
	fmt.Fprintln(h, o.Foreign)
	for _, f := range files {
		if f.Stat == nil {
			return ""
		}
		info, err := f.Stat()
		if err != nil || info.ModTime.IsZero() {
			return ""
		}
		fmt.Fprintf(h, "%s\x00%d\x00%d\x00%s\n", f.Path, info.Size, info.ModTime.UnixNano(), info.ID)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// stateStamp identifies what a memo belongs to besides the sessions: the version of
// lessons, the stored state and the table of what other projects met. It tells when the state was
// stored.
func (p *Project) stateStamp() (stamp string, stored time.Time) {
	info, err := p.FS.Lstat(p.scanStatePath())
	if err != nil {
		return "", time.Time{}
	}
	stored = info.ModTime()
	stamp = fmt.Sprint(p.Version, " ", info.Size(), " ", stored.UnixNano(), " ", fsx.FileID(info))
	if info, err = p.FS.Lstat(p.seenPath()); err == nil {
		stamp += fmt.Sprint(" ", info.Size(), " ", info.ModTime().UnixNano())
	}
	return stamp, stored
}

// nothingNew says that the last scan had read the files as they are now.
func (p *Project) nothingNew(files string, o ScanOptions) bool {
	if files == "" || o.All || o.DryRun {
		return false
	}
	state, stored := p.stateStamp()
	if age := p.Now().Sub(stored); age < 0 || age > rewriteAfter {
		return false
	}
	memo, err := p.FS.ReadFile(p.scanMemoPath())
	return err == nil && strings.TrimSpace(string(memo)) == files+" "+state
}

// keepScanMemo notes what the files looked like before a scan that had no
// trouble with any of them.
func (p *Project) keepScanMemo(files string) {
	if state, _ := p.stateStamp(); files != "" && state != "" {
		_ = fsx.WriteFile(p.FS, p.scanMemoPath(), []byte(files+" "+state+"\n"))
	}
}
