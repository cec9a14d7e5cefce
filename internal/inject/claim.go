package inject

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// What a claim is for. Each is given once per lesson and (session, agent).
type claimKind string

const (
	claimShown claimKind = "shown"
	claimStop  claimKind = "stop"
	claimHold  claimKind = "hold" // of a stop, numbered
	claimMet   claimKind = "met"  // its mistake happened after it was shown
	claimTold  claimKind = "told" // a notice, at which call
)

// The counters of a (session, agent): files that grow by a byte at each event,
// so that counting needs no lock and nothing is ever deleted under a reader.
const (
	clears      = "clears"
	compactions = "compactions"
	calls       = "calls" // since the first notice
)

// Cleared forgets what the agent was shown: its context is empty.
func (s *Session) Cleared() error { return s.count(clears) }

// Compacted makes the lessons that are shown again after a compaction claimable
// anew. Of the events that a compaction has, the caller takes one: the one after
// it, since what is shown before is compacted too.
func (s *Session) Compacted() error { return s.count(compactions) }

func (s *Session) count(counter string) error {
	dir, err := s.create()
	if err != nil {
		return err
	}
	return appendTo(filepath.Join(dir, s.agent, counter), []byte{'.'})
}

// epoch is how often something happened to the (session, agent).
func (s *Session) epoch(dir, counter string) string {
	info, err := os.Lstat(filepath.Join(dir, s.agent, counter))
	if err != nil {
		return "0"
	}
	return strconv.FormatInt(info.Size(), 10)
}

// claimName is the file that stands for a claim. What is renewed by a
// compaction carries the count of them.
func (s *Session) claimName(dir string, kind claimKind, id string, renewed bool, round int) string {
	compaction := "0"
	if renewed {
		compaction = s.epoch(dir, compactions)
	}
	name := strings.Join([]string{string(kind), s.epoch(dir, clears), compaction, strconv.Itoa(round), prefix("lesson", id)}, "-")
	return filepath.Join(dir, s.agent, name)
}

// rounds is 1, or 2 for a lesson whose mistake happened after it was shown.
func (s *Session) rounds(dir, id string, renewed bool) int {
	if exists(s.claimName(dir, claimMet, id, renewed, 0)) {
		return 2
	}
	return 1
}

// Shown says whether the lesson was shown to this agent and is not due again.
// Renewed lessons are shown again after a compaction.
func (s *Session) Shown(id string, renewed bool) bool {
	return slices.ContainsFunc(s.existing(), func(dir string) bool {
		return exists(s.claimName(dir, claimShown, id, renewed, s.rounds(dir, id, renewed)-1))
	})
}

// Claim reports whether this call is the one that shows the lesson: of all
// processes of a (session, agent) exactly one is told so. The error says that
// nothing can be remembered here.
func (s *Session) Claim(id string, renewed bool) (bool, error) {
	return s.win(claimShown, id, renewed, func(dir string) int { return s.rounds(dir, id, renewed) })
}

// win claims the first of some rounds that nobody has.
func (s *Session) win(kind claimKind, id string, renewed bool, rounds func(dir string) int) (bool, error) {
	dir, err := s.create()
	if err != nil {
		return false, err
	}
	for round := range rounds(dir) {
		won, err := createOnce(s.claimName(dir, kind, id, renewed, round))
		if won || err != nil {
			return won, err
		}
	}
	return false, nil
}

// Stopped says whether a call was already stopped for the lesson.
func (s *Session) Stopped(id string) bool {
	return slices.ContainsFunc(s.existing(), func(dir string) bool { return exists(s.claimName(dir, claimStop, id, false, 0)) })
}

// ClaimStop reports whether this call is the one that is stopped for the lesson.
// It comes but once, whatever is compacted: nobody is trapped.
func (s *Session) ClaimStop(id string) (bool, error) {
	return s.win(claimStop, id, false, func(string) int { return 1 })
}

// maxHolds is how often a guard holds a stop in a session before it gives up.
const maxHolds = 2

// ClaimHold reports whether the agent may be kept from stopping once more for the
// guard: at most twice.
func (s *Session) ClaimHold(id string) (bool, error) {
	return s.win(claimHold, id, false, func(string) int { return maxHolds })
}

// asked names the file of a session's n-th ask, or of what was asked about.
func (s *Session) asked(dir, of string) string { return filepath.Join(dir, s.agent, "ask-"+of) }

// AskedOut says whether the agent was asked as often as it may be in a session.
func (s *Session) AskedOut(most int) bool {
	return slices.ContainsFunc(s.existing(), func(dir string) bool { return exists(s.asked(dir, strconv.Itoa(most-1))) })
}

