package scan

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
)

// Input is what a scan works on.
type Input struct {
	Files    []File // in any order
	State    []byte // what the last scan returned; nil: from the beginning
	Log      *knowledge.Log
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
	Config knowledge.Config

	// The limits of what is reported, not of what is learned: the log takes every
	// finding, so that it does not depend on how a session is divided among
	// scans. maxCandidatesPerScan counts per session file; what an agent reported
	// by a tag is always told.
	MinConfidence float64
	MinPriority   int

	Around Surroundings // what the repository says by itself

	// Projects says how many projects met a trigger; nil: nobody knows.
	Projects func(*knowledge.Trigger) int

	Found    func(Candidate)         // called for each candidate, as it is found
	Progress func(done, total int64) // bytes
}

// Result says what a scan did.
type Result struct {
	Candidates []Candidate // by file, then in the order in which they were found
	Withheld   int         // candidates beyond maxCandidatesPerScan
	Files      int         // files that had something new
	Unchanged  int
	Foreign    int      // files of other repositories, refused
	Unknown    int      // files in no format that is read here
	Learned    []string // ids of the observations that took evidence, sorted
	Problems   []knowledge.Problem
	Log        *knowledge.Log // Input.Log, with the evidence joined
	State      []byte         // to be stored after the log
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
	r.survey()
	for i, f := range r.Files {
		if ctx.Err() != nil {
			break
		}
		r.scanFile(ctx, f)
		r.fileDone(r.sizes[i])
	}
	err := ctx.Err()
	if err == nil && !in.Now.IsZero() {
		r.state.lastScan = in.Now.UTC()
	}
	for id := range r.learned {
		r.result.Learned = append(r.result.Learned, id)
	}
	slices.Sort(r.result.Learned)
	r.result.Log, r.result.State = r.Log, r.state.bytes()
	return r.result, err
}

// run is one scan at work.
type run struct {
	Input
	state       *state
	roots       []string
	result      Result
	learned     map[string]bool
	sizes       []int64 // of Files, for the progress
	total, done int64   // bytes
	ahead       int64   // bytes of the current file that were read
}

func (r *run) defaults() {
	var problems []knowledge.Problem
	r.state, problems = parseState("scan-state.json", r.Input.State)
	r.result.Problems = problems
	r.Files = slices.Clone(r.Files)
	if r.Log == nil {
		r.Log = &knowledge.Log{}
	}
	if r.Config.Version == 0 {
		r.Config = knowledge.DefaultConfig()
	}
	for _, root := range append([]string{r.Root}, r.Roots...) {
		if root != "" {
			r.roots = append(r.roots, root)
		}
	}
}

// survey adds up what lies ahead, where somebody watches.
func (r *run) survey() {
	r.sizes = make([]int64, len(r.Files))
	if r.Progress == nil {
		return
	}
	for i, f := range r.Files {
		if f.Stat == nil {
			continue
		}
		if info, err := f.Stat(); err == nil {
			r.sizes[i] = info.Size
			r.total += info.Size
		}
	}
}

func (r *run) progress(n int) {
	r.ahead += int64(n)
	if r.Progress != nil {
		r.Progress(min(r.done+r.ahead, r.total), r.total)
	}
}

func (r *run) fileDone(size int64) {
	r.done += size
	r.ahead = 0
	if r.Progress != nil {
		r.Progress(min(r.done, r.total), r.total)
	}
}

func (r *run) problem(path string, line int, rule, text string) {
	r.result.Problems = append(r.result.Problems, knowledge.Problem{Path: path, Line: line, Rule: rule, Text: text})
}
