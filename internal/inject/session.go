package inject

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Places are the folders that may hold what a session leaves behind, absolute
// paths, the best first: the work tree's own git directory (or what stands for
// it), then the fallbacks for a git directory that cannot be written. Empty ones
// do not count.
type Places struct {
	GitDir     string // sessions lie in <GitDir>/lessons/sessions
	RuntimeDir string // XDG_RUNTIME_DIR
	TempDir    string // TMPDIR; shared with others
}

// PlacesOf are the places for the sessions of a work tree by its git directory and
// by a person's environment.
func PlacesOf(gitDir string, env func(string) string) Places {
	return Places{GitDir: gitDir, RuntimeDir: env("XDG_RUNTIME_DIR"), TempDir: cmp.Or(env("TMPDIR"), os.TempDir())}
}

// sessions lists the folders that hold sessions, best first.
func (p Places) sessions() []string {
	var dirs []string
	tree := prefix("tree", p.GitDir)
	if p.GitDir != "" {
		dirs = append(dirs, filepath.Join(p.GitDir, "lessons", "sessions"))
	}
	if p.RuntimeDir != "" {
		dirs = append(dirs, filepath.Join(p.RuntimeDir, "lessons-"+tree))
	}
	if p.TempDir != "" {
		dirs = append(dirs, filepath.Join(p.TempDir, fmt.Sprintf("lessons-%d-%s", os.Getuid(), tree)))
	}
	return dirs
}

// Session is what one agent of one session left behind: which lessons it was
// shown, and what the session did. The agent's session id is only ever used as a
// hash. Nothing is created before there is something to remember, and everything
// may vanish at any time: that costs a lesson shown twice.
//
// The hook's small files are written here and not through the file system seam of
// the rest of the program, because they need neither locks nor durability, and
// the hook's start must not pay for those.
type Session struct {
	places Places
	key    string // of the session; empty: unknown, nothing is remembered
	agent  string // of the agent in it
	secret []byte // keys the hashes of words in traces
}

// mainAgent is the name of the main agent's folder; sub-agents have hashes.
const mainAgent = "main"

// OpenSession names a session and the sub-agent in it, "" for the main agent. It
// touches no file.
func OpenSession(places Places, session, agent string) *Session {
	s := &Session{places: places, agent: mainAgent}
	if session == "" {
		return s
	}
	s.key = prefix("session", session)
	sum := sha256.Sum256([]byte("words\x00" + session))
	s.secret = sum[:]
	if agent != "" {
		s.agent = prefix("agent", agent)
	}
	return s
}

// prefix is 128 bits of a hash, as a file name.
func prefix(kind, text string) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + text))
	return hex.EncodeToString(sum[:16])
}

// errNoPlace says that nothing about this session can be remembered.
var errNoPlace = errors.New("no place for what a session leaves behind")

// existing lists the session's folders that are there and safe to read.
func (s *Session) existing() []string {
	if s.key == "" {
		return nil
	}
	var found []string
	for _, dir := range s.places.sessions() {
		own := filepath.Join(dir, s.key)
		if _, err := os.Lstat(own); err == nil && private(dir) == nil && private(own) == nil {
			found = append(found, own)
		}
	}
	return found
}

// create returns the session's folder, made where it can be.
func (s *Session) create() (string, error) {
	if s.key == "" {
		return "", errNoPlace
	}
	err := errNoPlace
	for _, dir := range s.places.sessions() {
		own := filepath.Join(dir, s.key)
		if s.prepare(dir, own) == nil {
			return own, nil
		}
	}
	return "", err
}

func (s *Session) prepare(dir, own string) error {
	parent := filepath.Dir(dir)
	if parent == filepath.Join(s.places.GitDir, "lessons") && s.places.GitDir != "" {
		if err := os.Mkdir(parent, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if info, err := os.Lstat(parent); err != nil || !info.IsDir() {
			return errNoPlace
		}
	}
	for _, d := range []string{dir, own, filepath.Join(own, s.agent)} {
		if err := os.Mkdir(d, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if err := private(d); err != nil {
			return err
		}
	}
	return nil
}

// private says whether a folder is a real one that this user alone can write
// and list.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || !ownedByUs(info) {
		return errNoPlace
	}
	return nil
}

// Begin notes when a session began; the first call counts.
func (s *Session) Begin() {
	if dir, err := s.create(); err == nil {
		_, _ = createOnce(filepath.Join(dir, "started"))
	}
}

// Began is when the session began as far as it is known, else the zero time.
func (s *Session) Began() time.Time {
	for _, dir := range s.existing() {
		if info, err := os.Lstat(filepath.Join(dir, "started")); err == nil && info.Mode().IsRegular() {
			return info.ModTime()
		}
	}
	return time.Time{}
}

// createOnce reports whether this call created the file: of any number of
// callers one does.
func createOnce(name string) (bool, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, f.Close()
}

// appendTo puts data at the end of a regular file, in one write, and makes the
// file where there is none.
func appendTo(name string, data []byte) error {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return errNoPlace
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Sweep removes sessions of this work tree that were not touched since before,
// at most limit of them, and says how many. It is for commands, never for hooks.
func Sweep(places Places, before time.Time, limit int) (int, error) {
	removed := 0
	var failed error
	for _, dir := range places.sessions() {
		if private(dir) != nil {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		for _, e := range entries {
			own := filepath.Join(dir, e.Name())
			if removed >= limit || len(e.Name()) != 32 || !e.IsDir() || !lastTouched(own).Before(before) {
				continue
			}
			if err := os.RemoveAll(own); err != nil {
				failed = errors.Join(failed, err)
				continue
			}
			removed++
		}
	}
	return removed, failed
}

// lastTouched is the newest change of a folder and of what lies directly in it.
func lastTouched(dir string) time.Time {
	var newest time.Time
	see := func(name string) {
		if info, err := os.Lstat(name); err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
	}
	see(dir)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		see(filepath.Join(dir, e.Name()))
	}
	return newest
}
