package scan

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/ask"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/said"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// maxVisits bounds how many files are read at a time: each of them may need some
// megabytes.
const maxVisits = 4

// visit is the scan of one file. Files are read beside each other, one a
// processor, and joined to the log in their order, so that neither the log nor
// the report shows it.
type visit struct {
	*run
	file   File
	known  fileState
	unread int64        // bytes, for the progress
	found  chan *notice // in the order of the file; closed at its end

	// To be read when found is closed.
	tally Result // counts alone
	next  fileState
	moved bool   // the state moves on to next
	name  string // of the session, hashed; empty for a foreign one
	asks  []ask.Fact
	said  []said.Message

	// By the run.
	reported   int
	keepsCalls bool // some of its calls are in the call log
	lostCalls  bool // some could not be stored
}

// notice is one thing that a visit found: a problem, lines of the call log, or a finding
// as the observation log takes it.
type notice struct {
	problem *knowledge.Problem
	calls   []byte
	finding *finding
	signal  observe.Signal
	mistake string // as this session made it, redacted
	quiet   bool   // an earlier scan told it
}

// waitingNotices is how many notices a visit may be ahead of the join.
const waitingNotices = 64

// scan visits files and takes what they hold in their order.
func (r *run) scan(ctx context.Context, visits []*visit) {
	if len(visits) == 0 {
		return
	}
	var (
		readers = min(runtime.GOMAXPROCS(0), maxVisits, len(visits))
		jobs    = make(chan *visit)
		order   = make(chan *visit, readers)
		group   sync.WaitGroup
	)
	for range readers {
		group.Go(func() {
			for v := range jobs {
				v.scanFile(ctx)
				v.progress(int(v.unread))
				close(v.found)
			}
		})
	}
	group.Go(func() {
		defer close(jobs)
		defer close(order)
		for _, v := range visits {
			if ctx.Err() != nil {
				return
			}
			v.found = make(chan *notice, waitingNotices)
			order <- v
			jobs <- v
		}
	})
	for v := range order {
		r.takeAll(v, len(visits))
		v.found = nil
		r.result.add(v.tally)
		if v.name != "" {
			r.result.Sessions[v.file.Path] = v.name
			r.result.Asks = ask.Merge(r.result.Asks, v.asks)
			r.result.Said = append(r.result.Said, v.said...)
		}
		if v.moved && !v.lostCalls {
			r.state.files[v.file.Path] = v.next
		}
		if ctx.Err() == nil {
			r.Marker.Closed(v.file.Path)
		}
	}
	group.Wait()
}

// keepCalls hands calls of a file on to the call log.
func (r *run) keepCalls(v *visit, lines []byte) {
	if v.lostCalls {
		return
	}
	if err := r.Calls(v.name, lines, v.keepsCalls); err != nil {
		v.lostCalls = true
		r.result.Problems = append(r.result.Problems, knowledge.Problem{Path: v.file.Path, Rule: "call-log", Text: "Its calls cannot be stored: " + reason(err) + "."})
	}
	v.keepsCalls = true
}

// add sums up the counts of files.
func (r *Result) add(t Result) {
	r.Files += t.Files
	r.Unchanged += t.Unchanged
	r.Foreign += t.Foreign
	for dir, n := range t.Elsewhere {
		r.Elsewhere[dir] += n
	}
	r.Unknown += t.Unknown
}

// refuse counts a file of another repository.
func (r *Result) refuse(dir string) {
	if r.Foreign++; r.Elsewhere == nil {
		r.Elsewhere = map[string]int{}
	}
	if dir != "" {
		r.Elsewhere[dir]++
	}
}

// skip says whether a file holds nothing new, and counts it.
func (r *Result) skip(known fileState, now FileInfo, in Input) bool {
	switch {
	case !known.unchanged(now), known.Foreign && in.Foreign, known.Skipped != nil && known.Skipped.Version != in.Version:
		return false
	case known.Foreign:
		r.refuse(known.Dir)
	default:
		r.Unchanged++
	}
	return true
}

// progress counts bytes of the file that were read.
func (v *visit) progress(n int) {
	v.unread -= int64(n)
	v.run.progress(n)
}

func (v *visit) problem(line int, rule, text string) {
	v.found <- &notice{problem: &knowledge.Problem{Path: v.file.Path, Line: line, Rule: rule, Text: text}}
}

// scanFile scans the file from where the state says, and moves the state on.
func (v *visit) scanFile(ctx context.Context) {
	var info FileInfo
	defer func() {
		// What a session holds is anybody's text: a fault of ours that it brings out
		// must not end the scan of the others.
		if fault := recover(); fault != nil {
			v.found <- v.skip(info, faultOf(fault))
		}
	}()
	v.Marker.Opened(v.file.Path)
	f, info, err := v.file.Open()
	if err != nil {
		v.problem(0, "session-file", "The session file cannot be opened: "+reason(err)+".")
		return
	}
	defer f.Close()
	if v.tally.skip(v.known, info, v.Input) {
		return
	}
	next, err := v.scanOpen(ctx, f, info)
	var format *transcript.ErrFormat
	switch {
	case ctx.Err() != nil:
		return
	case errors.As(err, &format):
		v.tally.Unknown++
		if format.Format != transcript.Unknown || v.file.Named {
			v.problem(0, "session-format", "This is "+strings.TrimPrefix(format.Error(), v.file.Path+": ")+".")
		}
	case errors.Is(err, errBytes), errors.Is(err, errEvents):
		v.found <- v.skip(info, err.Error())
		return
	case err != nil:
		v.problem(0, "session-file", "The session file cannot be read: "+reason(err)+".")
		return
	}
	v.next, v.moved = next, true
}
