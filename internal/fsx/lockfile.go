package fsx

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// lockByFile is the lock of file systems that have none: a file that is created
// exclusively and says who holds it. It is taken over only from a process of
// this machine that no longer runs, by renaming the file to a name of its own
// and reading it again there, so that of two takers one wins. A holder on
// another machine cannot be judged from here: that is an error, never a take-over.
func lockByFile(name string, deadline time.Time) (unlock func() error, err error) {
	held := name + ".held"
	for {
		mine := holder{nonce: rand.Text(), host: hostName(), pid: os.Getpid()}
		f, err := os.OpenFile(held, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			_, err = f.WriteString(mine.String())
			if err = errors.Join(err, f.Close()); err != nil {
				_ = os.Remove(held)
				return nil, err
			}
			return func() error { return os.Remove(held) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("lock %s: %w", name, WithoutPath(err))
		}
		if takeOver(held, mine) {
			continue
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("%w (it holds %s)", ErrLocked, held)
		}
		time.Sleep(lockMaxPause)
	}
}

// holder is who wrote a lock file.
type holder struct {
	nonce, host string
	pid         int
}

func (h holder) String() string { return fmt.Sprintf("%s %d %s\n", h.nonce, h.pid, h.host) }

func readHolder(name string) (holder, bool) {
	data, err := os.ReadFile(name)
	if err != nil {
		return holder{}, false
	}
	fields := strings.Fields(string(data))
	if len(fields) != 3 {
		return holder{}, false
	}
	pid, err := strconv.Atoi(fields[1])
	return holder{nonce: fields[0], host: fields[2], pid: pid}, err == nil
}

// takeOver removes the lock file of a process that died. A file that was just
// created and is still empty has a holder that is not known: it stays.
func takeOver(held string, mine holder) bool {
	other, ok := readHolder(held)
	if !ok || other.host != mine.host || alive(other.pid) {
		return false
	}
	aside := held + "." + mine.nonce
	if err := os.Rename(held, aside); err != nil {
		return false
	}
	again, ok := readHolder(aside)
	if ok && again != other {
		// Somebody else took over and locked between the two calls: give it back.
		_ = os.Rename(aside, held)
		return false
	}
	return os.Remove(aside) == nil
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil || len(strings.Fields(name)) != 1 {
		return "unknown-host"
	}
	return name
}
