package scan

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/lessons-cli/lessons/knowledge"
)

// One bad session must not stop learning. A session that makes a scan panic, that
// exceeds a limit, or that was open when two scans died, is reported, skipped and
// recorded in the scan state. It is tried again when the file or the version of
// lessons changes.

// Marker notes which files are open, so that the next scan knows what a scan was
// reading when it died without a word: of a stack overflow, or killed.
type Marker interface {
	Deaths(path string) int // scans that died in a row while the file was open
	Opened(path string)     // before the file is read
	Closed(path string)     // the file was read, or is recorded as skipped
}

// noMarker notes nothing.
type noMarker struct{}

func (noMarker) Deaths(string) int { return 0 }
func (noMarker) Opened(string)     {}
func (noMarker) Closed(string)     {}

// maxDeaths is how many scans may die on a file. The first may have been killed by
// a person, while other files were open too; so the second reads the file alone.
const maxDeaths = 2

// Limits bound the work on one session by what can be counted, never by time.
type Limits struct {
	Bytes  int64
	Events int
}

// DefaultLimits are many times what the longest sessions need.
var DefaultLimits = Limits{Bytes: 4 << 30, Events: 2_000_000}

var (
	errBytes  = errors.New("the session is larger than a scan reads")
	errEvents = errors.New("the session has more events than a scan reads")
)

// skipped is why a session was not read, in the scan state.
type skipped struct {
	Why     string `json:"why"`
	Version string `json:"version"` // of lessons
}

// skip records the file, as it is now, as one that is not tried again. What an
// earlier scan read of it stays known.
func (v *visit) skip(info FileInfo, why string) *notice {
	if info == (FileInfo{}) && v.file.Stat != nil {
		info, _ = v.file.Stat()
	}
	v.next, v.moved = v.known, true
	v.next.Size, v.next.Inode, v.next.MTime = info.Size, info.ID, 0
	if !info.ModTime.IsZero() {
		v.next.MTime = info.ModTime.UnixMilli()
	}
	v.next.Skipped = &skipped{why, v.Version}
	told := skipProblem(v.file.Path, v.next)
	return &notice{problem: &told}
}

// faultOf describes a panic. Its value may hold words of the session, which must not
// be stored, unless Go's runtime made it.
func faultOf(value any) string {
	if err, ok := value.(runtime.Error); ok {
		return fmt.Sprintf("the scan failed inside (%v)", err)
	}
	return fmt.Sprintf("the scan failed inside (%T)", value)
}

// divide separates the visits into those that are made beside each other and those of
// suspects, which are made alone at the end. What killed two scans is not visited.
func (r *run) divide(ahead []*visit) (together, alone []*visit) {
	for _, v := range ahead {
		switch n := r.Marker.Deaths(v.file.Path); {
		case n >= maxDeaths:
			r.bury(v)
		case n > 0 || v.known.Skipped != nil:
			alone = append(alone, v)
		default:
			together = append(together, v)
		}
	}
	return together, alone
}

// bury records a file on which scans died.
func (r *run) bury(v *visit) {
	r.take(v, v.skip(FileInfo{}, "scans died while they read it"))
	r.state.files[v.file.Path] = v.next
	r.Marker.Closed(v.file.Path)
	v.progress(int(v.unread))
}

func skipProblem(path string, f fileState) knowledge.Problem {
	return knowledge.Problem{Path: path, Rule: "session-skipped", Text: fmt.Sprintf(
		"This session (%d bytes) was skipped: %s. It is tried again when the file or the version of lessons changes; please report it.", f.Size, f.Skipped.Why)}
}

// Skipped lists the sessions that a scan state records as skipped, by path.
func Skipped(data []byte) []knowledge.Problem {
	s, _ := parseState("", data)
	var all []knowledge.Problem
	for path, f := range s.files {
		if f.Skipped != nil {
			all = append(all, skipProblem(path, f))
		}
	}
	slices.SortFunc(all, func(a, b knowledge.Problem) int { return cmp.Compare(a.Path, b.Path) })
	return all
}
