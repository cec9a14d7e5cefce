// Package gitstate answers what git knows about a repository: where it lies,
// what an object holds, what is staged, what history says of a path, and
// whether an operation is in progress. Nothing here interprets the answers.
//
// There are two adapters: the user's git binary, and go-git's plumbing packages
// for what can be read in process. Both pass the same conformance suite.
package gitstate

import (
	"context"
	"errors"
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
)

// Errors that callers branch on. Any other failure of the git program is a
// [*GitError].
var (
	// ErrNoRepository: the directory is in no git repository.
	ErrNoRepository = gitdir.ErrNoRepository
	// ErrNoHistory: the adapter cannot answer questions about history.
	ErrNoHistory = errors.New("no history without the git program")
	// ErrUnsupported: the repository uses a format that the adapter cannot read.
	ErrUnsupported = gitdir.ErrUnsupported
	// ErrOwner: git refuses the repository because it belongs to another user
	// (safe.directory).
	ErrOwner = errors.New("repository belongs to another user")
)

// Location is where a repository lies (fact F0).
type Location = gitdir.Location

// Object is the answer to one object name (fact F2).
type Object struct {
	Name    string // as asked: "HEAD^{commit}", ":0:path", "HEAD:path", an object id
	OID     string
	Type    string // blob, tree, commit, tag
	Data    []byte // only when contents were asked; nil: more than MaxContent
	Missing bool   // no such object, or one that cannot be read, as in a partial clone
}

// MaxContent is the largest content that Objects reads, in bytes.
const MaxContent = 32 << 20

// IndexEntry is one line of the index (fact F4).
type IndexEntry struct {
	Path   string
	Mode   string // 100644, 120000, 160000 …
	OID    string
	Stage  int  // 1-3: unmerged
	Skip   bool // skip-worktree (sparse)
	Assume bool // assume-unchanged
}

// Change is one changed path of a raw diff.
type Change struct {
	Status           string // A, D, M, T, R, C
	OldMode, NewMode string
	OldOID, NewOID   string
	Path             string // the new path, or the only one
	OldPath          string // of R and C
}

// Commit is one commit of a walk, with the changes against one parent. A merge
// appears once per parent.
type Commit struct {
	OID     string
	Parents []string
	Author  string    // name <email>
	Subject string    // the message's first line
	Time    time.Time // committer time
	Changes []Change
}

// Walk says which history to read (facts F6 and F9).
type Walk struct {
	All    bool      // every ref, other work trees' HEADs, all entries of the stash
	Reflog bool      // with All: what reflogs reach too; alone: what only reflogs reach
	Since  time.Time // zero: from the beginning
	Paths  []string  // at most about eight
	// Removals leaves out all changes but removals, and finds renames (D and R):
	// for walks over everything, since paths would hide where a file went.
	Removals bool
	// From limits the walk to commits reachable from it; empty: HEAD.
	From string
}

// Repository is what reconcile, render and check ask of git. Every method reads
// only; none starts a hook, a filter, a pager or a network connection. Paths
// are relative to the top of the work tree, with slashes. A value serves one
// goroutine at a time; Close it when done.
type Repository interface {
	Location() Location
	// Operation names the merge, rebase, cherry-pick, revert, bisect or am in
	// progress in this work tree (fact F1); empty: none. "index.lock" is one.
	Operation() (string, error)
	// Head is the commit id of HEAD, empty while unborn.
	Head(ctx context.Context) (string, error)
	// Objects answers each name, in order (fact F2). Contents are read only if asked.
	Objects(ctx context.Context, names []string, contents bool) ([]Object, error)
	// Index lists the entries below the given folders (fact F4).
	Index(ctx context.Context, folders []string) ([]IndexEntry, error)
	// Staged is HEAD against the index with renames found (fact F5).
	Staged(ctx context.Context) ([]Change, error)
	// Log walks history newest first, merges against each parent, no rename
	// detection (facts F6 and F9).
	Log(ctx context.Context, w Walk) ([]Commit, error)
	// Renames are the changes of the given commits with renames found (fact F7).
	Renames(ctx context.Context, commits []string) ([]Commit, error)
	// Ignored says which of the paths an ignore rule covers, tracked or not (fact F8).
	Ignored(ctx context.Context, paths []string) (map[string]bool, error)
	// Reach says of each commit whether it is behind HEAD, reachable from some
	// other ref, reachable from none, or unknown here (fact F10).
	Reach(ctx context.Context, commits []string) (map[string]Reach, error)
	// RefsDigest changes whenever refs, stash, reflog of HEAD or shallow do (fact F11).
	RefsDigest(ctx context.Context) (string, error)
	// WorkTrees are the tops of this clone's work trees, the main one and linked
	// ones, as far as they exist; it starts no process.
	WorkTrees() []string
	// Search lists the tracked text files of the work tree that hold one of the
	// words, sorted.
	Search(ctx context.Context, words []string) ([]string, error)
	// IndexStamp changes whenever the index file or HEAD does; it starts no process.
	IndexStamp() (string, error)
	// Processes is how many git processes this value has started: a test's yardstick.
	Processes() int
	// Close ends the processes and files that the value holds.
	Close() error
}

// Program is a repository of which the git program answers more.
type Program interface {
	Repository
	// Branches lists the local branches by their full names, sorted.
	Branches(ctx context.Context) ([]string, error)
	// Identity is the person whom git's configuration names; empty where it names none.
	Identity(ctx context.Context) (name, email string, err error)
	// Committed lists the commits that were made in this clone with git commit, as the
	// reflogs of its work trees record it.
	Committed() ([]string, error)
	// Compare says what HEAD adds to a revision. An unknown one is a *GitError.
	Compare(ctx context.Context, revision string) (Comparison, error)
	// LocalConfig is the repository's own configuration (.git/config), by full name with
	// the section and the last part in lower case. The last of several values counts.
	LocalConfig(ctx context.Context) (map[string]string, error)
	SetLocalConfig(ctx context.Context, name, value string) error
	// RemoveLocalSection takes out a section, such as "merge.lessons-log".
	RemoveLocalSection(ctx context.Context, section string) error
	// Words says which text files of a revision's tree hold each of the words.
	Words(ctx context.Context, revision string, words []string) (map[string][]string, error)
}

var _ Program = (*execRepo)(nil)

// Reach is where a commit stands.
type Reach int

const (
	Unknown     Reach = iota // no such commit here
	BehindHead               // HEAD's history contains it
	Elsewhere                // some other ref contains it
	Unreachable              // it exists, and no ref contains it
)
