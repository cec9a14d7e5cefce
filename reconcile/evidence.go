package reconcile

import (
	"time"

	"github.com/lessons-cli/lessons/internal/gitstate"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

// need names the fact that a decision waits for, cheapest first: the driver
// gathers the smallest need of all open rows before any larger one, so that one
// process answers for all of them.
type need int

const (
	nothing          need = iota
	needIndex             // F4, and F2 for the text in the index
	needHead              // F2: the text in HEAD
	needStaged            // F5
	needBranch            // F6 since the oldest render
	needBranchAll         // F6 without a bound: dates can lie
	needRenames           // F7
	needIgnored           // F8
	needTracked           // F12
	needRefs              // F9 --all
	needReflog            // F9 --reflog
	needHeadManifest      // F2: HEAD's manifest
)

// asksHistory says whether a need walks history and therefore runs under the
// caller's deadline.
func (n need) asksHistory() bool { return n >= needBranch && n <= needReflog }

// hold says what a version of a file has of a row's artifact.
type hold int

const (
	unread hold = iota // not in this partial clone
	absent             // another's, or nothing
	bare               // there, but without any marker: a person adopted it
	mine               // there, with its marker
)

// setting is what holds for all rows of a run.
type setting struct {
	git     bool // there is a repository
	unborn  bool // HEAD has no commit
	shallow bool
}

// evidence is what is known about one row whose artifact does not stand at its
// path. Pointers are nil until asked.
type evidence struct {
	row         manifest.Row
	fromHistory bool // the row stands in the manifest's history only
	seen        bool // this work tree has had the artifact
	unbounded   bool // no date bounds the first walk

	path string // where it is looked for: the row's path, later where renames led
	hops int
	// namesake says that path may well be another artifact's: its text has to tell.
	namesake bool

	// Of the work tree, always known.
	elsewhere  []artifact.Artifact // same marker and kind at other places (4.1)
	here       *artifact.Artifact  // at path, after a hop
	outside    string              // why path is not this repository's business (4.2)
	folderGone bool

	index   *indexFact
	head    *hold
	staged  *[]string // where the staged change took it
	branch  *removalFact
	targets *[]string // where the removing commit took it
	ignored *bool
	tracked *[]string // files anywhere that git tracks and that have it
	refs    *sightingFact
	reflog  *sightingFact

	inHeadManifest *bool

	late      bool // history was not asked in time
	noHistory bool // nobody here can be asked about history
}

// indexFact is F4 for one path.
type indexFact struct {
	has      bool
	entry    gitstate.IndexEntry
	gitlink  string // an ancestor that is a submodule
	unmerged bool
	text     hold
	intent   bool // added with --intent-to-add: an empty blob that HEAD does not have
}

// removalFact is F6 for one row.
type removalFact struct {
	found     *removal
	unread    bool // an old version could not be read
	unbounded bool // the whole of history was asked
}

// removal is the newest commit that took the artifact away.
type removal struct {
	commit, author string
	at             time.Time
}

// sightingFact is F9 for one row.
type sightingFact struct {
	commit  string // empty: in none
	removed bool   // and a later commit took it away
	unread  bool
}

// follow restarts the evidence at the place a rename led to.
func (e *evidence) follow(path string) {
	e.path, e.hops = path, e.hops+1
	e.elsewhere = nil
	e.index, e.head, e.staged, e.branch, e.targets, e.ignored = nil, nil, nil, nil, nil, nil
	e.tracked, e.refs, e.reflog = nil, nil, nil
}
