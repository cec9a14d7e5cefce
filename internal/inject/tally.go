package inject

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Tally counts calls and what became of them, for [ScoringEvidence]: files in
// <git dir>/lessons/evidence whose length is the count. A hook appends a byte, so
// that counting needs no lock; nothing of a call is stored. The names are hashes of
// lesson and trigger: to change a trigger is to begin anew.
type Tally struct{ git, dir string }

// maxCount is the greatest count. When that many calls are counted, counting
// ends.
const maxCount = 1 << 20

const (
	tallyCalls  = "calls"
	tallyBefore = "before" // calls that ended before the lesson was counted
)

// OpenTally names the counters of a work tree by its git directory. It touches no
// file.
func OpenTally(gitDir string) Tally {
	return Tally{git: gitDir, dir: filepath.Join(gitDir, "lessons", "evidence")}
}

// tallyKey names a lesson with its trigger.
func tallyKey(l *Lesson) string {
	e := &encoder{}
	e.text(&l.ID)
	l.Trigger.fields(e)
	sum := sha256.Sum256(e.b)
	return hex.EncodeToString(sum[:16])
}

// Begin makes the lessons counted from now on; what is counted already stays.
func (t Tally) Begin(lessons []Lesson) error {
	if err := t.create(); err != nil {
		return err
	}
	calls := int64(t.length(tallyCalls))
	for i := range lessons {
		name := filepath.Join(t.dir, tallyKey(&lessons[i])+"."+tallyBefore)
		won, err := createOnce(name)
		if won && calls > 0 {
			err = os.Truncate(name, calls)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Count counts a call that ended, and the lessons whose triggers it matched.
func (t Tally) Count(lessons []Lesson, outcome Outcome) error {
	if err := t.create(); err != nil {
		return err
	}
	if t.length(tallyCalls) >= maxCount {
		return nil
	}
	failed := t.add(tallyCalls)
	for i := range lessons {
		failed = errors.Join(failed, t.add(tallyKey(&lessons[i])+"."+string(outcome)))
	}
	return failed
}

// Of returns what was counted for a lesson.
func (t Tally) Of(l *Lesson) Counts {
	key := tallyKey(l)
	if private(t.dir) != nil || !exists(filepath.Join(t.dir, key+"."+tallyBefore)) {
		return Counts{}
	}
	c := Counts{
		Calls:  t.length(tallyCalls) - t.length(key+"."+tallyBefore),
		Failed: t.length(key + "." + string(Failed)), OK: t.length(key + "." + string(OK)),
	}
	c.Matched = c.Failed + c.OK + t.length(key+"."+string(Unclear))
	return c.sound()
}

func (t Tally) create() error {
	if t.git == "" {
		return errNoPlace
	}
	parent := filepath.Dir(t.dir)
	if info, err := os.Lstat(parent); err != nil || !info.IsDir() {
		return errNoPlace // what counts has compiled before
	}
	if err := os.Mkdir(t.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return private(t.dir)
}

// length is the count of a file; 0 when there is none.
func (t Tally) length(name string) int {
	info, err := os.Lstat(filepath.Join(t.dir, name))
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return int(min(info.Size(), maxCount))
}

func (t Tally) add(name string) error {
	return appendTo(filepath.Join(t.dir, name), []byte{'.'})
}
