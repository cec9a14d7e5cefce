package scan

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/ask"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/said"
)

// Input is what a scan works on.
type Input struct {
	Files []File // in any order
	// Beside opens a file that is not among Files, such as the session of a
	// sub-agent whose file is scanned alone; nil: only Files are known.
	Beside   func(path string) (File, bool)
	State    []byte         // what the last scan returned; nil: from the beginning
	All      bool           // from the beginning, whatever State says, but for what was skipped
	Version  string         // of lessons, by which a session that was skipped is tried again
	Said     []said.Message // what people talked about in sessions that earlier scans read
	Marker   Marker         // nil: nobody asks what was open when a scan died
	Limits   Limits         // of one session; zero: [DefaultLimits]
	Log      *observe.Log
	Redactor *redact.Redactor
	Now      time.Time // noted in the state

	// Root is the top of the work tree, absolute. A session whose working
	// directory lies outside of it and of Roots (other work trees and other
	// spellings) belongs to another repository and is refused, unless Foreign.
	// Without any root every session is taken.
	Root    string
	Roots   []string
	Foreign bool

	// Config gives thresholds, weights and maxCandidatesPerScan; its zero value
	// stands for the defaults.
	Config config.Config

	// The limits of what is reported, not of what is learned: the log takes every
	// finding, so that it does not depend on how a session is divided among
	// scans. maxCandidatesPerScan counts per session file; what an agent reported
	// by a tag is always told.
	MinConfidence float64
	MinPriority   int

	Around Surroundings // what the repository says by itself

	// Projects says how many projects met a trigger; nil: nobody knows.
	Projects func(*lesson.Trigger) int

	// Calls takes lines of the call log, before the state that passes over them is
	// returned; nil: nobody keeps them. They belong to one session, and go on from those
	// of the last call where a file has many. An error is a problem, and the file is read
	// again by the next scan.
	Calls func(session string, lines []byte, goOn bool) error

	// Checkpoint takes what a scan that ended here would return. It is called before
	// each file that may kill the scan, so that the others' findings can be kept; nil:
	// nobody keeps them.
	Checkpoint func(Result)

	Found    func(Candidate)         // called for each candidate, as it is found
	Progress func(done, total int64) // bytes; not called by two goroutines at a time
}

// Result says what a scan did.
type Result struct {
	Candidates []Candidate // by file, then in the order in which they were found
	Withheld   int         // candidates beyond maxCandidatesPerScan
	Files      int         // files that had something new
	Unchanged  int
	Foreign    int            // files of other repositories, refused
	Elsewhere  map[string]int // those by the directories in which they began
	Unknown    int            // files in no format that is read here
	Learned    []string       // ids of the observations that took evidence, sorted
	Problems   []knowledge.Problem
	Log        *observe.Log // Input.Log, with the evidence joined
	State      []byte       // to be stored after the log
	// Sessions are the names of sessions, hashed, by the path of each file that was read.
	Sessions map[string]string
	Said     []said.Message // what the people of those sessions talked about
	Asks     []ask.Fact     // what the agents of those sessions were asked, and their blocks
}

// Run scans what is new in the session files. A file that cannot be read is a
// problem and hides no other. When ctx ends, Run returns what it has together
// with ctx's error; log and state belong together then too.
func Run(ctx context.Context, in Input) (Result, error) {
	if in.Redactor == nil {
		return Result{}, errors.New("scan: without a redactor nothing may be stored")
	}
	r := &run{Input: in, learned: map[string]bool{}}
	r.defaults()
	slices.SortFunc(r.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	r.Files = slices.CompactFunc(r.Files, func(a, b File) bool { return a.Path == b.Path })
	together, alone := r.divide(r.survey())
	r.scan(ctx, together)
	for _, v := range alone {
		if r.Checkpoint != nil && ctx.Err() == nil {
			r.Checkpoint(r.ended())
		}
		r.scan(ctx, []*visit{v})
	}
	said.Confirm(r.Log, said.Merge(r.Said, r.result.Said), r.Config.Thresholds)
	err := ctx.Err()
	if err == nil && !in.Now.IsZero() {
		r.state.lastScan = in.Now.UTC()
	}
	return r.ended(), err
}

// ended is the result as of now, with the ids that observations have by now.
func (r *run) ended() Result {
	learned := map[string]bool{}
	for id := range r.learned {
		learned[r.Log.ID(id)] = true
	}
	r.result.Learned = slices.Sorted(maps.Keys(learned))
	for i, c := range r.result.Candidates {
		r.result.Candidates[i].Observation = r.Log.ID(c.Observation)
	}
	r.result.Log, r.result.State = r.Log, r.state.bytes()
	return r.result
}

// run is one scan at work. What visits of several files share is only read while
// they go on, but for the progress.
type run struct {
	Input
	state   *state
	roots   []string
	places  func() map[string]int // of the files, by their paths with slashes
	result  Result
	learned map[string]bool

	watch       sync.Mutex // over what follows
	total, done int64      // bytes
}

func (r *run) defaults() {
	var problems []knowledge.Problem
	r.state, problems = parseState("scan-state.json", r.Input.State)
	r.result.Problems, r.result.Sessions, r.result.Elsewhere = problems, map[string]string{}, map[string]int{}
	if r.All {
		r.state.forgetRead()
	}
	if r.Marker == nil {
		r.Marker = noMarker{}
	}
	if r.Limits == (Limits{}) {
		r.Limits = DefaultLimits
	}
	r.Files = slices.Clone(r.Files)
	if r.Log == nil {
		r.Log = &observe.Log{}
	}
	if r.Config.Version == 0 {
		r.Config = config.Default()
	}
	r.places = sync.OnceValue(func() map[string]int {
		places := map[string]int{}
		for i, f := range slices.Backward(r.Files) { // the first of two counts
			places[strings.ReplaceAll(f.Path, `\`, "/")] = i
		}
		return places
	})
	for _, root := range append([]string{r.Root}, r.Roots...) {
		if root != "" {
			r.roots = append(r.roots, root)
		}
	}
}

// survey asks once about each file that an earlier scan saw, or whose size is to be
// told, and returns the visits to those that may hold something new.
func (r *run) survey() []*visit {
	var ahead []*visit
	for _, f := range r.Files {
		known, ok := r.state.files[f.Path]
		v := &visit{run: r, file: f, known: known}
		if f.Stat != nil && (ok || r.Progress != nil) {
			if info, err := f.Stat(); err == nil {
				if r.result.skip(v.known, info, r.Input) {
					if v.known.Skipped != nil {
						r.Marker.Closed(f.Path)
					}
					continue
				}
				v.unread = info.Size
				r.total += info.Size
			}
		}
		ahead = append(ahead, v)
	}
	return ahead
}

// progress counts bytes that were read, and tells whoever watches.
func (r *run) progress(n int) {
	if r.Progress == nil {
		return
	}
	r.watch.Lock()
	defer r.watch.Unlock()
	r.done += int64(n)
	r.Progress(min(r.done, r.total), r.total)
}
