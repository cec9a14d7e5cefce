package inject

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// ErrNothingHeld says that the guard held nothing back in any session of this
// work tree, so that there is nothing to allow.
var ErrNothingHeld = errors.New("no session of this work tree was held back by it")

// Allow lets a session pass a guard, for once or until it ends: the session that
// the guard held back last. It is a person's command; whoever offers it refuses it
// to agents.
func Allow(places Places, id string, once bool) error {
	var newest string
	var at time.Time
	for _, dir := range places.sessions() {
		if private(dir) != nil {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			own := filepath.Join(dir, e.Name())
			info, err := os.Lstat(passFile(own, "held", id))
			if err == nil && private(own) == nil && info.ModTime().After(at) {
				newest, at = own, info.ModTime()
			}
		}
	}
	if newest == "" {
		return ErrNothingHeld
	}
	kind := passSession
	if once {
		kind = passOnce
	}
	_, err := createOnce(passFile(newest, kind, id))
	return err
}

const (
	passOnce    = "once"
	passSession = "session"
)

func passFile(dir, kind, id string) string {
	return filepath.Join(dir, kind+"-"+prefix("lesson", id))
}

// hold notes that a guard held something back.
func (s *Session) hold(id string) {
	dir, err := s.create()
	if err != nil {
		return
	}
	name := passFile(dir, "held", id)
	if won, err := createOnce(name); err == nil && !won {
		now := time.Now()
		_ = os.Chtimes(name, now, now)
	}
}

// allowed says whether a person let this session pass; what is allowed once is
// used up by the call that hears so.
func (s *Session) allowed(id string) bool {
	return slices.ContainsFunc(s.existing(), func(dir string) bool {
		return exists(passFile(dir, passSession, id)) || os.Remove(passFile(dir, passOnce, id)) == nil
	})
}
