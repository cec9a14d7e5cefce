// store Package store reads what is known in a work tree, and is the one place that
// writes it.
package store

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/verdict"
)

// Places says where a work tree's knowledge lies. All paths are absolute.
type Places struct {
	Root   string // top of the work tree
	Local  string // <git dir of the work tree>/lessons: lock, memo, index, spool
	Shared string // <git common dir>/lessons: log, ledger, ids lock, scan state
}

// Names of the stored files in the folders that are not in the work tree.
const (
	logName    = "learning-log.jsonl"
	ledgerName = "ledger.jsonl"
	lockName   = "lock"
	cacheName  = "lessons-cache"
)

// Files are the log and the ledger.
func (s *Store) Files() []string {
	return []string{filepath.Join(s.Places.Shared, logName), filepath.Join(s.Places.Shared, ledgerName)}
}

// Limits of what is read into memory, in bytes.
const (
	maxLog      = 256 << 20
	maxLedger   = 64 << 20
	maxManifest = 32 << 20
	maxCache    = 256 << 20
)

// defaultWait is how long a command waits for another one (reliability 2.3).
const defaultWait = 5 * time.Second

// Store reads and writes the knowledge of one work tree. Reading takes no lock;
// [Store.Apply] takes one for everything it writes.
type Store struct {
	FS     fsx.FS
	Places Places
	// Tracked says whether git tracks a path of the work tree; nil: none is. A
	// tracked log in the work tree is the log, another is further evidence.
	Tracked func(path string) bool
	// CloneKey is random and this clone's own: names of files that it makes depend on
	// it. nil: there are no clones.
	CloneKey func() (string, error)
	// Hook says that no person asked: what git tracks is left alone, and so is every
	// path that another clone may make. It waits for the next command of a person.
	Hook bool
	// LogInTree keeps the log in the work tree whatever the settings say, as
	// where there is no git.
	LogInTree bool
	// Base are the settings below the repository's; nil: the defaults.
	Base *config.Config
	// Vouched says whether this person stands for the repository's settings, nil where there
	// are none, and which they stood for last. Nil: they stand for all.
	Vouched func(data []byte) (trusted bool, last []byte)
	// LookAtOwn has the commits looked at that this person made here, and says whether there
	// were new ones.
	LookAtOwn func() bool
	// Cache says who caches parsed lessons, and since when this runs; nobody does where it is
	// zero.
	Cache artifact.Cache
	// Wait is how long to wait for another process; 0: five seconds.
	Wait time.Duration
}

func (s *Store) tracks(path string) bool { return s.Tracked != nil && s.Tracked(path) }

// New returns the store of a work tree.
func New(fsys fsx.FS, places Places) *Store { return &Store{FS: fsys, Places: places} }

// Snapshot is everything that is known in a work tree, as it was read. What could
// not be read is a problem and hides nothing else.
type Snapshot struct {
	Config     config.Config
	ConfigData []byte // of the settings file; nil: there is none
	// Withheld are settings of that file that would protect less than before and that nobody
	// here reviewed: they do not hold.
	Withheld []string
	// Log is the observation log, joined with what lies in the other place.
	Log *observe.Log
	// LogDoubted says that git tracks a log of which nobody here knows who wrote it: it is not read.
	LogDoubted bool
	// Manifest is empty when it cannot be read; ManifestErr then says why
	// (*manifest.Error, or one of the file system).
	Manifest            *manifest.Manifest
	ManifestErr         error
	Ledger              []verdict.Event
	Artifacts           []artifact.Artifact
	Decisions, Pitfalls []entry.Entry
	Waiting             []entry.Entry // hold too, and are in no file of the work tree yet
	Lessons             []*lesson.Lesson
	Problems            []knowledge.Problem

	files map[string][]byte // by path, as read
}

// Before returns the content of a file of the artifact folders as it was read,
// for [Change.Before]; nil: there was none, or it was not read.
func (s *Snapshot) Before(path string) []byte { return s.files[path] }

// Entries are the decisions and the pitfalls.
func (s *Snapshot) Entries() []entry.Entry { return slices.Concat(s.Decisions, s.Pitfalls) }

// BookFault says why nothing may be added to the book of a kind; empty: something may.
func (s *Snapshot) BookFault(kind knowledge.Kind) string {
	path := entry.BookPath(kind)
	for _, p := range s.Problems {
		if p.Path == path && (s.Before(path) == nil || p.Rule == "conflict") {
			return p.Said()
		}
	}
	return ""
}

// Lesson is the lesson in a file; nil: there is none.
func (s *Snapshot) Lesson(path string) *lesson.Lesson {
	at, ok := slices.BinarySearchFunc(s.Lessons, path, func(l *lesson.Lesson, path string) int { return strings.Compare(l.Path, path) })
	if !ok {
		return nil
	}
	return s.Lessons[at]
}

// ManifestTexts are the files of the manifest as they were read, by path.
func (s *Snapshot) ManifestTexts() map[string][]byte {
	texts := map[string][]byte{}
	for path, data := range s.files {
		if manifest.IsFile(path) {
			texts[path] = data
		}
	}
	return texts
}

// Change is the new content of one tracked file, planned as a value.
type Change struct {
	Path   string // repository-relative, slashes
	Before []byte // content the plan was made from; nil: the file must not exist
	After  []byte // nil: remove the file
}

// ErrChanged says that somebody changed a file between [Store.Load] and
// [Store.Apply]; the error names it. Nothing was written: load and plan again.
var ErrChanged = fsx.ErrChanged

// ErrLocked says that another process kept the lock.
var ErrLocked = fsx.ErrLocked

// Transaction is what [Store.Apply] does in one step. All parts may be empty.
type Transaction struct {
	Changes []Change
	// Log is joined with what the log holds by then. Observations that were in it
	// when it was loaded and no longer are go, unless they changed meanwhile.
	Log *observe.Log
	// Manifest replaces the one that it was loaded from; one that was not loaded
	// is merged with what is there.
	Manifest *manifest.Manifest
	Ledger   []verdict.Event // appended
}
