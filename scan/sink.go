package scan

import (
	"cmp"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/score"
)

// sink takes the findings of one file and redacts them, beside the other files.
type sink struct {
	*visit
	session string    // hash prefix
	waiting []*notice // self-reports that a later block may still cancel
	quiet   bool      // what comes now was told by an earlier scan
	cwd     string    // of the newest call
	calls   []byte    // lines of the call log that wait to be handed on
}

// maxCalls is how many bytes of the call log a file may hold back.
const maxCalls = 1 << 20

// keep takes one call for the call log; nil: there is none.
func (s *sink) keep(c *calls.Call) {
	if c == nil {
		return
	}
	if s.calls = calls.AppendLine(s.calls, c); len(s.calls) > maxCalls {
		s.handOn()
	}
}

func (s *sink) handOn() {
	if len(s.calls) > 0 {
		s.found <- &notice{calls: s.calls}
		s.calls = nil
	}
}

// take receives one finding.
func (s *sink) take(f *finding) {
	switch {
	case f.flaw != nil:
		s.problem(f.line, f.flaw.Rule, f.flaw.Text)
	case f.cancel != "":
		s.cancel(f.cancel)
	case f.kind == SelfReport:
		s.waiting = append(s.waiting, s.notice(f))
	default:
		s.found <- s.notice(f)
	}
}

// close hands on what waited for the end of the file.
func (s *sink) close() {
	s.handOn()
	for _, w := range s.waiting {
		w.quiet = w.quiet || w.signal.TakenBack
		s.found <- w
	}
	s.waiting = nil
}

// cancel takes back this session's self-reports whose mistake begins with the
// words. They go to the log as taken back, for another copy of the session may
// lack the cancellation. What other sessions reported stands.
func (s *sink) cancel(prefix string) {
	prefix = foldWords(s.Redactor.Text(prefix).String())
	if prefix == "" {
		return
	}
	for _, w := range s.waiting {
		w.signal.TakenBack = w.signal.TakenBack || strings.HasPrefix(foldWords(w.signal.Mistake.String()), prefix)
	}
}

// fewVisits is how many sessions are few, and largeLog how many observations are many
// beside them.
const (
	fewVisits = 3
	largeLog  = 10_000
)

// takeAll takes what a visit reports: as it comes, or at once where a large log is asked
// about few sessions. All that the log knows is then not kept in memory.
func (r *run) takeAll(v *visit, visits int) {
	if visits > fewVisits || r.Log.Len() < largeLog {
		for found := range v.found {
			r.take(v, found)
		}
		return
	}
	var all []*notice
	var signals []observe.Signal
	for found := range v.found {
		all = append(all, found)
		if found.finding != nil {
			signals = append(signals, found.signal)
		}
	}
	defer r.Log.Expect(signals)()
	for _, found := range all {
		r.take(v, found)
	}
}

// take joins what a visit reports to the log and tells the candidate. It is
// called in the order of the files.
func (r *run) take(v *visit, found *notice) {
	if found.problem != nil {
		r.result.Problems = append(r.result.Problems, *found.problem)
		return
	}
	if found.calls != nil {
		r.keepCalls(v, found.calls)
		return
	}
	signal, f := found.signal, found.finding
	if r.Projects != nil {
		signal.Projects = r.Projects(signal.Trigger)
	}
	o := r.Log.Learn(signal, r.Config.Thresholds)
	if !signal.TakenBack {
		r.learned[o.ID] = true
	}
	if found.quiet {
		return
	}
	s := score.Of(o, r.Config.Weights)
	if s.Confidence < r.MinConfidence || s.Priority < r.MinPriority {
		return
	}
	if declared := f.kind == SelfReport || f.kind == Block; !declared {
		if v.reported >= r.Config.MaxCandidatesPerScan {
			r.result.Withheld++
			return
		}
		v.reported++
	}
	c := candidateOf(v.file.Path, found, o, s)
	r.result.Candidates = append(r.result.Candidates, c)
	if r.Found != nil {
		r.Found(c)
	}
}

// candidateOf is what is told of a finding.
func candidateOf(file string, found *notice, o *observe.Observation, s score.Score) Candidate {
	signal, f := found.signal, found.finding
	c := Candidate{
		File: file, Line: f.line, Kind: f.kind, Tool: f.tool, Trigger: signal.Trigger,
		Mistake: cmp.Or(found.mistake, o.Pattern), Fix: signal.Fix.String(), Observation: o.ID,
		Confidence: s.Confidence, Priority: s.Priority, Why: s.Why, Unfit: f.unfit,
	}
	if line := f.errorLine; line > 0 {
		c.ErrorLine = &line // a pointer into the finding would keep all of it
	}
	return c
}

// notice redacts a finding and asks whether it is fit to be written down.
func (s *sink) notice(f *finding) *notice {
	f.inPlainWords(s.Redactor, s.roots)
	signal := f.signal(s.Redactor, s.session, s.roots)
	if f.unfit == "" {
		f.unfit = flawOf(f, &signal, s.Around)
	}
	signal.QualityOK, signal.Unfit = f.unfit == "", f.unfit
	mistake := signal.Mistake.String()
	if f.mistaken != "" {
		mistake = shorten(s.Redactor, nameless(f.mistake), maxText).String()
	}
	return &notice{finding: f, signal: signal, mistake: mistake, quiet: s.quiet}
}
