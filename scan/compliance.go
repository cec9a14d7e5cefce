package scan

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/ask"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Compliance says how far agents report their own mistakes (seed
// lessons-learned, sections 11 and 15). Rate is tags / (tags + unreported), in
// percent, over the sessions that were given the protocol; WellFormed is
// tags / (tags + malformed). Both are -1 where there is nothing to divide by.
type Compliance struct {
	Sessions   []SessionCompliance `json:"sessions"` // of those that were asked, by session
	NotAsked   int                 `json:"notAsked"` // sessions without the protocol
	Tags       int                 `json:"tags"`
	Malformed  int                 `json:"malformed"`
	Unreported int                 `json:"unreported"`
	N          int                 `json:"n"` // tags and unreported mistakes: what Rate is of
	Rate       int                 `json:"rate"`
	WellFormed int                 `json:"wellFormed"`
	Band       string              `json:"band"` // "tags", "both" or "heuristics" are to be relied on; "" for n = 0
	Asks       ask.Count           `json:"asks"` // in all sessions
}

// SessionCompliance is the same of one session, sub-agents and copies included.
type SessionCompliance struct {
	Session    string   `json:"session"` // hash prefix
	Files      []string `json:"files"`
	Tags       int      `json:"tags"`       // well-formed #lesson blocks that were not cancelled
	Malformed  int      `json:"malformed"`  // blocks that lack what a lesson needs
	Unreported int      `json:"unreported"` // mistakes that only the heuristics saw
	Rate       int      `json:"rate"`
}

// The bounds of the bands, in percent.
const (
	tagsSuffice = 70
	tagsFail    = 40
	// Signs of one mistake stand at most nearLines apart, and a report of it at
	// most reportLines behind it.
	nearLines   = 6
	reportLines = 60
)

// MeasureCompliance scans the files from their beginning and compares what
// agents reported with what the heuristics found. Nothing is learned.
func MeasureCompliance(ctx context.Context, in Input) (Compliance, []knowledge.Problem, error) {
	if in.Config.Version == 0 {
		in.Config = config.Default()
	}
	in.Config.MaxCandidatesPerScan = math.MaxInt
	in.All, in.Log, in.Found, in.MinConfidence, in.MinPriority = true, &observe.Log{}, nil, 0, 0
	result, err := Run(ctx, in)
	if err != nil {
		return Compliance{}, result.Problems, err
	}
	asked := map[string]bool{}
	for _, f := range in.Files {
		if session := result.Sessions[f.Path]; session != "" && givenProtocol(f) {
			asked[session] = true
		}
	}
	var problems []knowledge.Problem
	sessions := map[string]*talliedSession{}
	at := func(file string) *talliedSession {
		name := result.Sessions[file]
		if sessions[name] == nil {
			sessions[name] = &talliedSession{SessionCompliance: SessionCompliance{Session: name}}
		}
		return sessions[name]
	}
	for _, f := range in.Files {
		if result.Sessions[f.Path] != "" {
			s := at(f.Path)
			s.Files = append(s.Files, f.Path)
		}
	}
	for _, c := range result.Candidates {
		at(c.File).add(c)
	}
	for _, p := range result.Problems {
		if p.Rule == "lesson-tag" {
			at(p.Path).flaw(p)
		} else {
			problems = append(problems, p)
		}
	}
	measured := compliance(sessions, asked)
	measured.Asks = ask.CountOf(ask.Of(result.Asks))
	return measured, problems, nil
}

// givenProtocol says whether a session's file holds the protocol of any version.
// It stands there as the hook gave it.
func givenProtocol(f File) bool {
	r, _, err := f.Open()
	if err != nil {
		return false
	}
	defer r.Close()
	mark, _, _ := strings.Cut(Protocol, "v")
	return holds(r, []byte(mark))
}

// holds says whether a stream holds some bytes.
func holds(r io.Reader, mark []byte) bool {
	overlap := 0
	for buf := make([]byte, 64<<10); ; {
		n, err := r.Read(buf[overlap:])
		got := buf[:overlap+n]
		if bytes.Contains(got, mark) {
			return true
		}
		if err != nil {
			return false
		}
		overlap = copy(buf, got[max(0, len(got)-len(mark)):])
	}
}

func compliance(sessions map[string]*talliedSession, asked map[string]bool) Compliance {
	out := Compliance{Sessions: []SessionCompliance{}}
	for name, s := range sessions {
		if !asked[name] {
			out.NotAsked++
			continue
		}
		one := s.tally()
		out.Sessions = append(out.Sessions, one)
		out.Tags += one.Tags
		out.Malformed += one.Malformed
		out.Unreported += one.Unreported
	}
	slices.SortFunc(out.Sessions, func(a, b SessionCompliance) int { return cmp.Compare(a.Session, b.Session) })
	out.N = out.Tags + out.Unreported
	out.Rate, out.WellFormed = percent(out.Tags, out.N), percent(out.Tags, out.Tags+out.Malformed)
	switch {
	case out.N == 0:
	case out.Rate > tagsSuffice:
		out.Band = "tags"
	case out.Rate < tagsFail:
		out.Band = "heuristics"
	default:
		out.Band = "both"
	}
	return out
}

func percent(part, whole int) int {
	if whole == 0 {
		return -1
	}
	return (200*part + whole) / (2 * whole)
}

// talliedSession gathers what was found in the files of one session. Copies say
// the same again, which counts once.
type talliedSession struct {
	SessionCompliance
	reports  []sign
	mistakes []sign
	flaws    []sign
}

// sign is a place in a session. Two signs of copies are equal.
type sign struct {
	text     string
	from, to int
}

func (s *talliedSession) add(c Candidate) {
	at := sign{c.Mistake, c.Line, c.Line}
	if c.ErrorLine != nil {
		at.from, at.to = min(at.from, *c.ErrorLine), max(at.to, *c.ErrorLine)
	}
	switch {
	case c.Kind == SelfReport:
		s.reports = append(s.reports, at)
	case c.Unfit == ownWork: // nothing to report
	case c.Kind == ErrorFix || c.Kind == Hang || c.Kind == UserCorrection:
		s.mistakes = append(s.mistakes, at)
	}
}

func (s *talliedSession) flaw(p knowledge.Problem) {
	s.flaws = append(s.flaws, sign{p.Text, p.Line, p.Line})
}

// tally counts. A report answers the nearest mistake before it that has none.
func (s *talliedSession) tally() SessionCompliance {
	out := s.SessionCompliance
	reports, mistakes := uniqueSigns(s.reports), events(uniqueSigns(s.mistakes))
	out.Tags, out.Malformed, out.Unreported = len(reports), len(uniqueSigns(s.flaws)), len(mistakes)
	answered := make([]bool, len(mistakes))
	for _, r := range reports {
		for i := len(mistakes) - 1; i >= 0; i-- {
			if m := mistakes[i]; !answered[i] && m.from <= r.from && r.from <= m.to+reportLines {
				answered[i] = true
				out.Unreported--
				break
			}
		}
	}
	out.Rate = percent(out.Tags, out.Tags+out.Unreported)
	return out
}

func uniqueSigns(signs []sign) []sign {
	all := slices.Clone(signs)
	slices.SortFunc(all, func(a, b sign) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.text, b.text))
	})
	return slices.Compact(all)
}

// events folds the signs of one mistake: those that overlap or stand close.
func events(signs []sign) []sign {
	var all []sign
	for _, s := range signs {
		if n := len(all); n > 0 && s.from <= all[n-1].to+nearLines {
			all[n-1].to = max(all[n-1].to, s.to)
			continue
		}
		all = append(all, s)
	}
	return all
}