// ClaimAsk reports whether the agent is to be asked about a thing, and under which name:
// once about each, whatever is cleared or compacted. Empty: not now.
func (s *Session) ClaimAsk(thing string, most int) (name string) {
	dir, err := s.create()
	if err != nil {
		return ""
	}
	id := prefix("ask", s.key+" "+thing)
	if won, _ := createOnce(s.asked(dir, id)); !won {
		return ""
	}
	for n := range most {
		if won, _ := createOnce(s.asked(dir, strconv.Itoa(n))); won {
			return id[:8]
		}
	}
	return ""
}

// Met notes that the mistake of a lesson happened although it had been shown:
// it is claimable once more. A lesson that was not shown stays as it is.
func (s *Session) Met(id string, renewed bool) error {
	if !s.Shown(id, renewed) {
		return nil
	}
	dir, err := s.create()
	if err != nil {
		return err
	}
	_, err = createOnce(s.claimName(dir, claimMet, id, renewed, 0))
	return err
}

// EverShown says whether the lesson was shown since the last clear, in whatever
// epoch of compaction.
func (s *Session) EverShown(id string) bool {
	for _, dir := range s.existing() {
		entries, err := os.ReadDir(filepath.Join(dir, s.agent))
		if err != nil {
			continue
		}
		head, tail := string(claimShown)+"-"+s.epoch(dir, clears)+"-", "-"+prefix("lesson", id)
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), head) && strings.HasSuffix(e.Name(), tail) {
				return true
			}
		}
	}
	return false
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// StampOf identifies the lessons that a hook asks for: those of a work tree with
// its settings, and the folder of the person's own with theirs.
func StampOf(lstat func(string) (fs.FileInfo, error), root, userFolder string) uint64 {
	var infos []fs.FileInfo
	for _, name := range []string{filepath.Join(root, ".lessons"), filepath.Join(root, ".lessons", "config.json"), userFolder, filepath.Join(filepath.Dir(userFolder), "config.json")} {
		info, err := lstat(name)
		if err != nil {
			info = nil
		}
		infos = append(infos, info)
	}
	return Stamp(infos...)
}

// Stamp identifies the state of the lessons' folder and of further files by
// their modification times, cheaply enough for every tool call. The folder's
// time changes when a lesson is added, removed or replaced by a rename; an edit
// in place is seen by the [Fingerprint] only. A nil info stands for a file that
// is not there.
func Stamp(infos ...fs.FileInfo) uint64 {
	h := uint64(14695981039346656037)
	mix := func(n uint64) {
		for range 8 {
			h = (h ^ n&0xff) * 1099511628211
			n >>= 8
		}
	}
	for _, info := range infos {
		if info == nil {
			mix(0)
			continue
		}
		mix(uint64(info.ModTime().UnixNano()))
		mix(uint64(info.Mode()))
		if !info.IsDir() {
			mix(uint64(info.Size()))
		}
	}
	return h
}

// UserRoot is where a person keeps lessons for all repositories: a folder of the
// shape of a repository, in the person's configuration. home is the home folder.
func UserRoot(env func(string) string, home string) string {
	if dir := env("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "lessons")
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".config", "lessons")
}

// Tick counts a call, once a notice was told: see [Session.ClaimNotice].
func (s *Session) Tick() {
	for _, dir := range s.existing() {
		if name := filepath.Join(dir, s.agent, calls); exists(name) {
			_ = appendTo(name, []byte{'.'})
			return
		}
	}
}

// Noticed says whether a notice was told within the last calls, and whether it was ever
// told to this agent. Within 0 calls is ever.
func (s *Session) Noticed(id string, within int) (lately, ever bool) {
	for _, dir := range s.existing() {
		if at, ok := length(s.noticeName(dir, id)); ok {
			now, _ := length(filepath.Join(dir, s.agent, calls))
			return within == 0 || now-at < int64(within), true
		}
	}
	return false, false
}

// ClaimNotice notes that a notice is told at this call. What was told long ago is
// forgotten, so it may be told again after some calls: the length of the notice's file is
// the number of the call. Two hooks at once may both tell it.
func (s *Session) ClaimNotice(id string) (bool, error) {
	dir, err := s.create()
	if err != nil {
		return false, err
	}
	counter := filepath.Join(dir, s.agent, calls)
	if err := appendTo(counter, nil); err != nil {
		return false, err
	}
	now, _ := length(counter)
	name := s.noticeName(dir, id)
	if err := appendTo(name, nil); err != nil {
		return false, err
	}
	return true, os.Truncate(name, now)
}

// noticeName is the file that stands for a notice since the agent's context was last
// empty.
func (s *Session) noticeName(dir, id string) string {
	return s.claimName(dir, claimTold, id, true, 0)
}

func length(name string) (int64, bool) {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	return info.Size(), true
}
